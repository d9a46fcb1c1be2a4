import type { Literal } from '../../json/parse-literal.ts'
import {
  codeOf,
  isNothing,
  labelOf,
  type NamedMember,
  names,
  plainName,
  words,
} from './json-fields.ts'
import type { BucketCodes } from '../words/labels.ts'
import type { RoundStart } from '../readings.ts'
import { isRoundName, roundOfCell } from '../lines/round-names.ts'

/** Keys of which each value is a pool of its own, whatever it is. */
const ofPools = new Set(words('mappool bracket'))
/** Keys that may hold the short name of a round, or one of the beatmap. */
const ofShort = new Set(words('abbreviation abbr'))
/** Their texts are labels, mods and beatmaps, also where they look like rounds; groups are none of mods alone. */
const ofOthers = new Set([
  ...[...names.labels, ...names.mods, ...names.ids].filter(
    (name) => !['name', 'category', 'group', 'type'].includes(name),
  ),
  ...words('version difficulty artist mapper creator'),
])
const shortRound = /^(?:ro[0-9]+|r[0-9]+|[qsg]?f|q|[uwl]b ?(?:r[0-9]+|[qsg]?f))$/i
const poolName = /^(?:(?:map ?)?pool [a-z0-9]{1,2}|(?:upper|lower|winners?|losers?)(?: bracket)?)$/i

const namesRound = (text: string): boolean =>
  isRoundName(text) || shortRound.test(text) || poolName.test(text)

/** The key by whose values the objects of a list are of rounds, a usual one or any other; null for none. */
export function roundKeyOf(items: readonly Literal[], codes: BucketCodes): string | null {
  const values = new Map<string, Literal[]>()
  for (const item of items) {
    if (item.kind !== 'object') continue
    for (const { key, value } of item.members) {
      if (isNothing(value)) continue
      const own = values.get(key)
      if (own === undefined) values.set(key, [value])
      else own.push(value)
    }
  }
  const keys = [...values].flatMap(([key, all]) => {
    const texts = all.flatMap((value) =>
      value.kind === 'text' || value.kind === 'number' ? String(value.value).trim() : [],
    )
    const distinct = new Set(texts)
    return texts.length === all.length ? [{ key, texts, distinct }] : []
  })
  const [usual] = names.roundsOfRows.flatMap((name) =>
    keys.filter(({ key, texts }) => plainName(key) === name && texts.length > 1),
  )
  if (usual !== undefined) return usual.key
  const found = keys.find(({ key, texts, distinct }) => {
    const name = plainName(key)
    if (ofOthers.has(name) || distinct.size < 2) return false
    const all = [...distinct]
    if (all.every((text) => (name === 'name' ? isRoundName(text) : namesRound(text)))) return true
    const mayBe = ofPools.has(name) || (ofShort.has(name) && distinct.size < texts.length)
    const isOfSlot = (text: string): boolean =>
      codeOf(text, codes) !== null || labelOf(text, codes) !== null
    return mayBe && !all.some(isOfSlot)
  })
  return found?.key ?? null
}

/** What a field is called in an object of a list of which is known which keys have the labels and the rounds. */
export function nameOfField(key: string, labels: string | null, rounds: string | null): string {
  if (key === labels) return 'slot'
  if (key === rounds) return 'round'
  const name = plainName(key)
  // The same of all.
  return rounds !== null && names.roundsOfRows.includes(name) ? '' : name
}

/** The rounds that fields of beatmaps name; the same name within another round, or another tournament, is another one. */
export class RowRounds {
  readonly #known = new Map<string, { round: RoundStart; within: RoundStart | null }>()

  of({ key, value }: NamedMember, within: RoundStart | null): RoundStart | null {
    const text =
      value.kind === 'number' ? `${key} ${value.value}` : value.kind === 'text' ? value.value : ''
    if (text.trim() === '') return null
    return this.#named(text, within) ?? this.#named(`${within?.name ?? ''} ${text}`, within)
  }

  #named(text: string, within: RoundStart | null): RoundStart | null {
    const known = this.#known.get(text)
    if (known !== undefined) return known.within === within ? known.round : null
    const round = roundOfCell(text)
    if (round !== null) this.#known.set(text, { round, within })
    return round
  }
}
