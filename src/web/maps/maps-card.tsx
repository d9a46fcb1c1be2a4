import { useState } from 'preact/hooks'
import { pageData } from '../page-data.ts'
import { Button } from '../parts/buttons.tsx'
import { loadedPart } from '../parts/loaded-part.tsx'
import { useAction } from '../action.ts'
import type { SlotView } from '../pool/slots.ts'

const MapsDialog = loadedPart(async () => (await import('./maps-dialog.tsx')).MapsDialog)

type MapsProps = {
  readonly name: string
  readonly slots: readonly SlotView[]
  /** While beatmaps are looked up. */
  readonly isBusy: boolean
}

/** How the maps of a pool get into the game. */
export function MapsCard({ name, slots, isBusy }: MapsProps) {
  const { mirrors } = pageData()
  const [isOpen, setOpen] = useState(false)
  const opening = useAction()
  return (
    <section class="side-card" aria-labelledby="maps-title">
      <h2 id="maps-title">Maps</h2>
      <p class="side-note">
        {mirrors === undefined
          ? 'Get each map from its page on the game’s site, or open it in the game: the game loads what it lacks.'
          : 'All maps of the pool as one file, put together by your browser; or open them in the game.'}
      </p>
      <p class="actions needs-script">
        {mirrors !== undefined && (
          <Button
            tone="primary"
            icon="download"
            label="Get the maps"
            onClick={() => setOpen(true)}
          />
        )}
        <Button
          icon="play"
          label="Open all"
          title="Open all maps in the game, one after the other"
          busy={opening.isBusy}
          onClick={() => opening.run(() => openAll(slots))}
        />
      </p>
      {isOpen && mirrors !== undefined && (
        <MapsDialog
          name={name}
          slots={slots}
          isBusy={isBusy}
          mirrors={mirrors}
          onClose={() => setOpen(false)}
        />
      )}
    </section>
  )
}

/** The game misses what comes while it still opens another. */
const BETWEEN_MS = 1_000

/** Hands each set to the game, which asks once whether the site may. */
async function openAll(slots: readonly SlotView[]): Promise<void> {
  const sets = slots.flatMap(({ beatmap }) =>
    beatmap.state === 'known' ? beatmap.details.setId : [],
  )
  for (const set of new Set(sets)) {
    location.assign(`osu://s/${set}`)
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS))
  }
}
