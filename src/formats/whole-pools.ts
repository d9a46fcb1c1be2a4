import { encodePackKey } from '../pool/pack-key/pack-key.ts'
import type { Pool } from '../pool/pool.ts'
import { fitName } from './draft-builder.ts'
import { type Sheet, wholeName } from './sheet.ts'

/**
 * Pools as JSON: saved packs and rounds as the API returns them, other pools as it takes them. `{ "packs": […] }`,
 * `{ "rounds": […] }`; of one pack alone `{ "pack": … }`, or the content of a pack that is not saved.
 */
export function writePoolsJson({ kind = 'rounds', name = '', rounds }: Sheet): string {
  const all = rounds.map(({ saved, pool }) => saved ?? inputOf(pool))
  const content =
    kind !== 'pack'
      ? { [kind]: all }
      : rounds[0]?.saved
        ? { pack: all[0] }
        : (all[0] ?? { name, slots: [] })
  return `${JSON.stringify(content, null, 2)}\n`
}

function inputOf({ name, slots, buckets }: Pool) {
  return { name, slots, ...(buckets !== null && { buckets }) }
}

/** The pack key of each pool, one a line. */
export function writeKeys(sheet: Sheet): string {
  const keys = sheet.rounds.map((round) => {
    const { pool, saved } = round
    if (saved !== undefined && 'packKey' in saved) return saved.packKey
    return encodePackKey({ ...pool, name: fitName(wholeName(sheet, round), 'Pool') })
  })
  return keys.map((key) => `${key}\n`).join('')
}
