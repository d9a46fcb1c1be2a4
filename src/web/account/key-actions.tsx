import type { JSX } from 'preact'
import type { KeyReply } from '../../contract/keys.ts'
import { NEW_KEYS_PER_HOUR } from '../../contract/quotas.ts'
import { formatTime, now } from '../format.ts'
import { Button } from '../parts/buttons.tsx'
import { FailureLine } from '../parts/notices.tsx'
import type { KeyDesk } from './use-key.ts'

const leftText = ({ newKeysLeft, newKeysResetSeconds }: KeyReply): string =>
  newKeysLeft > 0
    ? `${newKeysLeft} of ${NEW_KEYS_PER_HOUR} new keys left this hour`
    : `No new keys left this hour. You can create one at ${formatTime(now() + newKeysResetSeconds * 1000)}`

/** The three things that one does about a key. */
export const KeyActions = ({ desk }: { readonly desk: KeyDesk }): JSX.Element => {
  const { loaded, action, asked, ask, make } = desk
  const { value } = loaded
  const mayMake = value !== null && value.newKeysLeft > 0
  return (
    <>
      <div class="actions account-actions">
        {value === null || value.key === null ? (
          <Button
            tone="primary"
            icon="key"
            busy={action.isBusy}
            disabled={!mayMake}
            aria-describedby="new-keys"
            onClick={make}
          >
            Create key
          </Button>
        ) : (
          <>
            <Button
              disabled={!mayMake}
              aria-describedby="new-keys"
              onClick={() => ask('regenerate')}
            >
              Regenerate
            </Button>
            <Button tone="danger" onClick={() => ask('revoke')}>
              Revoke
            </Button>
          </>
        )}
        <span id="new-keys" class="small-text quiet-text">
          {value && leftText(value)}
        </span>
      </div>
      {asked === null && <FailureLine error={action.error} />}
    </>
  )
}
