import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { MAX_PACKS } from '../../../contract/bounds.ts'
import { comparePacks } from '../../../pool/comparison.ts'
import { differenceWords } from '../../../pool/difference-words.ts'
import { cellWords } from '../../editing/changes.ts'
import { formatMoment, formatWait, now } from '../../format.ts'
import { Button, LinkButton, SignInButton } from '../../parts/buttons.tsx'
import { DraftList } from '../draft/drafts.tsx'
import { liveKey } from '../edit.ts'
import { focusLater, focusNow } from '../../editing/focus.ts'
import type { EditorModel, ModelProps } from '../model.ts'
import { sideEffects, type Wait } from './saver.ts'

export function EditNotices({ model }: ModelProps) {
  const { draft, effects, saver } = model
  const { state, saved } = saver
  const { magnets, pin } = effects.value
  const reason = saved?.hiddenReason === undefined ? '' : `Reason: “${saved.hiddenReason}” `
  return (
    <div class="edit-notices">
      {state.phase === 'conflict' && <ConflictView model={model} isAtStart={state.isAtStart} />}
      {saveNotice(model)}
      {mergeNotice(model)}
      {openingNotice(model)}
      {draft.isShared.value &&
        notice(
          'This draft is open in another window',
          'Both windows edit the same draft: a change in one appears in the other.',
        )}
      {draft.state.value === 'lost' &&
        danger(
          'Drafts cannot be saved in this browser',
          'Browser storage is full or disabled. Save before you leave this page.',
        )}
      {saved === null && <DraftList except={draft.stored.value.name} />}
      {saved?.hiddenAt !== undefined &&
        notice(
          'This pack is hidden by a moderator',
          `${reason}Only you and moderators can see it. It stays hidden when you save.`,
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

const kept = 'Your changes are kept in this browser.'

function saveNotice(model: EditorModel) {
  const { saver } = model
  const { state } = saver
  const again = button('Try again', 'primary', () => model.save())
  switch (state.phase) {
    case 'failed':
      return danger('Not saved', `${state.message} ${kept}`, again)
    case 'refused': {
      const { id, text } = state.refusal.problem
      // What was refused at a place of the page is shown there.
      return id === null && danger('Not saved', `${text} ${kept}`, again)
    }
    case 'waiting':
      return waitNotice(saver, state)
    case 'saving':
      return state.waited && waitNotice(saver, state.waited)
    case 'signed-out':
      return danger('Your session has ended', `${kept} Sign in to continue.`, <SignInButton />)
    case 'other-session':
      return danger(
        'Reload the page to save',
        `You have signed in again since you opened this page. ${kept}`,
        button('Reload', 'primary', () => location.reload()),
      )
    case 'full':
      return danger(
        `You have reached the limit of ${MAX_PACKS} packs`,
        `Delete a pack to save this one. ${kept}`,
        [again, <LinkButton href="/me" label="My packs" />],
      )
    case 'deleted':
      return danger(
        'This pack was deleted elsewhere',
        `It no longer exists on the site. ${kept}`,
        button('Save as a new pack', 'primary', () => saver.saveAsNew()),
      )
    default:
      return null
  }
}

/** It stays while the attempt is made that follows the wait. */
function waitNotice(saver: EditorModel['saver'], { until, message }: Wait) {
  return notice(
    'Waiting to save',
    [
      <span dir="auto">{message ?? 'Too many saves this minute.'}</span>,
      message === null ? ' Saving continues automatically in ' : ' Trying again in ',
      <Countdown until={until} />,
      `. ${kept}`,
    ],
    button('Cancel', 'plain', () => saver.stop()),
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
    const text = 'An unsaved draft in this browser was damaged and has been discarded.'
    return notice('Could not restore your draft', text, close('Close'))
  }
  if (isCopy) {
    const text =
      'The original draft is open in another window. Changes here are saved as a separate draft.'
    return notice('This is a copy of your draft', text, close('Close'))
  }
  if (!draft || model.saver.state.phase === 'conflict') return null
  return notice('Draft restored', `Unsaved changes from ${formatMoment(draft.changedAt)}.`, [
    close('Continue'),
    button('Discard draft', 'quiet', () => model.discardDraft()),
  ])
}

/** What others have saved meanwhile is in the edit, too. */
function mergeNotice({ saver: { merged, saved, isUnchanged } }: EditorModel) {
  const words = merged.value.map(cellWords)
  if (words.length === 0) return null
  const shown = words.length > 8 ? [...words.slice(0, 8), `${words.length - 8} more`] : words
  return notice(
    'Merged with changes made elsewhere',
    `This pack was saved in another window or through the API. Your changes are kept, and these were merged in: ${shown.join(', ')}.`,
    [
      button('Close', 'plain', () => (merged.value = [])),
      saved !== null && isUnchanged.value && (
        <LinkButton href={`/p/${saved.slug}`} label="Open the pack" />
      ),
    ],
  )
}

/** Something was changed here and elsewhere: shows the differences, and asks which version to keep. */
function ConflictView({ model, isAtStart }: ModelProps & { readonly isAtStart: boolean }) {
  const { saver, store } = model
  const { edit: mine } = saver.kept
  const { magnets } = sideEffects(saver.saved, mine, liveKey(mine))
  useEffect(() => void focusNow('conflict-title'), [])
  const choice = (text: string, tone: 'plain' | 'primary', choose: () => unknown) =>
    button(text, tone, () => {
      void choose()
      focusLater('edit-slots')
    })
  return (
    <section class="edit-notice edit-conflict" role="alertdialog" aria-labelledby="conflict-title">
      <h2 id="conflict-title" tabIndex={-1}>
        {isAtStart ? 'Your draft is older than the saved pack' : 'This pack was changed elsewhere'}
      </h2>
      <p>
        It was saved on {formatMoment(saver.saved?.updatedAt ?? 0)}, in another window or through
        the API. Neither version has been overwritten. Choose which one to keep where they differ
        below; all other changes from both are kept.
      </p>
      <table class="edit-conflict-table">
        <thead>
          <tr>
            <th scope="col">Change</th>
            <th scope="col">Your version</th>
            <th scope="col">Saved version</th>
          </tr>
        </thead>
        <tbody>
          {comparePacks(mine, store.edit).map((difference, at) => {
            const { what, from, to } = differenceWords(difference, {
              nameOf: model.nameOf,
              before: mine.slots,
            })
            const nothing = <span class="quiet-text">none</span>
            return (
              <tr key={at}>
                <th scope="row" dir="auto">
                  {what}
                </th>
                <td dir="auto">{from ?? nothing}</td>
                <td dir="auto">{to ?? nothing}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {magnets !== null && <p class="edit-effect">{magnets}</p>}
      <p class="actions">
        {choice('Keep my version', 'primary', () => saver.keepMine())}
        {choice('Use the saved version', 'plain', () => saver.takeTheirs())}
      </p>
    </section>
  )
}
