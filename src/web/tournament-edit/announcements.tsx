import * as texts from '#texts/tournament-settings'
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
import { orLeave } from '../tournament-staff/roles.ts'
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
      <summary>{texts.announceOnDiscord}</summary>
      <Channel workspace={workspace} reply={value} onChange={reload} onReply={show} />
      {value.announcements.length > 0 && (
        <Log workspace={workspace} reply={value} onReply={show} onLook={reload} />
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
  const { isBusy, error, run } = useAction(orLeave(workspace.tournament))
  const set = (discordUrl: string | null, done: string): void =>
    run(async () => {
      const saved = await poolsCall('updateTournament', { slug, body: { discordUrl } })
      workspace.putTournament(saved.tournament)
      // The next one may be typed by then.
      setTyped((now) => (now === typed ? null : now))
      announce(done)
      onChange()
    })
  const isTyping = typed !== null || !discord
  return (
    <>
      <p>{texts.announceHow}</p>
      {!isAllowed && <p class="edit-danger">{texts.notAllowed}</p>}
      {discordOff !== undefined && (
        <p class="edit-danger" role="status">
          {discordOff === 'gone' ? texts.webhookGone : texts.discordUnreachable}
        </p>
      )}
      {isTyping ? (
        <div class="announcements-address">
          <label>
            {texts.webhookUrl}
            <TextInput
              maxLength={DISCORD_URL_LENGTH}
              placeholder="https://discord.com/api/webhooks/…"
              spellcheck={false}
              value={typed ?? ''}
              onText={setTyped}
            />
          </label>
          <Button
            label={texts.setAddress}
            busy={isBusy}
            disabled={!isAllowed || (typed ?? '').trim() === ''}
            onClick={() => set((typed ?? '').trim(), texts.addressSet)}
          />
          {discord && (
            <Button tone="quiet" label={texts.keepAddress} onClick={() => setTyped(null)} />
          )}
        </div>
      ) : (
        <div class="announcements-address">
          <p>{texts.hasAddress}</p>
          <Button
            label={texts.replaceAddress}
            busy={isBusy}
            disabled={!isAllowed}
            onClick={() => setTyped('')}
          />
          <Button
            label={texts.removeAddress}
            busy={isBusy}
            onClick={() => set(null, texts.addressRemoved)}
          />
          <Button
            label={texts.sendTrial}
            busy={isBusy}
            disabled={!isAllowed}
            onClick={() =>
              run(async () => {
                onReply(await poolsCall('sendTrial', { slug }))
                announce(texts.trialOnItsWay)
              })
            }
          />
        </div>
      )}
      <FailureLine error={error}>{texts.nothingChanged}</FailureLine>
    </>
  )
}

const kindTexts = {
  release: texts.roundReleased,
  change: texts.roundChanged,
  fill: texts.roundFilled,
  links: texts.roundLinks,
  withdrawal: texts.roundWithdrawn,
} as const

const stateTexts = { waiting: texts.waiting, sent: texts.sent, 'given-up': texts.notSent } as const

const problemTexts: Readonly<Record<NonNullable<Announcement['problem']>, string>> = {
  'no-answer': texts.noAnswer,
  'refused-address': texts.refusedAddress,
  status: texts.answeredError,
  rejected: texts.rejected,
  gone: texts.noSuchWebhook,
  limited: texts.askedToWait,
  'too-old': texts.tooOld,
  hidden: texts.roundHidden,
  'tournament-hidden': texts.tournamentHidden,
  removed: texts.noAddress,
}

function stateText({ state, problem }: Announcement): string {
  const text = stateTexts[state]
  if (problem === undefined) return text
  return texts.stateAndProblem({ state: text, problem: problemTexts[problem] })
}

/** What Discord has answered, and when it is asked next. */
function Facts({ nextAttemptAt, status, code }: Announcement) {
  return (
    <>
      {status !== undefined && (
        <>
          {' · '}
          {code === undefined
            ? texts.answerStatus({ status: String(status) })
            : texts.answerCode({ status: String(status), code: String(code) })}
        </>
      )}
      {nextAttemptAt !== undefined && (
        <>
          {' · '}
          {texts.nextAttempt({ time: <Time at={nextAttemptAt} /> })}
        </>
      )}
    </>
  )
}

/** "Webhooks posted to forum channels must have a thread_name or thread_id" */
const FORUM_WITHOUT_THREAD = 220_001

/** What helps where it is known; undefined: nothing is. */
function helpFor({ problem, status, code }: Announcement): string | undefined {
  if (problem !== 'rejected') return undefined
  if (code === FORUM_WITHOUT_THREAD) return texts.channelIsForum
  if (status === 405) return texts.refusedOnTheWay
  return status === 413 ? texts.tooLargeOnTheWay : undefined
}

type LogProps = WorkspaceProps & PartProps & { readonly onLook: () => void }

function Log({ workspace, reply, onReply, onLook }: LogProps) {
  const { slug } = workspace
  const { isBusy, error, run } = useAction(orLeave(workspace.tournament))
  return (
    <>
      <div class="announcements-head">
        <h3>{texts.sentAndWaiting}</h3>
        <Button tone="quiet" label={texts.lookAgain} onClick={onLook} />
      </div>
      <ol class="announcements-log">
        {reply.announcements.map((each) => (
          <li key={each.id}>
            <span>
              {each.kind === 'trial'
                ? texts.trialMessage
                : kindTexts[each.kind]({
                    round: <PersonText within="b" text={each.round ?? ''} />,
                  })}
              <span class="quiet-text">
                <Time at={each.finishedAt ?? each.at} /> · {stateText(each)}
                <Facts {...each} />
              </span>
              {helpFor(each) !== undefined && <span class="quiet-text">{helpFor(each)}</span>}
            </span>
            <Button
              tone="quiet"
              label={texts.sendAgain}
              aria-label={
                each.round === undefined
                  ? texts.sendTrialAgain
                  : texts.sendRoundAgain({ round: each.round })
              }
              busy={isBusy}
              disabled={!reply.isAllowed || !reply.discord || each.state === 'waiting'}
              onClick={() =>
                run(async () => onReply(await poolsCall('sendAgain', { slug, id: each.id })))
              }
            />
          </li>
        ))}
      </ol>
      <FailureLine error={error}>{texts.nothingSent}</FailureLine>
    </>
  )
}
