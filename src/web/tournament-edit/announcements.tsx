import { useCallback, useState } from 'preact/hooks'
import type { Announcement, AnnouncementsReply } from '../../contract/announcements.ts'
import { DISCORD_URL_LENGTH } from '../../contract/bounds.ts'
import { useAction } from '../action.ts'
import { useLoad } from '../load.ts'
import { Button } from '../parts/buttons.tsx'
import { TextInput } from '../parts/inputs.tsx'
import { PersonText } from '../parts/labels.tsx'
import { FailureLine } from '../parts/notices.tsx'
import { Time } from '../parts/times.tsx'
import { announce } from '../parts/toasts.tsx'
import { poolsCall } from '../pools-api.ts'
import '../style/announcements.css'
import type { WorkspaceProps } from './model.ts'

/** Where releases are announced on Discord, and what was. Its buttons act at once; nothing waits for Save. */
export function Announcements({ workspace }: WorkspaceProps) {
  const { slug } = workspace
  const load = useCallback(
    (signal: AbortSignal) => poolsCall('listAnnouncements', { slug, signal }),
    [slug],
  )
  const { value, error, reload, change } = useLoad(load)
  if (value === null) return <FailureLine error={error} />
  // Where the operator does not allow it, there is nothing to set.
  if (!value.isAllowed && !value.discord) return null
  const show = (reply: AnnouncementsReply): void => change(() => reply)
  return (
    <details class="settings-delete announcements" open={value.discordOff !== undefined}>
      <summary>Announce on Discord</summary>
      <Channel workspace={workspace} reply={value} onChange={reload} onReply={show} />
      {value.announcements.length > 0 && (
        <Log slug={slug} reply={value} onReply={show} onLook={reload} />
      )}
    </details>
  )
}

type PartProps = {
  readonly reply: AnnouncementsReply
  readonly onReply: (reply: AnnouncementsReply) => void
}

function Channel({
  workspace,
  reply,
  onChange,
  onReply,
}: WorkspaceProps & PartProps & { readonly onChange: () => void }) {
  const { slug } = workspace
  const { isAllowed, discord, discordOff } = reply
  const [typed, setTyped] = useState<string | null>(null)
  const { isBusy, error, run } = useAction()
  const set = (discordUrl: string | null, done: string): void =>
    run(async () => {
      const saved = await poolsCall('updateTournament', { slug, body: { discordUrl } })
      workspace.putTournament(saved.tournament)
      setTyped(null)
      announce(done)
      onChange()
    })
  const isTyping = typed !== null || !discord
  return (
    <>
      <p>
        Each release of a round, each change after it and each withdrawal is posted in a channel. In
        Discord, open the settings of the channel, then Integrations, Webhooks, and copy the URL of
        a new webhook. Anyone who knows that address can post there.
      </p>
      {!isAllowed && <p class="edit-danger">This installation no longer sends to Discord.</p>}
      {discordOff !== undefined && (
        <p class="edit-danger" role="status">
          {discordOff === 'gone'
            ? 'Nothing is sent: Discord says that this webhook was deleted. Set the address of another one.'
            : 'Nothing is sent: for three days, Discord could not be reached. Send a trial to go on.'}
        </p>
      )}
      {isTyping ? (
        <div class="announcements-address">
          <label>
            Webhook URL
            <TextInput
              maxLength={DISCORD_URL_LENGTH}
              placeholder="https://discord.com/api/webhooks/…"
              spellcheck={false}
              value={typed ?? ''}
              onText={setTyped}
            />
          </label>
          <Button
            label="Set the address"
            busy={isBusy}
            disabled={!isAllowed || (typed ?? '').trim() === ''}
            onClick={() => set((typed ?? '').trim(), 'Address set')}
          />
          {discord && (
            <Button tone="quiet" label="Keep the address" onClick={() => setTyped(null)} />
          )}
        </div>
      ) : (
        <div class="announcements-address">
          <p>An address is set.</p>
          <Button label="Replace" disabled={!isAllowed || isBusy} onClick={() => setTyped('')} />
          <Button label="Remove" disabled={isBusy} onClick={() => set(null, 'Address removed')} />
          <Button
            label="Send a trial"
            busy={isBusy}
            disabled={!isAllowed}
            onClick={() =>
              run(async () => {
                onReply(await poolsCall('sendTrial', { slug }))
                announce('A trial message is on its way')
              })
            }
          />
        </div>
      )}
      <FailureLine error={error}>Nothing was changed.</FailureLine>
    </>
  )
}

const kindWords = {
  release: 'released',
  change: 'changed',
  fill: 'filled',
  withdrawal: 'withdrawn',
} as const

const stateWords = { waiting: 'Waiting', sent: 'Sent', 'given-up': 'Not sent' } as const

const problemWords: Readonly<Record<NonNullable<Announcement['problem']>, string>> = {
  'no-answer': 'Discord did not answer',
  'refused-address': 'the name of Discord leads to an address that is not public',
  status: 'Discord answered with an error',
  rejected: 'Discord did not take the message',
  gone: 'Discord has no such webhook',
  limited: 'Discord asks to wait',
  'too-old': 'it waited for more than three days',
  hidden: 'the round is no longer public',
  removed: 'the address was removed',
}

type LogProps = PartProps & { readonly slug: string; readonly onLook: () => void }

function Log({ slug, reply, onReply, onLook }: LogProps) {
  const { isBusy, error, run } = useAction()
  return (
    <>
      <div class="announcements-head">
        <h3>Sent and waiting</h3>
        <Button tone="quiet" label="Look again" onClick={onLook} />
      </div>
      <ol class="announcements-log">
        {reply.announcements.map((each) => (
          <li key={each.id}>
            <span>
              {each.kind === 'trial' ? (
                'Trial message'
              ) : (
                <>
                  <PersonText within="b" text={each.round ?? ''} /> {kindWords[each.kind]}
                </>
              )}
              <span class="quiet-text">
                <Time at={each.finishedAt ?? each.at} /> · {stateWords[each.state]}
                {each.problem !== undefined && `: ${problemWords[each.problem]}`}
              </span>
            </span>
            <Button
              tone="quiet"
              label="Send again"
              aria-label={`Send again: ${each.round ?? 'trial message'}`}
              disabled={isBusy || !reply.isAllowed || !reply.discord || each.state === 'waiting'}
              onClick={() =>
                run(async () => onReply(await poolsCall('sendAgain', { slug, id: each.id })))
              }
            />
          </li>
        ))}
      </ol>
      <FailureLine error={error}>Nothing was sent.</FailureLine>
    </>
  )
}
