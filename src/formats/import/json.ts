import type { Bucket } from '../../contract/pools.ts'
import { isCode } from '../../pool/buckets.ts'
import { shown, tableInOrder } from '../draft-builder.ts'
import { FormatError } from '../format-error.ts'
import { type Literal, parseLiterals } from '../json/parse-literal.ts'
import { readPoolJson } from '../read-pool-json.ts'
import {
  codeOf,
  containers,
  type Find,
  holdsSlots,
  idMember,
  idOf,
  isApiPool,
  labelIn,
  labelOf,
  type NamedMember,
  names,
  plainName,
  signs,
  type Span,
  textIn,
} from './json-fields.ts'
import { type BucketCodes, isKnown, type Label, modsOfCode, readWhole } from './labels.ts'
import { refused } from './lines.ts'
import {
  type Choice,
  type Finding,
  type Reading,
  type RoundStart,
  type RuleId,
  skipped,
  type SlotReading,
} from './readings.ts'
import { isRoundName, roundOfFile } from './round-names.ts'
import type { Shape } from './shapes.ts'

/** What applies to the values inside a part. */
type Context = {
  readonly round: RoundStart | null
  /** The bucket that a key above names, and how many of its beatmaps precede. */
  readonly code: string | null
  readonly index: number | null
  readonly path: string
  /** Whether a bare number is a beatmap's id; a text is the question that decides it. */
  readonly numbers: boolean | string
}

/**
 * Reads data by its meaning: wherever an object, or a key with its value, holds a label and a beatmap's id, whatever the names
 * and the nesting. Keys and `name` fields make rounds and buckets.
 *
 * @throws FormatError with line and column for what is no data.
 */
export function readJson(text: string, codes: BucketCodes): { shape: Shape; findings: Finding[] } {
  const reader = new JsonReader(text, codes)
  const root: Context = { round: null, code: null, index: null, path: '', numbers: true }
  const values = parseLiterals(text)
  const [only] = values
  if (values.length === 1 && only !== undefined) reader.read(only, root)
  else for (const [at, value] of values.entries()) reader.read(value, { ...root, path: `[${at}]` })
  const used = [...reader.used].map((name) => `“${name}”`)
  const why =
    used.length === 0 ? 'It is data.' : `It is data; the fields used are ${used.join(', ')}.`
  return { shape: { id: 'json', isCertain: true, why }, findings: reader.findings }
}

class JsonReader {
  readonly findings: Finding[] = []
  readonly used = new Set<string>()
  readonly #text: string
  readonly #codes: BucketCodes
  readonly #lineStarts: number[]
  #round: RoundStart | null = null

  constructor(text: string, codes: BucketCodes) {
    this.#text = text
    this.#codes = codes
    this.#lineStarts = [
      0,
      ...[...text.matchAll(/\r\n|\r|\n/g)].map(({ 0: end, index }) => index + end.length),
    ]
  }

  /** Reads a value and all in it, in the order of the text, without calling itself. */
  read(root: Literal, context: Context): void {
    const left: [Literal, Context][] = [[root, context]]
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const [value, within] = next
      const inner =
        value.kind === 'object' ? this.#readObject(value, within) : this.#readOther(value, within)
      for (const each of inner.toReversed()) left.push(each)
    }
  }

  /** A list, or a value alone. Returns what is to be read inside it. */
  #readOther(value: Literal, context: Context): [Literal, Context][] {
    if (value.kind === 'list') {
      const { items } = value
      const pair = items.length === 2 ? this.#pairOf(items[0]!, items[1]!) : null
      if (pair !== null) {
        this.#add(value, { kind: 'slot', ...pair, rule: 'pair' }, context)
        return []
      }
      const isNumbered = context.code !== null
      return items.map((item, at) => [
        item,
        { ...context, path: `${context.path}[${at}]`, index: isNumbered ? at + 1 : null },
      ])
    }
    if (context.numbers === false) return []
    const beatmapId = idOf(value)
    if (typeof beatmapId === 'string') this.#add(value, refused(beatmapId), context)
    else if (beatmapId !== null) {
      const label = context.code === null ? null : { code: context.code, index: context.index }
      const reading: SlotReading = {
        kind: 'slot',
        label,
        beatmapId,
        rule: label === null ? 'numbers' : 'keyOfList',
      }
      this.#add(
        value,
        typeof context.numbers === 'string' ? askWhether(reading, context.numbers) : reading,
        context,
      )
    } else if (value.kind === 'text' && labelOf(value.value, this.#codes) !== null) {
      this.#add(value, refused(`“${value.value.slice(0, 24)}” has no beatmap id.`), context)
    }
    return []
  }

  /** `["NM1", 129891]`, in either order. */
  #pairOf(first: Literal, second: Literal): { label: Label; beatmapId: number } | null {
    for (const [name, id] of [
      [first, second],
      [second, first],
    ] as const) {
      const label = name.kind === 'text' ? labelOf(name.value, this.#codes) : null
      const beatmapId = label === null ? null : idOf(id)
      if (label !== null && typeof beatmapId === 'number') return { label, beatmapId }
    }
    return null
  }

  #readObject(value: Extract<Literal, { kind: 'object' }>, context: Context): [Literal, Context][] {
    const members = value.members.map((member) => ({ ...member, name: plainName(member.key) }))
    const find = (names: readonly string[]) =>
      names.flatMap((name) => members.filter((each) => each.name === name))
    if (members.some(({ key }) => key === 'slots') && this.#readPool(value, context)) return []
    const slot = this.#slotOf(members, find, context)
    if (slot !== null) {
      this.#add(value, slot, context)
      return []
    }
    const inner: [Literal, Context][] = []
    const named = this.#roundOf(members, find)
    const within = named === null ? context : { ...context, round: named, code: null, index: null }
    const isPairs = members.some(
      ({ key, value: each }) => this.#keyLabel(key, each)?.code != null && this.#isCertainKey(key),
    )
    for (const { key, name, value: each, start } of members) {
      const path = within.path === '' ? key : `${within.path}.${key}`
      const at: Context = { ...within, path, numbers: false }
      if (this.#readPair(key, each, { start, end: each.end }, at, isPairs)) continue
      if (each.kind !== 'list' && each.kind !== 'object') continue
      inner.push([each, this.#contextOf(key, name, each, at)])
    }
    return inner
  }

  /** A pool as the API has it, with its buckets. Returns false if it is none, so that its parts are read by themselves. */
  #readPool(value: Literal, context: Context): boolean {
    const source = this.#text.slice(value.start, value.end)
    try {
      const { draft, visibility, description } = readPoolJson(source, NAMELESS)
      const { name, slots, buckets = null } = draft
      const facts = { buckets, visibility, description }
      const round = roundOfFile(name === NAMELESS ? '' : name, facts)
      for (const { mod, index, beatmapId } of slots) {
        const label = { code: mod, index }
        this.#add(value, { kind: 'slot', label, beatmapId, rule: 'fields' }, { ...context, round })
      }
      return true
    } catch (error) {
      if (!(error instanceof FormatError) || !isApiPool(value)) return false
      this.#add(value, refused(error.message), context)
      return true
    }
  }

  /** What a key says of what is in its value. */
  #contextOf(key: string, name: string, value: Literal, context: Context): Context {
    if (containers.has(name)) return { ...context, numbers: true }
    const code = codeOf(key, this.#codes)
    if (code !== null) return { ...context, code, index: null, numbers: true }
    if (isRoundName(key)) return { ...context, round: roundOfFile(key), code: null, numbers: true }
    const isList = value.kind === 'list' && value.items.some((item) => item.kind === 'number')
    if (isList) {
      return { ...context, numbers: `Are the numbers in ${shown(key)} beatmap ids?` }
    }
    return holdsSlots(value) ? { ...context, round: roundOfFile(key), numbers: true } : context
  }

  /** `"NM1": 129891`, `"129891": "NM1"`, and the same with objects. Returns whether it was read. */
  #readPair(key: string, value: Literal, span: Span, context: Context, isPairs: boolean): boolean {
    const label = this.#keyLabel(key, value)
    if (label !== null && (isPairs || this.#isCertainKey(key))) {
      const beatmapId = idOf(value.kind === 'object' ? idMember(value) : value)
      if (typeof beatmapId === 'number')
        this.#add(span, { kind: 'slot', label, beatmapId, rule: 'pair' }, context)
      else this.#add(span, refused(beatmapId ?? `${shown(key)} has no beatmap id.`), context)
      return true
    }
    const id = readWhole(key)
    if (id === null || id < 1) return false
    const text =
      value.kind === 'object'
        ? textIn(value, names.labels)
        : value.kind === 'text'
          ? value.value
          : null
    const own = text === null ? null : labelOf(text, this.#codes)
    if (own === null) return false
    this.#add(span, { kind: 'slot', label: own, beatmapId: id, rule: 'pair' }, context)
    return true
  }

  /** The label that a key is, if its value can be a beatmap. */
  #keyLabel(key: string, value: Literal): Label | null {
    const label = labelOf(key, this.#codes)
    if (label?.code == null || label.index === null) return null
    const isBeatmap =
      value.kind === 'object' ? idMember(value) !== undefined : value.kind !== 'list'
    return isBeatmap ? label : null
  }

  #isCertainKey(key: string): boolean {
    const label = labelOf(key, this.#codes)
    return isKnown(label, this.#codes) || (label?.code != null && modsOfCode(label.code) !== null)
  }

  /** The round that an object is, by its name and its beatmaps. */
  #roundOf(members: readonly NamedMember[], find: Find): RoundStart | null {
    const [named] = find(names.rounds).filter(({ value }) => value.kind === 'text')
    const isRound = members.some(({ name, key, value }) => {
      const isPart = value.kind === 'list' || value.kind === 'object'
      return (
        isPart && (containers.has(name) || codeOf(key, this.#codes) !== null) && holdsSlots(value)
      )
    })
    if (!isRound || named?.value.kind !== 'text' || named.value.value.trim() === '') return null
    this.used.add(named.key)
    return roundOfFile(named.value.value, { buckets: this.#bracketTable(members) })
  }

  /** A bracket keeps the buckets of a round in the order in which they appear. */
  #bracketTable(members: readonly NamedMember[]): Bucket[] | null {
    const list = members.find(({ key }) => key === 'Beatmaps')?.value
    if (list?.kind !== 'list') return null
    const codes = list.items.flatMap((item) => {
      const text = item.kind === 'object' ? textIn(item, ['mods']) : null
      return text === null
        ? []
        : (codeOf(text, this.#codes) ?? labelOf(text, this.#codes)?.code ?? [])
    })
    return tableInOrder([...new Set(codes)].slice(0, MAX_TABLE))
  }

  /** What an object says of one beatmap; null when it is about none. */
  #slotOf(members: readonly NamedMember[], find: Find, context: Context): Reading | null {
    const ids = find(names.ids)
      .map((member) => ({ ...member, id: idOf(member.value) }))
      .filter(({ name, id }) => id !== null && (name !== 'id' || typeof id === 'number'))
    const label = labelIn(find, this.#codes)
    const hasSigns = members.some(({ name }) => signs.has(name))
    const hasList = members.some(({ value: each }) => each.kind === 'list' && holdsSlots(each))
    if (hasList) return null
    const [best, ...others] = ids
    if (best === undefined) {
      const isSlot =
        label.text !== null &&
        label.label?.code != null &&
        label.label.index !== null &&
        members.every(({ value: each }) => each.kind !== 'object' && each.kind !== 'list')
      return isSlot
        ? refused(
            `${shown(label.text ?? '')}${context.path === '' ? '' : ` at ${context.path}`} has no beatmap id.`,
          )
        : null
    }
    const isVague =
      best.name === 'id' || best.name === 'map' || best.name === 'url' || best.name === 'link'
    if (isVague && label.label === null && label.unknown === null && !hasSigns) return null
    if (typeof best.id === 'string') return refused(best.id)
    this.used.add(best.key)
    if (label.key !== null) this.used.add(label.key)
    const beatmapId = best.id ?? 0
    const other = others.find(
      ({ id, name }) =>
        typeof id === 'number' && id !== beatmapId && name !== 'id' && name !== 'map',
    )
    const rule: RuleId = label.label === null ? 'alone' : 'fields'
    const own =
      label.label ?? (context.code === null ? null : { code: context.code, index: context.index })
    const slot = (id: number, at: Label | null): Choice['reading'] => ({
      kind: 'slot',
      label: at,
      beatmapId: id,
      rule: at === null ? 'alone' : rule === 'alone' ? 'keyOfList' : rule,
      ...(label.note !== null && { note: label.note }),
    })
    if (other !== undefined && typeof other.id === 'number') {
      return {
        kind: 'asked',
        topic: `${best.key}/${other.key}`,
        question: `The fields “${best.key}” and “${other.key}” name different beatmaps. Which one is it?`,
        choices: [
          { text: `The one in “${best.key}”`, reading: slot(beatmapId, own) },
          { text: `The one in “${other.key}”`, reading: slot(other.id, own) },
        ],
      }
    }
    if (label.unknown === null || label.label !== null) return slot(beatmapId, own)
    const code = label.unknown.replaceAll(/[^\p{L}\p{N}]/gu, '').slice(0, MAX_CODE)
    if (!isCode(code)) return slot(beatmapId, own)
    return {
      kind: 'asked',
      topic: `bucket ${code}`,
      question: `${shown(label.unknown)} is no bucket that is known. Where do its beatmaps belong?`,
      choices: [
        { text: `In a new bucket ${code}`, reading: slot(beatmapId, { code, index: null }) },
        { text: 'In no bucket', reading: slot(beatmapId, null) },
      ],
    }
  }

  #add({ start, end }: Span, reading: Reading, { round }: Context): void {
    const text = this.#text
      .slice(start, Math.min(end, start + MAX_SHOWN))
      .replaceAll(/\s+/g, ' ')
      .toWellFormed()
    const line = this.#lineAt(start)
    const isNew = round !== this.#round
    this.#round = round
    const begins = isNew ? { round: round ?? roundOfFile('') } : {}
    this.findings.push({ line, text, reading, ...begins })
  }

  #lineAt(offset: number): number {
    let [low, high] = [0, this.#lineStarts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (this.#lineStarts[middle]! <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}

/** A name that no pool has: a character for private use. */
const NAMELESS = '\u{E000}'
const MAX_SHOWN = 200
const MAX_CODE = 12
const MAX_TABLE = 14

function askWhether(reading: SlotReading, question: string): Reading {
  return {
    kind: 'asked',
    topic: question,
    question,
    choices: [
      { text: 'They are beatmap ids', reading },
      { text: 'Leave them out', reading: skipped },
    ],
  }
}
