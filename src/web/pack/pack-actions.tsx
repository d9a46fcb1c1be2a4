import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { SitePack } from '../../contract/packs.ts'
import { call } from '../api.ts'
import { createPack } from '../create-pack.ts'
import { pageData } from '../page-data.ts'
import { Button, LinkButton } from '../parts/button.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { DeletePackDialog } from '../parts/delete-pack-dialog.tsx'
import { FailureLine } from '../parts/failure-line.tsx'
import { useAction } from '../use-action.ts'
import { copyOf } from './copy-pack.ts'

type Props = { readonly pack: SitePack }

/** What anybody, the signed in and the owner can do with a pack. */
export const PackActions = ({ pack }: Props): JSX.Element => {
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

const MakeCopy = ({ pack }: Props): JSX.Element => {
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

const DeletePack = ({ pack }: Props): JSX.Element => {
  const [isOpen, setOpen] = useState(false)
  const { isBusy, error, run, clear } = useAction()
  const remove = (): Promise<boolean> =>
    run(async () => {
      await call('deletePack', { slug: pack.slug })
      location.assign('/me')
    })
  return (
    <>
      <Button
        tone="danger"
        icon="trash"
        onClick={() => {
          clear()
          setOpen(true)
        }}
      >
        Delete
      </Button>
      <DeletePackDialog
        pack={isOpen ? pack : null}
        isBusy={isBusy}
        error={error}
        onConfirm={() => void remove()}
        onCancel={() => setOpen(false)}
      />
    </>
  )
}
