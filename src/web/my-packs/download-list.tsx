import type { Pack } from '../../contract/packs.ts'
import { distinctNames, packFormats, type PacksSheet } from '../../formats/packs.ts'
import { count, now } from '../format.ts'
import { useBeatmaps } from '../pool/beatmaps.ts'
import { detailsBySlot, DownloadRow, fileStem } from '../pool/downloads.tsx'
import { slotViews, usesOf } from '../pool/slots.ts'

const nothing: [] = []

/** The packs as one file, in each format that holds several. */
export function DownloadList({ packs }: { readonly packs: readonly Pack[] }) {
  const { lookUp } = useBeatmaps(nothing)
  const [only] = packs.length === 1 ? packs : []
  const stem = only === undefined ? `${packs.length} packs` : fileStem(only.name)

  const sheet = async (needsDetails: boolean): Promise<PacksSheet> => {
    const views = needsDetails ? await lookUp(packs.flatMap(usesOf)) : new Map()
    const names = distinctNames(packs.map(({ name }) => name))
    const pools = packs.map((pack, at) => {
      const pool = { name: names[at]!, buckets: pack.buckets ?? null, slots: pack.slots }
      return { name: pool.name, pool, details: detailsBySlot(pool, slotViews(pool, views)) }
    })
    return { packs, pools }
  }
  return (
    <ul class="side-list" role="list">
      {packFormats.map((format) => (
        <li key={format.label}>
          <DownloadRow
            name={format.label}
            about={format.about}
            isFileOnly={!format.isText}
            fileName={stem + format.ending}
            write={async () => {
              const { content, incomplete } = await format.write(
                await sheet(format.needsDetails),
                now(),
              )
              return { content, note: incomplete === 0 ? '' : noteOf(incomplete, format) }
            }}
          />
        </li>
      ))}
    </ul>
  )
}

const noteOf = (incomplete: number, { isText }: { readonly isText: boolean }): string =>
  `${count(incomplete, 'slot')} ${isText ? 'written by id alone' : 'left out'}: beatmap details are not available yet. Try again in a moment.`
