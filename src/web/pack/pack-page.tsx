import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { SitePack } from '../../contract/packs.ts'
import { pageData } from '../page-data.ts'
import { detailsOf } from '../pool/details-of.ts'
import { Downloads } from '../pool/downloads.tsx'
import { Glance } from '../pool/glance.tsx'
import { PackKeyCard } from '../pool/pack-key-card.tsx'
import { glanceOf, glanceOfStats } from '../pool/pool-glance.ts'
import { PoolView } from '../pool/pool-view.tsx'
import { SIDE_ID, SideJump } from '../pool/side-jump.tsx'
import { slotViews, usesOf } from '../pool/slot-view.ts'
import { useBeatmaps } from '../pool/use-beatmaps.ts'
import { LinksCard } from './links-card.tsx'
import { Magnets } from './magnets.tsx'
import { ModeratorActions } from './moderator-actions.tsx'
import { PackActions } from './pack-actions.tsx'
import { PackHeader } from './pack-header.tsx'
import { usePack } from './use-pack.ts'
import '../style/pack-page.css'
import '../style/side-card.css'

/** A pack: readable at once, its beatmaps filling in. */
export const PackPage = ({ first }: { readonly first: SitePack }): JSX.Element => {
  const [pack, setPack, isWaiting] = usePack(first)
  const uses = useMemo(() => usesOf(pack), [pack])
  const beatmaps = useBeatmaps(uses, pack.slug)
  const slots = useMemo(() => slotViews(pack, beatmaps.views), [pack, beatmaps.views])
  const { stats } = pack
  const source = {
    pool: { name: pack.name, buckets: pack.buckets ?? null, slots: pack.slots },
    packKey: pack.packKey,
    slots,
    details: detailsOf(slots),
  }
  const glance = stats === undefined ? glanceOf(slots) : glanceOfStats(stats)
  return (
    <main id="main" class="pack-page">
      <PackHeader pack={pack}>
        <PackActions pack={pack} />
        <SideJump />
      </PackHeader>
      <Glance glance={glance} isBusy={isWaiting || beatmaps.phase === 'asking'} />
      <div class="pack-columns">
        <PoolView slots={slots} beatmaps={beatmaps} expected={glance.stars ?? []} />
        <div id={SIDE_ID} class="pack-side" tabIndex={-1}>
          <PackKeyCard packKey={pack.packKey} />
          <Downloads source={source} isBusy={beatmaps.phase === 'asking'} />
          <LinksCard pack={pack} />
          <Magnets pack={pack} onChange={setPack} />
          {pageData().viewer?.isModerator && <ModeratorActions pack={pack} onChange={setPack} />}
        </div>
      </div>
    </main>
  )
}
