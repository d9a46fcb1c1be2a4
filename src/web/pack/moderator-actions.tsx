import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { SitePack } from '../../contract/packs.ts'
import { announce } from '../announce.ts'
import { call } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { FailureLine } from '../parts/failure-line.tsx'
import { ReasonDialog } from '../parts/reason-dialog.tsx'
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
      announce(now.isPinned ? 'Pinned' : 'Unpinned')
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
  const { isBusy, error, run, clear } = useAction()
  const isHidden = pack.hiddenAt !== undefined

  const open = (): void => {
    clear()
    setOpen(true)
  }
  const change = async (reason: string): Promise<void> => {
    const isDone = await run(async () => {
      const name = isHidden ? 'unhidePack' : 'hidePack'
      const { pack: now } = await call(name, { slug: pack.slug, body: { reason } })
      const { hiddenAt: _, hiddenReason: __, ...rest } = pack
      onChange({ ...rest, ...now })
    })
    if (!isDone) return
    setOpen(false)
    announce(isHidden ? 'Pack unhidden' : 'Pack hidden')
  }
  return (
    <>
      <Button icon="hidden" onClick={open}>
        {isHidden ? 'Unhide' : 'Hide'} …
      </Button>
      <ReasonDialog
        pack={isOpen ? pack : null}
        verdict={isHidden ? 'unhide' : 'hide'}
        isBusy={isBusy}
        error={error}
        onReason={(reason) => void change(reason)}
        onCancel={() => setOpen(false)}
      />
    </>
  )
}
