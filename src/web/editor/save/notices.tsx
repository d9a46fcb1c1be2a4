import { useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { MAX_PACKS } from '../../../contract/bounds.ts'
import { formatMoment, formatWait, now } from '../../format.ts'
import { Button, LinkButton, SignInButton } from '../../parts/buttons.tsx'
import { DraftList } from '../draft/drafts.tsx'
import { differences, editOf } from '../edit.ts'
import { focusLater, focusNow } from '../focus.ts'
import type { EditorModel, ModelProps } from '../model.ts'
import { type Saver, type SaveState, sideEffects } from './saver.ts'

type Props = ModelProps & {
  /** The name of a beatmap, as far as it is known. */
  readonly nameOf: (beatmapId: number) => string
}

/** All messages about the whole edit, the most urgent first. */
export function EditNotices({ model, nameOf }: Props): JSX.Element {
  const { saver, draft } = model
  const { state, saved } = saver
  const { magnets, pin } = model.effects.value
  const notice = saveNotice(model)
  return (
    <div class="edit-notices">
      {state.phase === 'conflict' && <ConflictView model={model} state={state} nameOf={nameOf} />}
      {notice && <EditNotice tone="danger" {...notice} />}
      {state.phase === 'waiting' && <WaitNotice until={state.until} saver={saver} />}
      <DraftNotice model={model} />
      {draft.isShared.value && (
        <EditNotice title="This draft is open in another window">
          Both windows edit the same draft. The last change wins.
        </EditNotice>
      )}
      {draft.state.value === 'lost' && (
        <EditNotice title="Drafts cannot be saved in this browser" tone="danger">
          Browser storage is full or disabled. Save before you leave this page.
        </EditNotice>
      )}
      {saved === null && <DraftList except={draft.stored.name} />}
      {saved?.hiddenAt !== undefined && (
        <EditNotice title="This pack is hidden by a moderator">
          {saved.hiddenReason !== undefined && `Reason: “${saved.hiddenReason}” `}
          Only you and moderators can see it. It stays hidden when you save.
        </EditNotice>
      )}
      {magnets !== null && state.phase !== 'conflict' && <p class="edit-effect">{magnets}</p>}
      {pin !== null && <p class="edit-effect">{pin}</p>}
    </div>
  )
}

type ConflictProps = Props & { readonly state: SaveState & { readonly phase: 'conflict' } }

/** The pack was saved elsewhere meanwhile: shows the differences, and asks which version to keep. */
function ConflictView({ model, state, nameOf }: ConflictProps): JSX.Element {
  const { saver, store, packKey } = model
  const { theirs, isAtStart } = state
  const { magnets } = sideEffects(theirs, store.edit, packKey.value)
  useEffect(() => void focusNow('conflict-title'), [])
  const cell = (text: string | null, isSlot: boolean): JSX.Element => (
    <td dir="auto">{text ?? <span class="quiet-text">{isSlot ? 'not included' : 'none'}</span>}</td>
  )
  const keep = (decide: () => unknown): void => {
    decide()
    focusLater('edit-slots')
  }
  return (
    <section class="edit-notice edit-conflict" role="alertdialog" aria-labelledby="conflict-title">
      <h2 id="conflict-title" tabIndex={-1}>
        {isAtStart ? 'Your draft is older than the saved pack' : 'This pack was changed elsewhere'}
      </h2>
      <p>
        It was saved on {formatMoment(theirs.updatedAt)}, in another window or through the API.
        Neither version has been overwritten. Choose which one to keep.
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
          {differences(store.edit, editOf(theirs)).map(({ what, beatmapId, mine, theirs }) => (
            <tr key={`${what} ${beatmapId} ${mine} ${theirs}`}>
              <th scope="row">{beatmapId === undefined ? what : nameOf(beatmapId)}</th>
              {cell(mine, beatmapId !== undefined)}
              {cell(theirs, beatmapId !== undefined)}
            </tr>
          ))}
        </tbody>
      </table>
      {magnets !== null && <p class="edit-effect">{magnets}</p>}
      <p class="actions">
        <Button tone="primary" onClick={() => keep(() => saver.keepMine())}>
          {isAtStart ? 'Keep my draft' : 'Keep my version'}
        </Button>
        <Button onClick={() => keep(() => saver.takeTheirs())}>
          {isAtStart ? 'Discard my draft' : 'Use the saved version'}
        </Button>
      </p>
    </section>
  )
}

/** Says that an unsaved draft was restored, or could not be. */
function DraftNotice({ model }: ModelProps): JSX.Element | null {
  const { draft, wasDamaged, isOutdated, isCopy } = model.opening
  const isClosed = useSignal(false)
  const close = (): void => {
    isClosed.value = true
  }
  if (isClosed.value) return null
  if (wasDamaged || isCopy) {
    return (
      <EditNotice
        title={wasDamaged ? 'Could not restore your draft' : 'This is a copy of your draft'}
        actions={<Button onClick={close}>Close</Button>}
      >
        {wasDamaged
          ? 'An unsaved draft in this browser was damaged and has been discarded.'
          : 'The original draft is open in another window. Changes here are saved as a separate draft.'}
      </EditNotice>
    )
  }
  if (draft === null || isOutdated) return null
  const discard = (): void => {
    close()
    model.discardDraft()
  }
  return (
    <EditNotice
      title="Draft restored"
      actions={
        <>
          <Button onClick={close}>Continue</Button>
          <Button tone="quiet" onClick={discard}>
            Discard draft
          </Button>
        </>
      }
    >
      Unsaved changes from {formatMoment(new Date(draft.changedAt).toISOString())}.
    </EditNotice>
  )
}

const kept = 'Your changes are kept in this browser.'

/** Why a save did not succeed, what is kept, and what one can do; null while there is nothing to say. */
function saveNotice(model: EditorModel): NoticeProps | null {
  const { saver } = model
  const { state } = saver
  const action = (text: string, onClick: () => unknown): JSX.Element => (
    <Button tone="primary" onClick={() => void onClick()}>
      {text}
    </Button>
  )
  const again = action('Try again', () => model.save())
  switch (state.phase) {
    case 'failed':
      return { title: 'Not saved', children: `${state.message} ${kept}`, actions: again }
    case 'refused': {
      const { id, text } = state.refusal.problem
      // What was refused at a place of the page is shown there.
      return id === null
        ? { title: 'Not saved', children: `${text} ${kept}`, actions: again }
        : null
    }
    case 'signed-out':
      return {
        title: 'Your session has ended',
        children: `${kept} Sign in to continue.`,
        actions: <SignInButton />,
      }
    case 'other-session':
      return {
        title: 'Reload the page to save',
        children: `You have signed in again since you opened this page. ${kept}`,
        actions: action('Reload', () => location.reload()),
      }
    case 'full':
      return {
        title: `You have reached the limit of ${MAX_PACKS} packs`,
        children: `Delete a pack to save this one. ${kept}`,
        actions: [again, <LinkButton href="/me">My packs</LinkButton>],
      }
    case 'deleted':
      return {
        title: 'This pack was deleted elsewhere',
        children: `It no longer exists on the site. ${kept}`,
        actions: action('Save as a new pack', () => saver.saveAsNew()),
      }
    default:
      return null
  }
}

type WaitProps = { readonly until: number; readonly saver: Saver }

function WaitNotice({ until, saver }: WaitProps): JSX.Element {
  const time = useSignal(now())
  useEffect(() => {
    const timer = setInterval(() => {
      time.value = now()
    }, 500)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.ceil((until - time.value) / 1000))
  return (
    <EditNotice
      title="Waiting to save"
      actions={<Button onClick={() => saver.stop()}>Cancel</Button>}
    >
      Too many saves this minute. Saving continues automatically in{' '}
      {/* Screen readers read it once, not each second. */}
      <span aria-live="off">{formatWait(seconds)}</span>. {kept}
    </EditNotice>
  )
}

type NoticeProps = {
  readonly title: string
  /** `danger` interrupts screen readers. */
  readonly tone?: 'plain' | 'danger'
  readonly children: ComponentChildren
  readonly actions?: ComponentChildren
}

function EditNotice({ title, tone = 'plain', children, actions }: NoticeProps): JSX.Element {
  return (
    <section class={`edit-notice ${tone}`} role={tone === 'danger' ? 'alert' : 'status'}>
      <div>
        <h2>{title}</h2>
        <p>{children}</p>
      </div>
      {actions && <p class="actions">{actions}</p>}
    </section>
  )
}
