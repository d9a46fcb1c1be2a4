import { useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { MAX_PACKS } from '../../contract/bounds.ts'
import { now } from '../browser-clock.ts'
import { formatMoment, formatWait } from '../format.ts'
import { Button, LinkButton } from '../parts/button.tsx'
import { SignInButton } from '../parts/sign-in-button.tsx'
import { DraftList } from './draft/draft-list.tsx'
import type { EditorModel } from './model.ts'
import { ConflictView } from './save/conflict-view.tsx'
import type { Saver } from './save/saver.ts'

type ModelProps = { readonly model: EditorModel }
type Props = ModelProps & { readonly nameOf: (beatmapId: number) => string }

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

/** Says that what was left unsaved is here again, or that it could not be read. */
function DraftNotice({ model }: ModelProps): JSX.Element | null {
  const { draftedAt, wasDamaged, isOutdated, isCopy } = model.opening
  const isClosed = useSignal(false)
  const close = (): void => {
    isClosed.value = true
  }
  if (isClosed.value) return null
  if (wasDamaged) {
    return (
      <EditNotice
        title="Could not restore your draft"
        actions={<Button onClick={close}>Close</Button>}
      >
        An unsaved draft in this browser was damaged and has been discarded.
      </EditNotice>
    )
  }
  if (isCopy) {
    return (
      <EditNotice
        title="This is a copy of your draft"
        actions={<Button onClick={close}>Close</Button>}
      >
        The original draft is open in another window. Changes here are saved as a separate draft.
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
      return (
        <EditNotice title="Not saved" tone="danger" actions={again}>
          {state.message} {kept}
        </EditNotice>
      )
    case 'refused':
      return state.refusal.problem.spot.kind === 'nowhere' ? (
        <EditNotice title="Not saved" tone="danger" actions={again}>
          {state.refusal.problem.text} {kept}
        </EditNotice>
      ) : null
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
