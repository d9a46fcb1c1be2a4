import type { SentFields } from '../../pool/pack-fields.ts'
import type { SentRoundFields } from '../../pool/round-fields.ts'
import { MAX_ROUNDS } from '../../contract/bounds.ts'
import type { BucketMods } from '../../contract/pools.ts'
import { foldCode, foldName, isCustom, isDefaultTable, wholeTable } from '../../pool/slots.ts'
import { changeBucket, moveBucket } from '../../pool/edits.ts'
import type { Layout, PoolDraft } from '../../pool/pool.ts'
import type { UnreadPlace } from '../../pool/sheet-merge.ts'
import { LONGEST_BRACKET, mayBeBracket } from './data/bracket-rounds.ts'
import {
  countSlots,
  doubtsOf,
  type Evidence,
  idsIn,
  leftOutReasons,
  withDoubts,
} from './evidence.ts'
import { contentOf } from './lines/plausible-ids.ts'
import { BucketCodes } from './words/labels.ts'
import { type ImportMessage, named, say } from './import-message.ts'
import { type ImportWording, inWords } from './import-wording.ts'
import { type FoundLink, linksOfRound } from './words/links.ts'
import { openPackKey, placePool } from './placing/pack-keys.ts'
import { nameOf } from './placing/places.ts'
import { placeFindings } from './placing/placement.ts'
import {
  type Answers,
  countPlanned,
  countVague,
  type Question,
  questionOfHalf,
  type ResolvedFinding,
  resolveQuestions,
} from './questions.ts'
import {
  type DoubtedBeatmaps,
  type Finding,
  type PoolFacts,
  reasons,
  type PlacedLine,
  type RoundPool,
} from './readings.ts'
import { readAnyText } from './recognise-text.ts'
import type { Shape } from './shapes.ts'

/** In UTF-16 code units. */
export const LONGEST_TEXT = 1_000_000

export type ImportOptions = {
  /** What each pool is added to; its buckets, and the slots that it has, count. Default: an empty draft. */
  readonly into?: PoolDraft
  readonly answers?: Answers
  /** The tab of a spreadsheet file that is read, by its name. Default: all that are visible. */
  readonly sheet?: string | undefined
  /** What was looked up of the beatmaps: what speaks against one makes a question. */
  readonly evidence?: Evidence
  /** What was decided of what was looked up earlier: each stays a question of its own, found by `about`. */
  readonly decided?: readonly DoubtedBeatmaps[]
  /** The mods of custom buckets by their code in any case, null for none; over those that a code itself names. */
  readonly mods?: ReadonlyMap<string, BucketMods | null>
  /** In which words reasons, questions and notes are. Default: in English. */
  readonly wording?: ImportWording
}

/** All that a text or a file holds. Every line of it is among those of one pool, or among the others. */
export type Import = {
  readonly shape: Shape
  /** In order of first appearance, 16 at most; one without a name where nothing names rounds. */
  readonly pools: readonly ImportedPool[]
  /** All that may be the name of a round, also of one that has no slots. */
  readonly names: readonly string[]
  /** What belongs to no pool. */
  readonly others: readonly ImportedLine[]
  /** All that were read, whatever is answered, to be looked up. */
  readonly beatmapIds: readonly number[]
  /** Open and answered ones. Nothing of it may be saved while one is open. */
  readonly questions: readonly Question[]
  /** What the host should know of the whole, in sentences. */
  readonly notes: readonly string[]
  /** How many of the lines with content have been understood, questions included. */
  readonly understood: { readonly lines: number; readonly of: number }
}

export type ImportedPool = {
  /** Of the round; null for what precedes the first round, or where nothing names it. */
  readonly name: string | null
  readonly lines: readonly ImportedLine[]
  /** `into` with all that was understood added, named after the round if it has no name. It stays valid if it was. */
  readonly draft: PoolDraft
  /** The same as a round may hold it: with the slots that have no beatmap yet (D-77). */
  readonly round: RoundPool
  /** The pack key in the text, when that is what was read. */
  readonly packKey: string | null
  /** What its lines are about that gave no slot, and those of no round: it is not left out (D-83). */
  readonly unread: readonly UnreadPlace[]
  /** What the file says of the pack besides. */
  readonly fields: SentFields
  /** What it says of the round besides: its fields, as the API has them, or the links of an article (D-85). */
  readonly roundFields: SentRoundFields
  /** Whether it is a round as the API has it, which may have no slot. */
  readonly isApiRound: boolean
}

/**
 * The result of one line: `line`, where it begins, counted from 1, and its text without its line break. A pack key
 * has an entry for each of its slots, as has a line of a file with several; a row of a table may span several lines.
 */
export type ImportedLine = PlacedLine

/** How many of the lines with content became slots, those without a beatmap too, and how many were refused. */
export type LineCount = { readonly read: number; readonly refused: number; readonly of: number }

export function countLines(lines: readonly ImportedLine[]): LineCount {
  const many = (...of: readonly ImportedLine['outcome'][]): number =>
    lines.filter(({ outcome }) => of.includes(outcome)).length
  const [read, refused] = [many('slot', 'planned'), many('refused')]
  return { read, refused, of: read + refused + many('asked') }
}

/** A line as a pack has it, which refuses some of what a round plans: links to whole sets. */
export function asInPack(line: ImportedLine): ImportedLine {
  if (line.outcome !== 'planned' || line.refusal === undefined) return line
  return { line: line.line, text: line.text, outcome: 'refused', reason: line.refusal }
}

export const emptyDraft: PoolDraft = { name: '', slots: [] }

/**
 * Reads any text that holds pools: lists, tables, posts, JSON, links, pack keys. What is certain becomes a slot, what
 * is not is asked, and each other line is skipped or refused with what to do; none affects the others. A text longer
 * than 1,000,000 characters is refused whole. Takes time in proportion to the text, and throws nothing.
 */
export function readImport(text: string, options: ImportOptions = {}): Import {
  return inWords(readMessages(text, options), options.wording)
}

function readMessages(written: string, options: ImportOptions): Import {
  const text = written.replace(/^\ufeff/, '')
  if (text.length > LONGEST_TEXT && text.length > longestOf(text)) return tooLong(text)
  const codes = new BucketCodes(options.into ?? emptyDraft)
  const read = readAnyText(text, codes)
  const found = assemble(read.findings, read.shape, options, read.notes)
  const prose = read.findings.find(({ reading }) => reading.kind === 'refused')
  return prose === undefined || hasContent(found) ? found : withoutBeatmaps(prose, found)
}

function hasContent({ pools, others, questions }: Import): boolean {
  const lines = [...pools.flatMap((pool) => pool.lines), ...others]
  const isOpened = pools.some(({ packKey }) => packKey !== null)
  return isOpened || questions.length > 0 || lines.some(({ outcome }) => outcome !== 'skipped')
}

/** A text in which nothing can be a beatmap is refused, at its first line of prose. */
function withoutBeatmaps({ line, reading }: Finding, found: Import): Import {
  const isLinked = reading.kind === 'refused' && (reading.links ?? []).length > 0
  const reason = isLinked ? reasons.otherLink : reasons.noBeatmap
  const refuse = (each: ImportedLine): ImportedLine =>
    each.line === line ? { line, text: each.text, outcome: 'refused', reason } : each
  const pools = found.pools.map((pool) => ({ ...pool, lines: pool.lines.map(refuse) }))
  return { ...found, pools, others: found.others.map(refuse) }
}

const longestOf = (text: string): number => (mayBeBracket(text) ? LONGEST_BRACKET : LONGEST_TEXT)

function tooLong(text: string): Import {
  const line = (text.slice(0, 80).split(/[\r\n]/, 1)[0] ?? '').toWellFormed()
  const reason = say('tooLong', { most: longestOf(text) / 1_000_000 })
  return {
    shape: { id: 'list', isCertain: false, why: say('isTooLong') },
    pools: [],
    names: [],
    others: [{ line: 1, text: line, outcome: 'refused', reason }],
    beatmapIds: [],
    questions: [],
    notes: [],
    understood: { lines: 0, of: 1 },
  }
}

/** Makes pools of what was read: answers are applied, lines are assigned to rounds, and slots are placed. Not in words yet. */
export function assemble(
  findingsRead: readonly Finding[],
  shape: Shape,
  options: ImportOptions,
  notes: readonly ImportMessage[] = [],
): Import {
  const { into = emptyDraft, answers = new Map(), mods = new Map() } = options
  const read = countSlots(findingsRead)
  const doubted = doubtsOf(read, options.evidence ?? new Map())
  const found = withDoubts(read, doubted, options.decided)
  const isAsked = found.some(({ reading }) => reading.kind === 'asked')
  const { findings, questions } = isAsked
    ? resolveQuestions(found, answers)
    : { findings: found, questions: [] }
  const placing = { into, mods }
  const [before, ...groups] = groupByRound(findings)
  const placed = groups.map((group) => ({ ...group, pool: placeRound(group, placing) }))
  const isRound = ({ isSure, pool }: (typeof placed)[number]): boolean =>
    isSure || pool.lines.some(({ outcome }) => outcome !== 'skipped')
  const named = placed.filter(isRound)
  const first = placeRound(before, placing)
  const isFirst = named.length === 0 || first.lines.some(isContent)
  const all = isFirst ? [{ ...before, pool: first }] : []
  // Of an article with many headings, those without slots are no rounds.
  const isMany = all.length + named.length > MAX_ROUNDS
  const kept = isMany ? named.filter(({ pool }) => pool.lines.some(isContent)) : named
  const rounds = [...all, ...kept]
  const rest = placed.filter((each) => !kept.includes(each))
  const strays = [...(isFirst ? [] : [first]), ...rest.map(({ pool }) => pool)]
  const stray = strays.flatMap(({ unread }) => unread)
  const pools = rounds
    .slice(0, MAX_ROUNDS)
    .map(({ pool }) =>
      stray.length === 0 ? pool : { ...pool, unread: [...pool.unread, ...stray] },
    )
  const others = [
    ...(isFirst ? [] : first.lines),
    ...rest.flatMap(({ pool }) => pool.lines),
    ...rounds.slice(MAX_ROUNDS).flatMap(({ findings }) => findings.map(beyondRounds)),
  ].toSorted((a, b) => a.line - b.line)
  const lines = [...pools.flatMap((pool) => pool.lines), ...others]
  // Before the answers, on which no question may depend.
  const codes = new BucketCodes(into)
  const content = contentOf(found, codes)
  const isOpened = pools.some(({ packKey }) => packKey !== null)
  const isPlanned = (reading: Finding['reading']): boolean =>
    reading.kind === 'refused' &&
    reading.plan?.isSure === true &&
    (reading.plan.label !== null || reading.isItem === true)
  const clear = content.filter(
    ({ reading }) => isOpened || reading.kind !== 'refused' || isPlanned(reading),
  )
  const understood = { lines: clear.length, of: content.length }
  // Headings alone are nothing that could be used.
  const isUsable =
    isOpened || content.some(({ reading }) => reading.kind === 'slot' || reading.kind === 'asked')
  const counted = isUsable ? understood : countPlanned(found, lines)
  const isHeaded = found.some(({ reading }) => reading.kind === 'heading')
  const of = counted.of + (isHeaded ? countVague(found, codes) : 0)
  const half = counted.lines * 2 < of ? questionOfHalf({ ...counted, of }, answers) : null
  return {
    shape,
    pools:
      half?.answer !== 'b'
        ? pools
        : pools.map((pool) => ({ ...pool, draft: into, round: into, unread: [anyPlace] })),
    names: groups.flatMap(({ name }) => name ?? []),
    others,
    beatmapIds: idsIn(read),
    questions: half === null ? questions : [half, ...questions],
    notes: [...notes, ...notesOf(lines), ...noteOfLinks(found.flatMap(linksOf))],
    understood,
  }
}

const anyPlace: UnreadPlace = { code: null, index: null }

/** Lines before the first round make a pool of their own only if there is something in them. */
function isContent({ outcome }: ImportedLine): boolean {
  return outcome === 'slot' || outcome === 'planned' || outcome === 'asked'
}

type RoundGroup = {
  readonly name: string | null
  readonly findings: ResolvedFinding[]
  /** Whether what names it can be nothing else than a round. */
  isSure: boolean
  readonly facts: PoolFacts
}

/** The lines of each round, those before the first one in front. */
function groupByRound(findings: readonly ResolvedFinding[]): [RoundGroup, ...RoundGroup[]] {
  const before: RoundGroup = { name: null, findings: [], isSure: false, facts: {} }
  const groups = new Map<string, RoundGroup>()
  let current = before
  for (const finding of findings) {
    const { round, ...line } = finding
    let next = current
    if (round !== undefined) {
      const key = round.by === 'file' ? `${groups.size}` : ` ${foldName(round.name)}`
      const { facts = {} } = round
      next = groups.get(key) ?? { name: round.name || null, findings: [], isSure: false, facts }
      next.isSure ||= round.by !== 'marked'
      groups.set(key, next)
    }
    // The cells of a column say again in each row which round it is.
    next.findings.push(next === current && round?.by === 'cell' ? line : finding)
    current = next
  }
  return [before, ...groups.values()]
}

type Placing = { readonly into: PoolDraft; readonly mods: ReadonlyMap<string, BucketMods | null> }

function placeRound({ name, findings, facts }: RoundGroup, { into, mods }: Placing): ImportedPool {
  const { buckets = null, fields = {} } = facts
  const isEmpty = into.slots.length === 0 && isDefaultTable(wholeTable(into))
  const ground = isEmpty && buckets !== null ? { ...into, buckets } : into
  const named = ground.name.trim() === '' && name !== null ? { ...ground, name } : ground
  const mayOpen = findings.some(({ text }) => text.includes('pk'))
  const opened = mayOpen ? openPackKey(findings) : [...findings]
  const placed = Array.isArray(opened)
    ? placeFindings(opened, named)
    : placePool(opened, findings, named)
  const order = (buckets ?? []).map(({ code }) => code)
  const settle = <D extends Layout>(read: D): D =>
    withMods(isEmpty ? read : inOrder(read, into, order), mods)
  const found = findings.flatMap(linksOf)
  const links = found.length === 0 ? {} : linksOfRound(found)
  const roundFields = { ...facts.roundFields, ...links }
  const isApiRound = facts.roundFields !== undefined
  const lines = placed.lines.map(asLeftOut)
  const { draft, round } = placed
  const settled = { ...placed, lines, draft: settle(draft), round: settle(round) }
  return { name, fields, roundFields, isApiRound, ...settled }
}

/** What an answer leaves out is no mistake. */
function asLeftOut(line: ImportedLine): ImportedLine {
  if (line.outcome !== 'refused' || line.question === undefined) return line
  if (!leftOutReasons.has(line.reason)) return line
  return { line: line.line, text: line.text, outcome: 'skipped', question: line.question }
}

/** The links of a line of prose. */
function linksOf({ reading }: Pick<Finding, 'reading'>): readonly FoundLink[] {
  const isProse = reading.kind === 'refused' && reading.isProse === true
  return isProse && reading.plan === undefined ? (reading.links ?? []) : []
}

/** The draft with the buckets that are new in it where the file has them: each after the one before it there. */
function inOrder<D extends Layout>(draft: D, before: Layout, order: readonly string[]): D {
  const codes = (layout: Layout): string[] => wholeTable(layout).map(({ code }) => code)
  const known = new Set(codes(before))
  return order.reduce<D>((ordered, code, at) => {
    const table = codes(ordered)
    if (known.has(code) || !table.includes(code)) return ordered
    const others = table.filter((each) => each !== code)
    const last = order.slice(0, at).findLast((each) => others.includes(each))
    return moveBucket(ordered, code, last === undefined ? 0 : others.indexOf(last) + 1)
  }, draft)
}

/** The draft with other mods of its custom buckets, wherever they come from. */
function withMods<D extends Layout>(draft: D, mods: Placing['mods']): D {
  const wanted = new Map([...mods].map(([code, each]) => [foldCode(code), each]))
  return (draft.buckets ?? []).filter(isCustom).reduce<D>((changed, bucket) => {
    const own = wanted.get(foldCode(bucket.code))
    if (own === undefined) return changed
    const { code, color } = bucket
    return changeBucket(changed, code, { code, color, ...(own !== null && { mods: own }) })
  }, draft)
}

function beyondRounds({ line, text, reading, round }: Finding): ImportedLine {
  if (reading.kind === 'skipped' && round === undefined) return { line, text, outcome: 'skipped' }
  const reason = say('tooManyRounds', { most: MAX_ROUNDS })
  return { line, text, outcome: 'refused', reason }
}

function notesOf(lines: readonly ImportedLine[]): ImportMessage[] {
  const told = (wanted: ImportedLine['outcome']): ImportMessage[] =>
    lines.flatMap((line) => {
      const isTold = line.outcome === 'slot' || line.outcome === 'skipped'
      if (!isTold || line.outcome !== wanted || line.note === undefined) return []
      return say('ofLine', { line: line.line, note: { message: line.note } })
    })
  const own = [...told('slot'), ...told('skipped').slice(0, MOST_NAMED)]
  const sets = lines.flatMap((line) =>
    line.outcome === 'planned' && line.refusal !== undefined ? [nameOf(line)] : [],
  )
  if (sets.length > 0) own.push(noteOfSets(sets))
  const bare = lines.filter((line) => line.outcome === 'slot' && line.mod === null).length
  return bare === 0 ? own : [say('withoutSlots', { n: bare }), ...own]
}

const LONGEST_SHOWN = 200

function noteOfLinks(links: readonly FoundLink[]): ImportMessage[] {
  const [first] = links
  if (first === undefined) return []
  const link = first.url.slice(0, LONGEST_SHOWN).toWellFormed()
  return [say('linksLeftOut', { n: links.length, link })]
}

const MOST_NAMED = 5

function noteOfSets(slots: readonly ReturnType<typeof nameOf>[]): ImportMessage {
  const names = slots.map((slot) => ({ message: say('slotOf', slot) }))
  return say('setsPlanned', { slots: named(names, MOST_NAMED) })
}
