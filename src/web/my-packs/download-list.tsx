import * as words from '#texts/common'
import type { Pack } from '../../contract/packs.ts'
import type { Format } from '../../formats/format.ts'
import type { Sheet } from '../../formats/sheet.ts'
import { useBeatmaps } from '../pool/beatmaps.ts'
import { fileStem } from '../../pool/text.ts'
import { detailsBySlot, DownloadList } from '../pool/downloads.tsx'
import { slotViews, usesOf } from '../pool/slots.ts'

const nothing: [] = []

/** The packs as one file, in every format. */
export function PackDownloads({ packs }: { readonly packs: readonly Pack[] }) {
  const { lookUp } = useBeatmaps(nothing)
  const [only] = packs.length === 1 ? packs : []

  const sheet = async ({ needs }: Format): Promise<Sheet> => {
    const views = needs === 'nothing' ? new Map() : await lookUp(packs.flatMap(usesOf))
    const names = distinctNames(packs.map(({ name }) => name))
    const rounds = packs.map((pack, at) => {
      const pool = { name: pack.name, buckets: pack.buckets ?? null, slots: pack.slots }
      const details = detailsBySlot(pool, slotViews(pool, views))
      return { name: names[at]!, pool, details, saved: pack }
    })
    return { rounds }
  }
  const stem = only === undefined ? words.packCount({ n: packs.length }) : fileStem(only.name)
  return <DownloadList kind="packs" stem={stem} sheet={sheet} />
}

/** The names, with numbers where two are the same, ignoring case: `Cup`, `Cup (2)`. */
export function distinctNames(names: readonly string[]): string[] {
  const used = new Set<string>()
  return names.map((name) => {
    let distinct = name
    for (let number = 2; used.has(distinct.toLowerCase()); number += 1) {
      distinct = `${name} (${number})`
    }
    used.add(distinct.toLowerCase())
    return distinct
  })
}
