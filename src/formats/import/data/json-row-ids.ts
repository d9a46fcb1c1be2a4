import type { Literal } from '../../json/parse-literal.ts'
import { say } from '../import-message.ts'
import type { Finding } from '../readings.ts'
import { areCounted } from '../tables/column-facts.ts'
import { codeOfBits, HD } from '../words/bucket-names.ts'
import { readWhole } from '../words/labels.ts'
import {
  idOf,
  isVagueId,
  LEAST_ID,
  type LiteralObject,
  names,
  plainName,
  wholeOf,
} from './json-fields.ts'
import { membersOf } from './json-inside.ts'
import { askWhether } from './json-slots.ts'

type Objects = ReadonlyMap<Finding, Literal>
type Row = { readonly finding: Finding; readonly value: Literal; readonly id: number | null }

/** Rows by where they are, as what is read of one may be made of it. */
type RowIds = ReadonlyMap<string, number>

/**
 * The numbers that rows of data have for themselves, and which are no beatmaps: they count all rows, or those of each round, or
 * some row has another field for its beatmap.
 *
 * @param objects what each slot was read of.
 * @returns null where no such number was taken for a beatmap.
 */
export function rowIdsIn(objects: Objects): RowIds | null {
  const rows = [...objects].map(([finding, value]): Row => ({
    finding,
    value,
    id: numberOf(finding, value),
  }))
  const numbered = rows.flatMap(({ id, ...row }) => (id === null ? [] : [{ ...row, id }]))
  const ids = numbered.map(({ id }) => id)
  const isInOrder = ids.every((id, at) => id < LEAST_ID || id === ids[0]! + at)
  const areRows = areCounted(ids) || (isInOrder && rows.some(hasBeatmapBeside))
  if (!areRows || !numbered.some(isTaken)) return null
  return new Map(numbered.map(({ value, id }) => [placeOf(value), id]))
}

const placeOf = ({ start, end }: Literal): string => `${start} ${end}`

/** `id` of an object, the key of `"1": "NM1"`, the number of `[1, "NM1"]`. */
function numberOf({ reading }: Finding, value: Literal): number | null {
  const [id] = membersOf(value).filter(({ name }) => isVagueId(name))
  if (value.kind === 'object' && id !== undefined) return wholeOf(id.value)
  const [number] =
    value.kind === 'list' ? value.items.map(wholeOf).filter((each) => each !== null) : []
  if (number !== undefined) return number
  const isPair = reading.kind === 'slot' && reading.rule === 'pair'
  return isPair && idOf(value) === null ? reading.beatmapId : null
}

function hasBeatmapBeside({ value, id }: Row): boolean {
  if (value.kind !== 'object' || id === null) return false
  return membersOf(value).some(({ name, value: each }) => {
    const mayBe = names.ids.includes(name) && !isVagueId(name)
    const other = mayBe ? idOf(each) : null
    return (
      typeof other === 'number' && other !== id && (id < LEAST_ID || !/^(?:link|url)$/.test(name))
    )
  })
}

const isTaken = ({ finding: { reading }, id }: Row): boolean =>
  reading.kind === 'slot' && reading.beatmapId === id

/** The same data with nothing in the place of those numbers. */
export function withoutRowIds(value: Literal, rows: RowIds): Literal {
  const own = rows.get(placeOf(value))
  const without = (part: Literal, mayBe = true): Literal =>
    mayBe && own !== undefined && wholeOf(part) === own
      ? { start: part.start, end: part.end, kind: 'word', value: 'null' }
      : withoutRowIds(part, rows)
  if (value.kind === 'list') return { ...value, items: value.items.map((item) => without(item)) }
  if (value.kind !== 'object') return value
  const members = value.members.map((member) => ({
    ...member,
    value: without(member.value, isVagueId(plainName(member.key))),
  }))
  const { start, end } = value
  return isKeyed(value, rows)
    ? { kind: 'list', items: members.map((member) => member.value), start, end }
    : { ...value, members }
}

/** Whether the keys of an object number what they hold. */
const isKeyed = ({ members }: LiteralObject, rows: RowIds): boolean =>
  areCounted(members.map(({ key }) => readWhole(key) ?? -1)) &&
  members.some(({ key, value }) => readWhole(key) === rows.get(placeOf(value)))

/** Asks about them, where without them nothing would be read of a row. */
export function askRowIds(findings: readonly Finding[], objects: Objects): Finding[] {
  return findings.map((finding) => {
    const value = objects.get(finding)
    const { reading } = finding
    if (value === undefined || reading.kind !== 'slot') return finding
    return numberOf(finding, value) === reading.beatmapId
      ? { ...finding, reading: askWhether(reading, say('isId', { field: 'id' })) }
      : finding
  })
}

/** Whether the mods of all beatmaps in data are numbers that are the game's bits, of which one at least counts no slot. */
export function haveBits(values: readonly Literal[]): boolean {
  const bits = modsIn(values).map(wholeOf)
  const areBits = bits.every((each) => each !== null && codeOfBits(each) !== null)
  return areBits && bits.some((each) => (each ?? 0) >= HD)
}

const modsIn = (values: readonly Literal[]): Literal[] =>
  values.flatMap((value) => {
    if (value.kind === 'list') return modsIn(value.items)
    if (value.kind !== 'object') return []
    const own =
      idOf(value) === null ? [] : value.members.filter(({ key }) => /^mods?$/.test(plainName(key)))
    return [...own.map((each) => each.value), ...modsIn(value.members.map((each) => each.value))]
  })
