import { isCode } from '../../../pool/slots.ts'
import type { Literal, Member } from '../../json/parse-literal.ts'
import {
  codeOf,
  idMember,
  idOf,
  isNumberedLabel,
  isOther,
  labelOf,
  type LiteralObject,
  type ModFacts,
  modsText,
  type NamedMember,
  names,
  plainName,
  textIn,
  textOf,
} from './json-fields.ts'
import { holdsSlots, isIdPair } from './json-kinds.ts'
import {
  ofFacts,
  planFor,
  readPairList,
  readPairOf,
  surePlanOf,
  textsIn,
  withNames,
} from './json-plans.ts'
import type { TableReading } from './json-lists.ts'
import { hasPairs } from './json-slots.ts'
import { isName, marksIn, namingKey, orderOf, roundKeyOf } from './json-rounds.ts'
import { type BucketCodes, isKnown, modsOfCode } from '../words/labels.ts'
import { groupedBy } from '../tables/column-facts.ts'
import { slotReading } from '../readings.ts'
import { isRoundName } from '../lines/round-names.ts'
import { say } from '../import-message.ts'

/** The slots of an object with their labels in one list and their beatmaps, in the same order, in another. */
export function readListsBeside(
  members: readonly NamedMember[],
  codes: BucketCodes,
): TableReading[] | null {
  const lists = members.flatMap(({ name, value }) =>
    value.kind === 'list' && !isOther(name) ? [value.items] : [],
  )
  const labels = lists.find(
    (items) =>
      items.length > 1 &&
      items.every((item) => item.kind === 'text' && labelOf(item.value, codes) !== null),
  )
  const ids = lists.find(
    (items) =>
      items.length === labels?.length &&
      items !== labels &&
      items.some((item) => typeof idOf(item) === 'number') &&
      items.every((item) => typeof idOf(item) === 'number' || surePlanOf(item) !== null),
  )
  if (labels === undefined || ids === undefined) return null
  return labels.map((item, at): TableReading => {
    const label = item.kind === 'text' ? labelOf(item.value, codes) : null
    const id = idOf(ids[at])
    const reading =
      typeof id === 'number'
        ? slotReading(label, id, 'pair')
        : planFor(label, surePlanOf(ids[at]!) ?? {}, say('noId'))
    return { span: item, reading }
  })
}

/**
 * The rows of data that is kept by columns, as programs for tables write it: `{"slot": {"0": "NM1"}, "id": {"0": 75}}`, or
 * `{"columns": ["slot", "id"], "data": [["NM1", 75]]}`; null for anything else.
 */
export function rowsOfColumns(value: LiteralObject): LiteralObject[] | null {
  return rowsOfNamed(value) ?? rowsOfKeyed(value)
}

function rowsOfNamed({ members }: LiteralObject): LiteralObject[] | null {
  const listOf = (name: string): readonly Literal[] | null => {
    const own = members.find(({ key }) => plainName(key) === name)?.value
    return own?.kind === 'list' ? own.items : null
  }
  const columns = listOf('columns')?.map((name) => (name.kind === 'text' ? name.value : null))
  const rows = listOf('data') ?? listOf('rows') ?? listOf('values')
  if (columns === undefined || rows === null || columns.includes(null)) return null
  const keys = columns as string[]
  if (!keys.some((key) => isName(key, names.ids))) return null
  return rows.flatMap((row) =>
    row.kind === 'list' && row.items.length === keys.length ? [objectOf(row, keys, row.items)] : [],
  )
}

function rowsOfKeyed({ members }: LiteralObject): LiteralObject[] | null {
  const columns = members.flatMap(({ key, value }) =>
    value.kind === 'object' && value.members.length > 0 ? [{ key, cells: value.members }] : [],
  )
  const [first] = columns
  if (first === undefined || columns.length !== members.length) return null
  const isOf = (own: readonly string[]): boolean => columns.some(({ key }) => isName(key, own))
  const isLabelled = isOf(names.labels) || isOf(names.mods)
  if (!isLabelled || !isOf(names.ids)) return null
  const isAlike = columns.every(
    ({ cells }) =>
      cells.length === first.cells.length &&
      cells.every(({ key }, at) => key === first.cells[at]!.key),
  )
  if (!isAlike) return null
  const keys = columns.map(({ key }) => key)
  return first.cells.map(({ value }, at) =>
    objectOf(
      value,
      keys,
      columns.map(({ cells }) => cells[at]!.value),
    ),
  )
}

function objectOf(
  { start, end }: Literal,
  keys: readonly string[],
  values: readonly Literal[],
): LiteralObject {
  const members = values.map((value, at): Member => ({ key: keys[at]!, start: value.start, value }))
  return { kind: 'object', start, end, members }
}

/** What the objects of a list have in common. */
type ListFacts = ModFacts & {
  /** The key of their labels, where none of its usual names is there. */
  readonly labels: string | null
  /** The key by whose values they are of several rounds. */
  readonly rounds: string | null
  /** The key of the lists in them that have their beatmaps, and the one that names the bucket of each. */
  readonly content: string | null
  readonly groups: string | null
}

const MOST_FIELDS = 50

const noListFacts: ListFacts = {
  labels: null,
  rounds: null,
  content: null,
  groups: null,
  buckets: new Set(),
}

export function factsOfList(items: readonly Literal[], codes: BucketCodes): ListFacts {
  const objects = items.flatMap((item) => (item.kind === 'object' ? [item] : []))
  const [first] = objects
  // `["NM1", 75]`, `{"NM1": 75}`
  const arePairs = items.some((item) =>
    item.kind === 'list'
      ? item.items.length === 2 && readPairList(item.items[0]!, item.items[1]!, codes) !== null
      : item.kind === 'object' &&
        idMember(item) === undefined &&
        (hasPairs(item, codes) || withNames(item).some((each) => isIdPair(each, codes))),
  )
  // `["NM", 129891]`
  const areIdPairs = items.some(
    (item) => item.kind === 'list' && readPairOf(item.items, codes, {})?.kind === 'slot',
  )
  const mods = objects.flatMap((object) => textIn(object, ['mods', 'mod']) ?? [])
  const buckets = numberedBuckets(mods, codes)
  const doubted = doubtedBuckets(mods, buckets, codes)
  if (first === undefined || objects.length < 2)
    return { ...noListFacts, doubted, arePairs, areIdPairs }
  const valuesOf = (wanted: string): Literal[] =>
    objects.flatMap(({ members }) => members.find(({ key }) => key === wanted)?.value ?? [])
  const isLabels = (key: string): boolean => {
    const values = valuesOf(key)
    return (
      values.length === objects.length &&
      values.every((value) => value.kind === 'text' && isNumberedLabel(value.value))
    )
  }
  const isUsual = ({ key, value }: Member): boolean => {
    if (value.kind !== 'text' || !isName(key, names.labels)) return false
    const label = labelOf(value.value, codes, isName(key, names.codes))
    return isName(key, ['name']) ? isKnown(label, codes) : label !== null
  }
  /** Whether each has a label of its own there, in a field that may have a title as well. */
  const areNames = (key: string): boolean => {
    const texts = valuesOf(key).map((value) => textOf(value) ?? '')
    return (
      isName(key, names.labels) &&
      texts.length === objects.length &&
      new Set(texts).size === texts.length &&
      texts.every((text) => labelOf(text, codes, true) !== null && !isRoundName(text))
    )
  }
  const isFlat = objects.every(({ members }) => members.every(({ value }) => value.kind !== 'list'))
  const mayName = ({ key }: Member): boolean => isFlat && areNames(key)
  const usual = first.members.find(isUsual)
  const labels =
    usual === undefined
      ? (first.members.find(({ key }) => isLabels(key)) ?? first.members.find(mayName))
      : [usual].find(mayName)
  const isOfMods = ({ key }: Member): boolean => isName(key, ['mods', 'mod'])
  const modValues = first.members
    .filter(isOfMods)
    .map(({ key }) => valuesOf(key))
    .filter((own) => own.length === objects.length)
  const areLists = modValues.some(
    (own) =>
      own.every(({ kind }) => kind === 'list') &&
      own.some((each) => codeOf(modsText(each), codes) !== null),
  )
  const hasSlots = (member: Member): boolean =>
    !isOfMods(member) &&
    !isRoundName(member.key) &&
    codeOf(member.key, codes) === null &&
    marksIn({ ...first, members: [member] }, codes).length > 0
  const list = first.members.find(hasSlots)?.key ?? null
  const content = list !== null && valuesOf(list).length === objects.length ? list : null
  const namesGroups = ({ key }: Member): boolean => {
    const texts = valuesOf(key).flatMap((each) => textsIn(each)[0] ?? [])
    const isWhole = texts.length === objects.length && new Set(texts).size === texts.length
    return (
      !ofFacts.has(plainName(key)) && isWhole && texts.some((text) => codeOf(text, codes) !== null)
    )
  }
  const areGroups =
    first.members.length <= MOST_FIELDS &&
    objects.every((object) => holdsSlots(object) && idOf(object) === null)
  const groups = areGroups ? first.members.find(namesGroups) : undefined
  return {
    labels: labels?.key ?? null,
    rounds: roundKeyOf(objects, codes),
    content,
    groups: groups?.key ?? null,
    areLists,
    buckets,
    doubted,
    named: namingKey(objects, codes),
    order: orderOf(objects),
    haveIds: objects.some((object) => typeof idOf(object) === 'number'),
    arePairs,
  }
}

/**
 * Mods that end in a digit and may be the code of a bucket as well as the label of a slot: nothing in their list shows that
 * slots are numbered so, as a known bucket with a number does, or several numbers of one where none is without.
 */
function doubtedBuckets(
  mods: readonly string[],
  buckets: ReadonlySet<string>,
  codes: BucketCodes,
): Set<string> {
  const all = [...new Set(mods)].map((text) => ({ text, label: labelOf(text, codes) }))
  const isKnownCode = (code: string | null): boolean =>
    code !== null && (codes.find(code) !== null || modsOfCode(code) !== null)
  const numbered = all.filter(({ text, label }) => label?.index != null && !buckets.has(text))
  if (numbered.some(({ label }) => isKnownCode(label!.code))) return new Set()
  const isBare = all.some(({ text }) => !/^TB$/i.test(text) && codeOf(text, codes) !== null)
  const stems = groupedBy(numbered, ({ label }) => label!.code ?? '')
  const isCounted = !isBare && [...stems.values()].some((own) => own.length > 1)
  return new Set(isCounted ? [] : numbered.map(({ text }) => text).filter(isCode))
}

/** Mods that end in a digit, such as RC1, are a bucket of that code where several beatmaps have them. */
export function numberedBuckets(mods: readonly string[], codes: BucketCodes): Set<string> {
  const counts = new Map<string, number>()
  for (const text of mods) counts.set(text, (counts.get(text) ?? 0) + 1)
  const stems = groupedBy(
    [...counts.keys()].filter((text) => /[0-9]$/.test(text)),
    (text) => text.replace(/[0-9]+$/, ''),
  )
  const own = [...stems].filter(
    ([stem, texts]) =>
      isCode(stem) &&
      codes.find(stem) === null &&
      modsOfCode(stem) === null &&
      texts.every((text) => isCode(text) && counts.get(text)! > 1),
  )
  return new Set(own.flatMap(([, texts]) => texts))
}
