import * as words from '#texts/common'
import * as texts from '#texts/pool-page'
import { useState } from 'preact/hooks'
import type { RoundOfPack } from '../../contract/page-data.ts'
import type { RoundSlot } from '../../contract/rounds.ts'
import { useAction } from '../action.ts'
import { pageData } from '../page-data.ts'
import { Button, OutsideLink } from '../parts/buttons.tsx'
import { loadedPart } from '../parts/loaded-part.tsx'
import type { SlotView } from '../pool/slots.ts'
import { Sentences } from '../parts/sentences.tsx'

const loadMaps = () => import('./maps-dialog.tsx')
const MapsDialog = loadedPart(async () => (await loadMaps()).MapsDialog)

type MapsCardProps = {
  readonly name: string
  readonly slots: readonly SlotView[]
  /** While beatmaps are looked up. */
  readonly isBusy: boolean
  /** The round that the pool was released for. */
  readonly round?: RoundOfPack | undefined
}

/** How the beatmaps of a pool get into the game. */
export function MapsCard({ name, slots, isBusy, round }: MapsCardProps) {
  const { mirrors } = pageData()
  const { mapPackUrl, planned = [], linked = [] } = round ?? {}
  const opening = useAction()
  return (
    <section class="side-card" aria-labelledby="maps-title">
      <h2 id="maps-title">{words.maps}</h2>
      <p class="side-note">
        <Sentences
          of={[
            mapPackUrl !== undefined
              ? texts.mapsFromHosts
              : mirrors === undefined
                ? texts.mapsFromPlatform
                : texts.mapsFromMirror,
            <a href="/docs/into-the-game">{texts.mapsIntoGame}</a>,
          ]}
        />
      </p>
      {mapPackUrl !== undefined && (
        <p class="actions">
          <OutsideLink class="button primary" href={mapPackUrl} label={texts.downloadMapPack} />
        </p>
      )}
      <p class="actions needs-script">
        <GetMaps
          name={name}
          slots={slots}
          isBusy={isBusy}
          round={[...planned, ...linked]}
          tone={mapPackUrl === undefined ? 'primary' : 'plain'}
        />
        <Button
          icon="play"
          label={texts.openAll}
          title={texts.openAllMeans}
          busy={opening.isBusy}
          onClick={() => opening.run(async () => (await loadMaps()).openSets(slots, isBusy))}
        />
      </p>
    </section>
  )
}

type GetMapsProps = Pick<MapsCardProps, 'name' | 'slots' | 'isBusy'> & {
  /** The slots of the round, which may have links to their beatmaps. */
  readonly round: readonly RoundSlot[]
  /** What the beatmaps are of, where a page has several such buttons. */
  readonly of?: string
  readonly tone?: 'plain' | 'primary'
}

/** The button that opens the dialog; nothing where no mirror is configured. */
export function GetMaps({ of, tone, ...maps }: GetMapsProps) {
  const { mirrors } = pageData()
  const [isOpen, setOpen] = useState(false)
  if (mirrors === undefined) return null
  return (
    <>
      <Button
        tone={tone}
        icon="download"
        label={texts.getMaps}
        aria-label={of && texts.getMapsOf({ name: of })}
        onClick={() => setOpen(true)}
      />
      {isOpen && <MapsDialog {...maps} mirrors={mirrors} onClose={() => setOpen(false)} />}
    </>
  )
}
