import * as words from '#texts/common'
import * as texts from '#texts/editor'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { MAX_PACKS } from '../../../contract/bounds.ts'
import { cellWords } from '../../editing/changes.ts'
import { formatMoment, formatSentences, formatWait, now } from '../../format.ts'
import { Button, LinkButton, SignInButton } from '../../parts/buttons.tsx'
import { loadedPart } from '../../parts/loaded-part.tsx'
import { Sentences } from '../../parts/sentences.tsx'
import { DraftList } from '../draft/drafts.tsx'
import { listNames } from '../../editing/names.ts'
import type { EditorModel, ModelProps } from '../model.ts'
import type { Wait } from './saver.ts'

const ConflictView = loadedPart(async () => (await import('./conflict-view.tsx')).ConflictView)

export function EditNotices({ model }: ModelProps) {
  const { draft, effects, saver } = model
  const { state, saved } = saver
  const { magnets, pin } = effects.value
  const reason = saved?.hiddenReason
  return (
    <div class="edit-notices">
      {state.phase === 'conflict' && <ConflictView model={model} isAtStart={state.isAtStart} />}
      {saveNotice(model)}
      {mergeNotice(model)}
      {openingNotice(model)}
      {draft.isShared.value && notice(texts.shared, texts.sharedMeans)}
      {draft.state.value === 'lost' && danger(texts.noDrafts, texts.noDraftsMeans)}
      {saved === null && <DraftList except={draft.stored.value.name} />}
      {saved?.hiddenAt !== undefined &&
        notice(
          texts.packHidden,
          reason === undefined
            ? texts.hiddenMeans
            : formatSentences([texts.hiddenReason({ reason }), texts.hiddenMeans]),
        )}
      {magnets !== null && state.phase !== 'conflict' && <p class="edit-effect">{magnets}</p>}
      {pin !== null && <p class="edit-effect">{pin}</p>}
    </div>
  )
}

function notice(
  title: string,
  text: ComponentChildren,
  actions?: ComponentChildren,
  tone = 'plain',
) {
  return (
    <section class={`edit-notice ${tone}`} role={tone === 'danger' ? 'alert' : 'status'}>
      <div>
        <h2>{title}</h2>
        <p>{text}</p>
      </div>
      {actions && <p class="actions">{actions}</p>}
    </section>
  )
}

/** Interrupts screen readers. */
function danger(title: string, text: string, actions?: ComponentChildren) {
  return notice(title, text, actions, 'danger')
}

function button(text: string, tone: 'plain' | 'primary' | 'quiet', onPress: () => unknown) {
  return <Button tone={tone} label={text} onClick={() => void onPress()} />
}

function saveNotice(model: EditorModel) {
  const { saver } = model
  const { state } = saver
  const again = button(words.retry, 'primary', () => model.save())
  switch (state.phase) {
    case 'failed':
      return danger(
        state.isOpen === true ? texts.perhapsNotSaved : texts.notSaved,
        formatSentences([state.message, texts.changesKept]),
        again,
      )
    case 'refused': {
      const { id, text } = state.refusal.problem
      // What was refused at a place of the page is shown there.
      return (
        id === null && danger(texts.notSaved, formatSentences([text, texts.changesKept]), again)
      )
    }
    case 'waiting':
      return waitNotice(saver, state)
    case 'saving':
      return state.waited && waitNotice(saver, state.waited)
    case 'signed-out':
      return danger(texts.sessionEnded, texts.changesKept, <SignInButton />)
    case 'other-session':
      return danger(
        texts.reloadToSave,
        formatSentences([texts.otherSession, texts.changesKept]),
        button(words.reload, 'primary', () => location.reload()),
      )
    case 'full':
      return danger(
        texts.packsFull({ n: MAX_PACKS }),
        formatSentences([texts.deletePackFirst, texts.changesKept]),
        [again, <LinkButton href="/me" label={words.myPacks} />],
      )
    case 'deleted':
      return danger(
        texts.deletedElsewhere,
        formatSentences([texts.noLongerThere, texts.changesKept]),
        button(texts.saveAsNew, 'primary', () => saver.saveAsNew()),
      )
    default:
      return null
  }
}

/** It stays while the attempt is made that follows the wait. */
function waitNotice(saver: EditorModel['saver'], { until, message }: Wait) {
  const wait = <Countdown until={until} />
  return notice(
    texts.waitingToSave,
    <Sentences
      of={[
        message === null
          ? texts.tooManySaves({ wait })
          : texts.tryingAgainIn({ reason: <span dir="auto">{message}</span>, wait }),
        texts.changesKept,
      ]}
    />,
    button(words.cancel, 'plain', () => saver.stop()),
  )
}

/** Screen readers read it once, not each second. */
function Countdown({ until }: { until: number }) {
  const time = useSignal(now())
  useEffect(() => {
    const timer = setInterval(() => (time.value = now()), 500)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.ceil((until - time.value) / 1000))
  return <span aria-live="off">{formatWait(seconds)}</span>
}

/** An unsaved draft was restored, or could not be. */
function openingNotice(model: EditorModel) {
  const { draft, wasDamaged, isCopy } = model.opening.value ?? {}
  const close = (text: string) => button(text, 'plain', () => (model.opening.value = null))
  if (wasDamaged) {
    return notice(texts.draftUnread, texts.draftUnreadMeans, close(words.close))
  }
  if (isCopy) {
    return notice(texts.draftCopy, texts.draftCopyMeans, close(words.close))
  }
  if (!draft || model.saver.state.phase === 'conflict') return null
  const moment = formatMoment(draft.changedAt)
  return notice(texts.draftRestored, texts.draftFrom({ moment }), [
    close(texts.continueDraft),
    button(texts.discardDraft, 'quiet', () => model.discardDraft()),
  ])
}

const MOST_NAMES = 8

/** What others have saved meanwhile is in the edit, too. */
function mergeNotice({ saver: { merged, saved, state, isUnchanged } }: EditorModel) {
  // While it is being saved, the outcome is unknown.
  if (merged.value.length === 0 || state.phase === 'saving') return null
  const isSaved = saved !== null && isUnchanged.value
  return notice(
    isSaved ? texts.mergedSaved : texts.merged,
    formatSentences([
      texts.mergedMeans({ names: listNames(merged.value.map(cellWords), MOST_NAMES) }),
      !isSaved && state.phase === 'idle' && texts.saveMerged,
    ]),
    [
      button(words.close, 'plain', () => (merged.value = [])),
      isSaved && <LinkButton href={`/p/${saved.slug}`} label={texts.openPack} />,
    ],
  )
}
