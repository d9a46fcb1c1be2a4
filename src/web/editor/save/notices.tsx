import { useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { MAX_PACKS } from '../../../contract/bounds.ts'
import { formatMoment, formatWait, now } from '../../format.ts'
import { Button, LinkButton, SignInButton } from '../../parts/buttons.tsx'
import { DraftList } from '../draft/drafts.tsx'
import { differences, editOf } from '../edit.ts'
import type { EditorModel } from '../model.ts'
import { focusLater, focusNow } from '../spots.ts'
import { type Saver, type SaveState, sideEffects } from './saver.ts'

type ModelProps = { readonly model: EditorModel }
type Props = ModelProps & {
  /** What is known of a beatmap, to call it by its title. */
  readonly nameOf: (beatmapId: number) => string
}

/** Everything that is to be said about the whole edit, the most urgent first. */
export function EditNotices({ model, nameOf }: Props): JSX.Element {
  const { saver, draft } = model
  const { state, saved } = saver
  const { magnets, pin } = model.effects.value
  return (
    <div class="edit-notices">
      {state.phase === 'conflict' && <ConflictView model={model} state={state} nameOf={nameOf} />}
      <SaveNotice model={model} />
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

type ConflictProps = Props & {
  readonly state: SaveState & { readonly phase: 'conflict' }
}

/** The pack was saved elsewhere meanwhile: shows how both differ, and asks which one counts. */
function ConflictView({ model, state, nameOf }: ConflictProps): JSX.Element {
  const { saver, store, packKey } = model
  const { theirs, isAtStart } = state
  const found = differences(store.edit, editOf(theirs))
  // What keeping mine would do beside saving.
  const { magnets } = sideEffects(theirs, store.edit, packKey.value)
  useEffect(() => void focusNow('conflict-title'), [])
  const keepMine = (): void => {
    void saver.keepMine()
    focusLater('edit-slots')
  }
  const takeTheirs = (): void => {
    saver.takeTheirs()
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
          {found.map(({ what, beatmapId, mine, theirs: other }) => (
            <tr key={`${what} ${beatmapId} ${mine} ${other}`}>
              <th scope="row">{beatmapId === undefined ? what : nameOf(beatmapId)}</th>
              <td dir="auto">{mine ?? <Nothing isSlot={beatmapId !== undefined} />}</td>
              <td dir="auto">{other ?? <Nothing isSlot={beatmapId !== undefined} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {magnets !== null && <p class="edit-effect">{magnets}</p>}
      <p class="actions">
        <Button tone="primary" onClick={keepMine}>
          {isAtStart ? 'Keep my draft' : 'Keep my version'}
        </Button>
        <Button onClick={takeTheirs}>
          {isAtStart ? 'Discard my draft' : 'Use the saved version'}
        </Button>
      </p>
    </section>
  )
}

function Nothing({ isSlot }: { readonly isSlot: boolean }): JSX.Element {
  return <span class="quiet-text">{isSlot ? 'not included' : 'none'}</span>
}

/** Says that what was left unsaved is here again, or that it could not be read. */
function DraftNotice({ model }: ModelProps): JSX.Element | null {
  const { draftedAt, wasDamaged, isOutdated, isCopy } = model.opening
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
  if (draftedAt === null || isOutdated) return null
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
      Unsaved changes from {formatMoment(new Date(draftedAt).toISOString())}.
    </EditNotice>
  )
}

const kept = 'Your changes are kept in this browser.'

/** What keeps a save from going through, what is kept, and what one can do. */
function SaveNotice({ model }: ModelProps): JSX.Element | null {
  const { saver } = model
  const { state } = saver
  const again = (
    <Button tone="primary" onClick={() => model.save()}>
      Try again
    </Button>
  )
  switch (state.phase) {
    case 'failed':
    case 'refused': {
      // What was refused at a place of the page is told there.
      if (state.phase === 'refused' && state.refusal.problem.spot.kind !== 'nowhere') return null
      return (
        <EditNotice title="Not saved" tone="danger" actions={again}>
          {state.phase === 'failed' ? state.message : state.refusal.problem.text} {kept}
        </EditNotice>
      )
    }
    case 'waiting':
      return <WaitNotice until={state.until} saver={saver} />
    case 'signed-out':
      return (
        <EditNotice title="Your session has ended" tone="danger" actions={<SignInButton />}>
          {kept} Sign in to continue.
        </EditNotice>
      )
    case 'other-session':
      return (
        <EditNotice
          title="Reload the page to save"
          tone="danger"
          actions={
            <Button tone="primary" onClick={() => location.reload()}>
              Reload
            </Button>
          }
        >
          You have signed in again since you opened this page. {kept}
        </EditNotice>
      )
    case 'full':
      return (
        <EditNotice
          title={`You have reached the limit of ${MAX_PACKS} packs`}
          tone="danger"
          actions={
            <>
              {again}
              <LinkButton href="/me">My packs</LinkButton>
            </>
          }
        >
          Delete a pack to save this one. {kept}
        </EditNotice>
      )
    case 'deleted':
      return (
        <EditNotice
          title="This pack was deleted elsewhere"
          tone="danger"
          actions={
            <Button tone="primary" onClick={() => void saver.saveAsNew()}>
              Save as a new pack
            </Button>
          }
        >
          It no longer exists on the site. {kept}
        </EditNotice>
      )
    default:
      return null
  }
}

type WaitProps = { readonly until: number; readonly saver: Saver }

function WaitNotice({ until, saver }: WaitProps): JSX.Element {
  const secondsNow = (): number => Math.max(0, Math.ceil((until - now()) / 1000))
  const seconds = useSignal(secondsNow())
  useEffect(() => {
    const tick = (): void => {
      seconds.value = secondsNow()
    }
    tick()
    const timer = setInterval(tick, 500)
    return () => clearInterval(timer)
  }, [until])
  return (
    <EditNotice
      title="Waiting to save"
      actions={<Button onClick={() => saver.stop()}>Cancel</Button>}
    >
      Too many saves this minute. Saving continues automatically in{' '}
      {/* Screen readers hear it once, not each second. */}
      <span aria-live="off">{formatWait(seconds.value)}</span>. {kept}
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

/** Something about the whole edit, in between the rest. */
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
