import type { Pack } from '../../contract/packs.ts'
import type { Bucket } from '../../contract/pools.ts'
import type { PackToSave } from './pack-input.ts'
import { poolOf } from './pool-of.ts'

/** What of a pack its owner decides. */
export const contentOf = (pack: Pack): PackToSave => ({
  ...poolOf(pack),
  visibility: pack.visibility,
  ...(pack.description !== undefined && { description: pack.description }),
})

const inLines = (values: readonly unknown[]): string =>
  `[\n${values.map((value) => `    ${spaced(value)}`).join(',\n')}\n  ]`

/** JSON on one line, as people write it. */
const spaced = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).map(([name, of]) => `${JSON.stringify(name)}: ${spaced(of)}`)
  return `{ ${fields.join(', ')} }`
}

/** A pack as the JSON that the API takes, a line for each slot and each bucket. */
export const packJson = ({ name, visibility, description, slots, buckets }: PackToSave): string => {
  const fields: [string, string][] = [
    ['name', JSON.stringify(name)],
    ['visibility', JSON.stringify(visibility)],
    ...(description === undefined
      ? []
      : ([['description', JSON.stringify(description)]] as [string, string][])),
    ['slots', inLines(slots)],
    ...(buckets === null
      ? []
      : ([['buckets', inLines(buckets satisfies readonly Bucket[])]] as [string, string][])),
  ]
  return `{\n${fields.map(([field, value]) => `  "${field}": ${value}`).join(',\n')}\n}\n`
}
