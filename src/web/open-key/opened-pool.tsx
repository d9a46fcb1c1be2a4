import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Pool } from '../../pool/pool.ts'
import { LinkButton } from '../parts/button.tsx'
import { Notice } from '../parts/notice.tsx'
import { detailsOf } from '../pool/details-of.ts'
import { Downloads } from '../pool/downloads.tsx'
import { Glance } from '../pool/glance.tsx'
import { PackKeyCard } from '../pool/pack-key-card.tsx'
import { glanceOf } from '../pool/pool-glance.ts'
import { PoolView } from '../pool/pool-view.tsx'
import { SIDE_ID, SideJump } from '../pool/side-jump.tsx'
import { slotViews, usesOf } from '../pool/slot-view.ts'
import { useBeatmaps } from '../pool/use-beatmaps.ts'
import { SavePool } from './save-pool.tsx'
import { PersonText } from '../parts/person-text.tsx'

type Props = { readonly pool: Pool; readonly packKey: string }

/** The pool of a key: a pack that nobody owns. */
export const OpenedPool = ({ pool, packKey }: Props): JSX.Element => (
  <>
    <header class="pack-header">
      <h1>
        <PersonText text={pool.name} />
      </h1>
      <p class="pack-facts">
        Opened from a pack key. It was decoded in your browser; only beatmap ids were sent, to look
        up titles.
      </p>
      <div class="actions">
        {pool.slots.length > 0 && <SavePool pool={pool} />}
        <LinkButton icon="key" href="/k">
          Open another key
        </LinkButton>
        {pool.slots.length > 0 && <SideJump />}
      </div>
    </header>
    {pool.slots.length === 0 ? (
      <EmptyDraft packKey={packKey} />
    ) : (
      <Filled pool={pool} packKey={packKey} />
    )}
  </>
)

const EmptyDraft = ({ packKey }: Pick<Props, 'packKey'>): JSX.Element => (
  <>
    <Notice
      title="This draft has no beatmaps"
      actions={
        <LinkButton tone="primary" icon="edit" href="/new">
          New pack
        </LinkButton>
      }
    >
      It has a name and buckets but no beatmaps yet. To continue it, copy the key and paste it into
      a new pack.
    </Notice>
    <div class="draft-key">
      <PackKeyCard packKey={packKey} />
    </div>
  </>
)

const Filled = ({ pool, packKey }: Props): JSX.Element => {
  const uses = useMemo(() => usesOf(pool), [pool])
  const beatmaps = useBeatmaps(uses)
  const slots = useMemo(() => slotViews(pool, beatmaps.views), [pool, beatmaps.views])
  const isBusy = beatmaps.phase === 'asking'
  return (
    <>
      <Glance glance={glanceOf(slots)} isBusy={isBusy} />
      <div class="pack-columns">
        <PoolView slots={slots} beatmaps={beatmaps} />
        <div id={SIDE_ID} class="pack-side" tabIndex={-1}>
          <PackKeyCard packKey={packKey} />
          <Downloads source={{ pool, packKey, slots, details: detailsOf(slots) }} isBusy={isBusy} />
        </div>
      </div>
    </>
  )
}
