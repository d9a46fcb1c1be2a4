import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { REASON_LENGTH } from '../../contract/bounds.ts'
import type { SitePack } from '../../contract/site-pack.ts'
import { announce } from '../announce.ts'
import { call } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { ConfirmDialog } from '../parts/dialog.tsx'
import { FailureLine } from '../parts/failure-line.tsx'
import { useAction } from '../use-action.ts'

type Props = { readonly pack: SitePack; readonly onChange: (pack: SitePack) => void }

/** Hide and unhide, pin and unpin. Nothing for private packs: they are no moderator's business (D-30). */
export const ModeratorActions = ({ pack, onChange }: Props): JSX.Element | null =>
  pack.visibility === 'private' ? null : (
    <section class="side-card" aria-labelledby="moderation-title">
      <h2 id="moderation-title">Moderation</h2>
      <p class="actions">
        <HideButton pack={pack} onChange={onChange} />
        {pack.visibility === 'public' && pack.hiddenAt === undefined && (
          <PinButton pack={pack} onChange={onChange} />
        )}
      </p>
    </section>
  )

const PinButton = ({ pack, onChange }: Props): JSX.Element => {
  const { isBusy, error, run } = useAction()
  const change = (): Promise<boolean> =>
    run(async () => {
      const name = pack.isPinned ? 'unpinPack' : 'pinPack'
      const { pack: now } = await call(name, { slug: pack.slug, body: {} })
      onChange({ ...pack, ...now })
      announce(now.isPinned ? 'Pinned' : 'Not pinned any more')
    })
  return (
    <>
      <Button icon="pin" busy={isBusy} onClick={() => void change()}>
        {pack.isPinned ? 'Unpin' : 'Pin'}
      </Button>
      <FailureLine error={error} />
    </>
  )
}

const HideButton = ({ pack, onChange }: Props): JSX.Element => {
  const [isOpen, setOpen] = useState(false)
  const [reason, setReason] = useState('')
  const { isBusy, error, run, clear } = useAction()
  const fieldId = useId()
  const isHidden = pack.hiddenAt !== undefined
  const verb = isHidden ? 'Unhide' : 'Hide'

  const open = (): void => {
    clear()
    setReason('')
    setOpen(true)
  }
  const change = async (): Promise<void> => {
    const isDone = await run(async () => {
      const name = isHidden ? 'unhidePack' : 'hidePack'
      const { pack: now } = await call(name, { slug: pack.slug, body: { reason } })
      const { hiddenAt: _, hiddenReason: __, ...rest } = pack
      onChange({ ...rest, ...now })
    })
    if (!isDone) return
    setOpen(false)
    announce(isHidden ? 'Everybody can see it again' : 'Hidden')
  }
  return (
    <>
      <Button icon="hidden" onClick={open}>
        {verb} …
      </Button>
      <ConfirmDialog
        title={`${verb} this pack?`}
        action={`${verb} the pack`}
        tone={isHidden ? 'primary' : 'danger'}
        isOpen={isOpen}
        busy={isBusy}
        disabled={reason.trim() === ''}
        onConfirm={() => void change()}
        onCancel={() => setOpen(false)}
      >
        <p>
          {isHidden
            ? 'Whoever could see it before sees it again.'
            : 'Only its owner and moderators will see it. A pin is lost.'}
        </p>
        <p class="dialog-field">
          <label for={fieldId}>Reason, for its owner and other moderators</label>
          <input
            id={fieldId}
            class="field"
            required
            autofocus
            maxLength={REASON_LENGTH}
            value={reason}
            onInput={({ currentTarget }) => setReason(currentTarget.value)}
          />
        </p>
        <FailureLine error={error} />
      </ConfirmDialog>
    </>
  )
}
