import type { JSX } from 'preact'
import { useCallback } from 'preact/hooks'
import { call } from '../api.ts'
import { formatDay } from '../format.ts'
import { useLoad } from '../hooks.ts'
import { Icon } from '../parts/icons.tsx'
import { PersonText } from '../parts/labels.tsx'

type Props = { readonly slug: string; readonly hiddenAt: string }

/** Why others do not see a pack. The list does not tell the reason: the pack itself does. */
export const HiddenNote = ({ slug, hiddenAt }: Props): JSX.Element => {
  const load = useCallback((signal: AbortSignal) => call('getPack', { slug, signal }), [slug])
  const { value } = useLoad(load)
  const reason = value?.pack.hiddenReason
  return (
    <p class="my-pack-hidden">
      <Icon name="hidden" />
      <span>
        Hidden by a moderator on <time dateTime={hiddenAt}>{formatDay(hiddenAt)}</time>
        {reason === undefined ? (
          '.'
        ) : (
          <>
            : “
            <PersonText text={reason} />
            ”.
          </>
        )}{' '}
        Only you and moderators can see it.
      </span>
    </p>
  )
}
