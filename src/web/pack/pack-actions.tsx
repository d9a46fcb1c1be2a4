import type { JSX } from 'preact'
import type { SitePack } from '../../contract/packs.ts'
import { useAction, useAskedAction } from '../action.ts'
import { call } from '../api.ts'
import { pageData } from '../page-data.ts'
import { Button, LinkButton } from '../parts/buttons.tsx'
import { CopyButton } from '../parts/copying.tsx'
import { DeletePackDialog } from '../parts/delete-pack-dialog.tsx'
import { FailureLine } from '../parts/notices.tsx'
import { ReasonDialog } from '../parts/reason-dialog.tsx'
import { announce } from '../parts/toasts.tsx'
import { copyOf, createPack } from './create-pack.ts'

type PackActionsProps = { readonly pack: SitePack }

/** What anybody, the signed in and the owner can do with a pack. */
export function PackActions({ pack }: PackActionsProps): JSX.Element {
  const { siteUrl, viewer } = pageData()
  return (
    <>
      <CopyButton
        text={`${siteUrl}/p/${pack.slug}`}
        what="pack link"
        label="Copy link"
        tone="primary"
      />
      {pack.isMine && (
        <LinkButton icon="edit" href={`/p/${pack.slug}/edit`}>
          Edit
        </LinkButton>
      )}
      {viewer !== null && <MakeCopy pack={pack} />}
      {pack.isMine && <DeletePack pack={pack} />}
    </>
  )
}

function MakeCopy({ pack }: PackActionsProps): JSX.Element {
  const { isBusy, error, run } = useAction()
  const copy = (): Promise<boolean> =>
    run(async () => {
      const { slug } = await createPack(copyOf(pack))
      location.assign(`/p/${slug}`)
    })
  return (
    <>
      <Button icon="plus" busy={isBusy} onClick={() => void copy()}>
        Make a copy
      </Button>
      <FailureLine error={error} />
    </>
  )
}

function DeletePack({ pack }: PackActionsProps): JSX.Element {
  const deletion = useAskedAction<SitePack>()
  const remove = (): Promise<boolean> =>
    deletion.run(async () => {
      await call('deletePack', { slug: pack.slug })
      location.assign('/me')
    })
  return (
    <>
      <Button tone="danger" icon="trash" onClick={() => deletion.ask(pack)}>
        Delete
      </Button>
      <DeletePackDialog deletion={deletion} onConfirm={() => void remove()} />
    </>
  )
}

type ModeratorActionsProps = {
  readonly pack: SitePack
  readonly onChange: (pack: SitePack) => void
}

/** Hide and unhide, pin and unpin. Nothing for private packs: they are no moderator's business (D-30). */
export const ModeratorActions = ({ pack, onChange }: ModeratorActionsProps): JSX.Element | null =>
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

function HideButton({ pack, onChange }: ModeratorActionsProps): JSX.Element {
  const action = useAskedAction<SitePack>()
  const isHidden = pack.hiddenAt !== undefined
  const change = (reason: string): Promise<boolean> =>
    action.run(async () => {
      const name = isHidden ? 'unhidePack' : 'hidePack'
      const { pack: now } = await call(name, { slug: pack.slug, body: { reason } })
      const { hiddenAt: _, hiddenReason: __, ...rest } = pack
      onChange({ ...rest, ...now })
      action.close()
      announce(isHidden ? 'Pack unhidden' : 'Pack hidden')
    })
  return (
    <>
      <Button icon="hidden" onClick={() => action.ask(pack)}>
        {isHidden ? 'Unhide' : 'Hide'} …
      </Button>
      <ReasonDialog
        verdict={isHidden ? 'unhide' : 'hide'}
        action={action}
        onReason={(reason) => void change(reason)}
      />
    </>
  )
}

function PinButton({ pack, onChange }: ModeratorActionsProps): JSX.Element {
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
