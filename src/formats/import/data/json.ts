import { shown } from '../../draft-builder.ts'
import { type Literal, parseLiterals } from '../../json/parse-literal.ts'
import { bracketRounds, isLikeBracket } from './bracket-rounds.ts'
import { ownCode, usualCode } from '../words/bucket-names.ts'
import {
  beatmapLists,
  codeOf,
  containers,
  type Find,
  idOf,
  isOther,
  labelOf,
  type NamedMember,
  names,
  type Span,
} from './json-fields.ts'
import { areItems, asLists, lostList, numbersIn, readRowsOf } from './json-lists.ts'
import { planFor, readPairOf, surePlanOf, withNames } from './json-plans.ts'
import { isOneBeatmap, onlyWithin, wrapperIn } from './json-inside.ts'
import {
  bracketTable,
  bucketOf,
  doubtOf,
  groupName,
  isApiPool,
  nameOfRound,
  readApiPool,
} from './json-pools.ts'
import { reasonOfNothing } from './json-doubts.ts'
import { askRowIds, haveBits, rowIdsIn, withoutRowIds } from './json-row-ids.ts'
import { arePools, asMeant, nameOfField, namesRound, roundKeyOf, RowRounds } from './json-rounds.ts'
import { hasPairs, readInList, readPair, readSlotFields } from './json-slots.ts'
import { type Context, FoundInData, lostItem, lostMember } from './json-found.ts'
import {
  areBare,
  areScores,
  areScoresOfOne,
  hasBuckets,
  hasNumbers,
  holdsSlots,
  isAboutPlayer,
  isAsideKey,
  isGame,
  isGroup,
  isOwnRounds,
  isPart,
  isRemoved,
  isSchema,
  isScore,
  isVeto,
  sparesOf,
} from './json-kinds.ts'
import { factsOfList, readListsBeside, rowsOfColumns } from './json-tables.ts'
import type { BucketCodes } from '../words/labels.ts'
import { readPlannedLine } from '../lines/plans.ts'
import { isTitleAsked } from '../lines/items.ts'
import { type Finding, planReading, refused, type RoundStart, skipped } from '../readings.ts'
import { doubtSeats } from '../tables/plausible-labels.ts'
import { isRoundName, roundOfFile } from '../lines/round-names.ts'
import { type FoundShape, whyOf } from '../shapes.ts'
import { type ImportMessage, say } from '../import-message.ts'

export type ReadData = {
  readonly shape: FoundShape
  readonly findings: Finding[]
  readonly notes?: readonly ImportMessage[]
  /** How many numbers are those of rows: as lines they would be beatmaps. */
  readonly rowIds?: number
}

/**
 * Reads data by its meaning: wherever an object, or a key with its value, holds a label and a beatmap's id, whatever the names
 * and the nesting. Keys and `name` fields make rounds and buckets.
 *
 * @throws FormatError with line and column for what is no data.
 */
export function readJson(text: string, codes: BucketCodes): ReadData {
  const bracket = bracketRounds(text)
  if (bracket === null) return readValues(text, asLists(text, parseLiterals(text)), codes)
  const { findings } = readValues(text, [bracket], codes)
  return { shape: { id: 'bracket', isCertain: true, why: say('isBracket') }, findings }
}

/** As `readJson`, of data in another notation. */
export function readValues(
  text: string,
  values: readonly Literal[],
  codes: BucketCodes,
  id: 'json' | 'yaml' | 'toml' = 'json',
): ReadData {
  const first = readWith(text, values, codes)
  const rows = isLikeBracket(text) ? null : rowIdsIn(first.found.objects)
  const others = rows === null ? values : values.map((value) => withoutRowIds(value, rows))
  const second = rows === null ? first : readWith(text, others, codes)
  const isWhole = second.found.findings.length >= first.found.findings.length
  const { found, used } = isWhole ? second : first
  const { findings, notes } = found.settled()
  const doubted = isWhole ? findings : askRowIds(findings, found.objects)
  const shape = { id, isCertain: true, why: whyOf(used) } as const
  return { shape, findings: doubtSeats(doubted, codes), notes, rowIds: rows?.size ?? 0 }
}

function readWith(text: string, values: readonly Literal[], codes: BucketCodes): JsonReader {
  const reader = new JsonReader(text, codes)
  const { found } = reader
  const refuse = (reason: ImportMessage): void => {
    found.findings.push({ line: 1, text: text.slice(0, MAX_SHOWN), reading: refused(reason) })
  }
  const place = { code: null, index: null, isBeatmap: false, path: '', areBits: haveBits(values) }
  const root: Context = { ...place, round: null, numbers: true }
  const [only] = values
  if (values.some(isSchema)) refuse(say('program'))
  else if (values.length === 1 && only !== undefined) reader.read(only, root)
  else if (values.every(({ kind }) => kind === 'object') || areItems(text, values)) {
    // The lines of one list, or a list without its brackets.
    const end = values.at(-1)?.end ?? 0
    reader.read({ kind: 'list', items: [...values], start: 0, end }, root)
  } else {
    for (const [at, value] of values.entries())
      reader.read(value, { ...root, round: roundOfFile(''), path: `[${at}]` })
  }
  found.askLost(values)
  if (found.findings.length === 0) refuse(reasonOfNothing(found.leftOut))
  return reader
}

class JsonReader {
  readonly found: FoundInData
  /** The fields that were used, by what they hold. */
  readonly used = { slot: new Set<string>(), beatmap: new Set<string>(), round: new Set<string>() }
  readonly #codes: BucketCodes
  readonly #rowRounds = new RowRounds()

  constructor(text: string, codes: BucketCodes) {
    this.found = new FoundInData(text, codes)
    this.#codes = codes
  }

  /** Reads a value and all in it, in the order of the text, without calling itself. */
  read(root: Literal, context: Context): void {
    const left: [Literal, Context][] = [[root, context]]
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const [value, within] = [asMeant(...next), next[1]]
      const inner =
        value.kind === 'object' ? this.#readObject(value, within) : this.#readOther(value, within)
      for (const each of inner.toReversed()) left.push(each)
    }
  }

  /** A list, or a value alone. Returns what is to be read inside it. */
  #readOther(value: Literal, context: Context): [Literal, Context][] {
    if (value.kind === 'list') {
      const { items } = value
      const pair = readPairOf(items, this.#codes, context)
      const named = context.arePairs === true ? lostItem(value, this.#codes) : null
      if (pair !== null || named !== null) {
        this.found.add(value, (pair ?? named)!, context, value)
        return []
      }
      const rows = readRowsOf(items, this.#codes)
      if (rows !== null) {
        for (const row of rows) this.found.add(row.span, row.reading, { ...context, ...row.within })
        return []
      }
      const isNumbered = context.code !== null
      const numbers = numbersIn(items, context, this.#codes)
      const within: Context = {
        ...context,
        ...factsOfList(items, this.#codes),
        ...(areScores(value, this.#codes) && { doubt: say('areIds') }),
      }
      const isApart = arePools(items, this.#codes)
      const nameOf = (key: string): string => nameOfField(key, within)
      const isBeside = items.some(
        (item) =>
          item.kind === 'object' &&
          (bucketOf(withNames(onlyWithin(item), nameOf), this.#codes) !== null ||
            (item.members.length === 1 && hasBuckets(item, this.#codes))),
      )
      return items.map((item, at) => [
        item,
        {
          ...within,
          ...(isApart && { round: roundOfFile('') }),
          ...(isBeside && { isBeside }),
          numbers,
          path: `${context.path}[${at}]`,
          index: isNumbered ? at + 1 : null,
        },
      ])
    }
    if (context.numbers === false) return []
    const { code, index, numbers } = context
    const planned = code === null || numbers !== true || index === null ? null : surePlanOf(value)
    if (planned !== null && typeof idOf(value) !== 'number') {
      this.found.add(value, planFor({ code, index }, planned, say('noId')), context)
      return []
    }
    const beatmapId = idOf(value)
    if (typeof beatmapId === 'string') this.found.add(value, refused(beatmapId), context)
    else if (beatmapId !== null)
      this.found.add(value, readInList(value, beatmapId, context, this.#codes), context)
    else if (value.kind === 'text') this.#readLine(value, value.value, context)
    return []
  }

  /** A text in a list: `NM1 129891`, or a label that lacks its beatmap. */
  #readLine(span: Span, text: string, context: Context): void {
    const read = text.length > MAX_SHOWN ? skipped : readPlannedLine(text, this.#codes)
    const plan = read.kind === 'refused' ? read.plan : undefined
    const isSlot = (read.kind === 'slot' && read.label !== null) || isTitleAsked(read)
    if (isSlot || plan?.label != null) this.found.add(span, read, context)
    else if (labelOf(text, this.#codes) !== null) {
      this.found.add(span, refused(say('noIdOf', { what: shown(text) })), context)
    }
  }

  #readObject(value: Extract<Literal, { kind: 'object' }>, context: Context): [Literal, Context][] {
    const members = withNames(value, (key) => nameOfField(key, context))
    const find = (names: readonly string[]) =>
      names.flatMap((name) => members.filter((each) => each.name === name))
    if (isApiPool(value, context.path)) {
      const { within, parts, notes } = readApiPool(value, context)
      this.found.notes.push(...notes)
      for (const { span, reading } of parts) this.found.addCertain(span, reading, within)
      return []
    }
    if (isGame(members) || isVeto(members)) {
      this.found.leave(value, 'matches')
      return []
    }
    if (isOwnRounds(members, this.#codes)) {
      return members.map(({ key, value: list }) => [
        list,
        { ...context, round: roundOfFile(key), code: null, index: null },
      ])
    }
    const rows = rowsOfColumns(value)
    if (rows !== null) {
      const within = { ...context, ...factsOfList(rows, this.#codes) }
      return rows.map((row) => [row, within])
    }
    // What the tournament client writes for a place that nothing was chosen for.
    if (members.length === 0 && context.isBeatmap) {
      const { plan, ...reading } = planReading(null, {}, say('noId'))
      const label = { code: context.code, index: null }
      const isInNone = context.code === null
      this.found.add(value, { ...reading, plan: { ...plan!, label, isInNone } }, context)
      return []
    }
    const slot = isScore(members) ? null : readSlotFields({ members, find }, context, this.#codes)
    if (slot !== null) {
      if (slot.slotField !== null) this.used.slot.add(slot.slotField)
      if (slot.idField !== null) this.used.beatmap.add(slot.idField)
      const round = this.#roundOfRow(find, context.round) ?? context.round
      const isOut = slot.reading.kind !== 'slot' && isRemoved(members)
      this.found.add(value, isOut ? skipped : slot.reading, { ...context, round }, value)
      for (const { key, span, reading } of sparesOf(members, slot.reading))
        this.found.add(span, reading, { ...context, round, aside: key })
      return []
    }
    const hasParts = members.some(({ value: each }) => isPart(each))
    if (isScore(members) || (hasParts && isAboutPlayer(members))) {
      this.found.leave(value, isScore(members) ? 'scores' : 'players')
      return []
    }
    const beside = readListsBeside(members, this.#codes)
    if (beside !== null) {
      const within = this.#contextIn(members, find, context)
      for (const { span, reading } of beside) this.found.add(span, reading, within)
      return []
    }
    const inner: [Literal, Context][] = []
    const within = this.#contextIn(members, find, context)
    const isNamed = namesRound(within.round?.name ?? '')
    const wrapper = isNamed ? wrapperIn(members, this.#codes) : null
    const isPairs =
      within.doubt !== undefined || context.arePairs === true || hasPairs({ members }, this.#codes)
    const parts = members.map(({ value: each }) => each)
    const inside: Context = {
      ...within,
      rounds: roundKeyOf(parts, this.#codes),
      named: null,
      content: null,
      arePairs: false,
      ...((areScores(value, this.#codes) || areScoresOfOne(members, this.#codes)) && {
        doubt: say('areIds'),
      }),
    }
    const isBeside = context.isBeside === true || hasBuckets(value, this.#codes)
    const isBesideRounds = members.some(
      ({ key, value: each }) => isRoundName(key) && holdsSlots(each),
    )
    for (const { key, name, value: each, start } of members) {
      const part = key.length > MAX_KEY ? `${key.slice(0, MAX_KEY)}…` : key
      const path = within.path === '' ? part : `${within.path}.${part}`
      const at: Context = {
        ...inside,
        path,
        isBeatmap: beatmapLists.has(name),
        isBeside: context.isBeside === true && members.length === 1,
        numbers: false,
        ...(isPart(each) && isAsideKey(key) && { aside: key }),
      }
      const isOwn = codeOf(key, this.#codes) !== null || isGroup(each, this.#codes)
      const [spare] = isPairs || isBeside ? sparesOf([{ key, name, value: each, start }]) : []
      const pair =
        spare?.reading ??
        readPair(key, each, at, isPairs, this.#codes) ??
        (isPairs || isBeside ? lostList(key, each, this.#codes) : null) ??
        ((isPairs || isBeside) && !isOwn ? lostMember(key, each, this.#codes) : null)
      if (pair !== null) {
        const own = spare === undefined ? at : { ...at, aside: key }
        this.found.add({ start, end: each.end }, pair, own, spare === undefined ? each : undefined)
        const spares = each.kind === 'object' ? sparesOf(withNames(each), pair) : []
        for (const { key: aside, span, reading } of spares)
          this.found.add(span, reading, { ...at, aside })
      } else if (key === wrapper) inner.push([each, at])
      else if (isPart(each) && !isOther(name))
        inner.push([
          each,
          this.#contextOf(key, name, each, at, isBeside || isPairs, isBesideRounds),
        ])
    }
    return inner
  }

  /** Where the parts of an object belong by its own fields: `mod: "NM"`, or `name: "RO16"`, with a list of beatmaps. */
  #contextIn(members: readonly NamedMember[], find: Find, context: Context): Context {
    const bucket = bucketOf(members, this.#codes)
    if (bucket !== null) {
      this.used.slot.add(bucket.key)
      return { ...context, code: bucket.code, index: null, isBeside: false }
    }
    const round = this.#roundOf(members, find)
    const name = round?.name ?? groupName(members)
    const isRound = namesRound(name) || !areBare(members)
    const isOne = members.length > 1 && context.isBeside === true && !isRound
    const own = isOne ? ownCode(name) : null
    const within = { ...context, isBeside: false }
    const doubt = doubtOf(name, members)
    if (own !== null) return { ...within, code: own, index: null, doubt }
    return round === null ? within : { ...within, round, code: null, index: null }
  }

  /** What a key says of what is in its value. */
  #contextOf(
    key: string,
    name: string,
    value: Literal,
    context: Context,
    isBeside: boolean,
    isBesideRounds: boolean,
  ): Context {
    // Which bucket it is, it says itself.
    const isOwn = value.kind === 'object' && bucketOf(withNames(value), this.#codes) !== null
    if (containers.has(name) || isOwn) return { ...context, numbers: true }
    // Buckets that no mod is named after hold lists as the others do: `"LN": [75]`.
    const isNamed = value.kind === 'list' || isBeside
    const code = codeOf(key, this.#codes) ?? (isNamed ? usualCode(key) : null)
    if (code !== null) return { ...context, code, index: null, numbers: true }
    if (isRoundName(key)) return { ...context, round: roundOfFile(key), code: null, numbers: true }
    const isBucket = isBeside && !namesRound(key) && isGroup(value, this.#codes)
    const own = isBucket ? ownCode(key) : null
    if (own !== null) {
      const doubt = doubtOf(key, [{ value }])
      return { ...context, code: own, index: null, numbers: true, doubt }
    }
    if (value.kind === 'list') {
      const doubt = doubtOf(key, [{ value }])
      if (hasNumbers(value)) return { ...context, numbers: doubt }
      const isOther = isBesideRounds && !namesRound(key) && isGroup(value, this.#codes)
      const round = roundOfFile('')
      if (isOther && areBare([{ value }]))
        return { ...context, round, isBeatmap: true, numbers: true, doubt }
    }
    return holdsSlots(value) && context.rounds == null && !isOneBeatmap(value, this.#codes)
      ? { ...context, round: roundOfFile(key), numbers: true }
      : context
  }

  /** The round that a field of a beatmap names, for those of one list may be of several. */
  #roundOfRow(find: Find, within: RoundStart | null): RoundStart | null {
    const [member] = find(names.roundsOfRows)
    const round = member === undefined ? null : this.#rowRounds.of(member, within)
    if (round !== null) this.used.round.add(member!.key)
    return round
  }

  /** The round that an object is, by its name and its beatmaps. */
  #roundOf(members: readonly NamedMember[], find: Find): RoundStart | null {
    const named = nameOfRound(members, find, this.#codes)
    if (named === null) return null
    this.used.round.add(named.key)
    return roundOfFile(named.text, { buckets: bracketTable(members, this.#codes) })
  }
}

const MAX_SHOWN = 200
const MAX_KEY = 40
