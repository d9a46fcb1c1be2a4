import type { JSX } from 'preact'
import type { Pool } from '../../pool/pool.ts'
import { createPack } from '../create-pack.ts'
import { pageData } from '../page-data.ts'
import { Button, LinkButton } from '../parts/button.tsx'
import { FailureLine } from '../parts/failure-line.tsx'
import { CallFailure } from '../site-failure.ts'
import { useAction } from '../use-action.ts'

/** Something in the pool is not allowed here: a key says more than a pack may. */
const isRefused = (error: unknown): error is CallFailure =>
  error instanceof CallFailure && error.code === 'bad_request'

/** Makes the pool a pack of the viewer's own; others are led to sign in, and back. */
export const SavePool = ({ pool }: { readonly pool: Pool }): JSX.Element => {
  const { isBusy, error, run } = useAction()
  if (pageData().viewer === null) {
    return (
      <LinkButton tone="primary" icon="user" href="/sign-in?return=%2Fk">
        Sign in to save
      </LinkButton>
    )
  }
  const save = (): Promise<boolean> =>
    run(async () => {
      const { name, buckets, slots } = pool
      const { slug } = await createPack({
        name,
        visibility: 'unlisted',
        slots: [...slots],
        ...(buckets && { buckets: [...buckets] }),
      })
      location.assign(`/p/${slug}`)
    })
  return (
    <>
      <Button tone="primary" icon="plus" busy={isBusy} onClick={() => void save()}>
        Save as my pack
      </Button>
      {isRefused(error) ? (
        <p class="failure-line" role="alert">
          {error.message} Copy the key, paste it into a new pack and fix it there.
        </p>
      ) : (
        <FailureLine error={error} />
      )}
    </>
  )
}
