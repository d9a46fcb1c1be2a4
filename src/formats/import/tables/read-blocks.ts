import { foldCode, foldName } from '../../../pool/slots.ts'
import { type BucketCodes, isFilled } from '../words/labels.ts'
import { readPlainLine } from '../lines/lines.ts'
import {
  asked,
  type Choice,
  type Finding,
  type Reading,
  reasons,
  refused,
  skipped,
  type SlotReading,
} from '../readings.ts'
import { roundOfHeading } from '../lines/round-names.ts'
import { type Block } from './block-columns.ts'
import { findBlocks } from './table-blocks.ts'
import { letters } from './beside-columns.ts'
import { isAside, type Kind, kindOf, titleOf } from './table-kinds.ts'
import type { CellRow } from './transposed.ts'
import { type ImportMessage, range, say } from '../import-message.ts'

/** What the rows of one block say. */
type BlockReader = (rows: readonly CellRow[]) => {
  readonly findings: Finding[]
  /** The line of the first header that names the columns of slot and beatmap. */
  readonly headedFrom: number | null
}

/** A block, what it holds and what its rows say. */
export type ReadBlock = {
  readonly kind: Kind
  readonly title: string
  /** Where it is: `columns A to F`, `lines 3 to 20`. */
  readonly place: ImportMessage
  readonly isBeside: boolean
  /** As they are where it is a pool. */
  readonly findings: readonly Finding[]
  readonly headedFrom: number | null
}

/** Reads every block of a table as far as it may be a pool. `name`: that of its tab. */
export function readBlocks(
  rows: readonly CellRow[],
  codes: BucketCodes,
  read: BlockReader,
  name = '',
): ReadBlock[] {
  const begin = Math.max(
    rows.findIndex(({ cells }) => cells.some(isFilled)),
    0,
  )
  const above = rows.slice(0, begin).map(({ line, text }) => ({ line, text, reading: skipped }))
  const blocks = findBlocks(rows.slice(begin), codes).flatMap((block) => {
    const title = titleOf(block, codes)
    const kind = kindOf(block, poolWords.test(title) ? [title] : [title, name], codes)
    const [own, rest] = isLeftOut(kind) ? endOfOther(block, codes) : [block, null]
    const first = readBlock(own, { kind, title, name }, read)
    if (rest === null) return [first]
    return [first, readBlock(rest, { kind: 'pool', title: '', name }, read)]
  })
  return blocks.map((block, at) =>
    at === 0 ? { ...block, findings: [...above, ...block.findings] } : block,
  )
}

const isLeftOut = (kind: Kind): boolean => kind !== 'pool' && kind !== 'suggestions'

/** A table that is no pool ends where the lines of one begin. */
function endOfOther(block: Block, codes: BucketCodes): [Block, Block | null] {
  const first = block.rows.findIndex(
    ({ cells }, row) => row > block.header && cells.filter(isFilled).length > 1,
  )
  const at = block.rows.findIndex(({ cells }, row) => {
    const isBelow = row > block.header && (block.header >= 0 || (first >= 0 && row > first))
    const [only = '', another] = isBelow ? cells.filter(isFilled) : ['', '']
    if (only === '' || another !== undefined) return false
    const { kind } = readPlainLine(only, codes)
    return kind === 'slot' || kind === 'heading' || roundOfHeading(only, codes) !== null
  })
  return at < 0
    ? [block, null]
    : [
        { ...block, rows: block.rows.slice(0, at) },
        { ...block, rows: block.rows.slice(at), header: -1 },
      ]
}

function readBlock(
  block: Block,
  { kind, title, name }: { readonly kind: Kind; readonly title: string; readonly name: string },
  read: BlockReader,
): ReadBlock {
  const copy = block.rows.find(({ isCopy }) => isCopy === true)?.line
  const own = block.rows.filter(({ isCopy }) => isCopy !== true)
  const [first, last] = [own[0]?.line ?? 1, own.at(-1)?.line ?? 1]
  const [from, to] = block.columns?.map(letters) ?? []
  const here =
    from === undefined
      ? say('atLines', { n: first === last ? 1 : 2, lines: range(first, last) })
      : say('atColumns', { n: from === to ? 1 : 2, columns: range(from, to!) })
  const tab = name.slice(0, LONGEST_TITLE).toWellFormed()
  const place = name === '' ? here : say('inTab', { tab, where: { message: here } })
  const facts = { kind, title, place, isBeside: block.columns !== null }
  if (isLeftOut(kind)) {
    const findings = own.map(({ line, text, whole = text }) => ({
      line,
      text: whole,
      reading: skipped,
    }))
    return { ...facts, findings, headedFrom: block.rows[block.header]?.line ?? null }
  }
  const { findings: all, headedFrom } = read(block.rows)
  const findings = askTwice(all.filter(({ line }) => line !== copy))
  const wholes =
    block.columns === null
      ? null
      : new Map(block.rows.map(({ line, text, whole = text }) => [line, whole]))
  const whole = findings.map((finding): Finding => {
    const { reading, line, text } = finding
    const isBare = block.isBare === true && reading.kind === 'slot'
    return {
      ...finding,
      text: wholes?.get(line) ?? text,
      reading: isBare ? { ...reading, rule: 'row' } : reading,
    }
  })
  return { ...facts, findings: whole, headedFrom }
}

/**
 * Asks once which row counts where the rows of a table give a slot two beatmaps: the lower one may have been added when
 * the upper one was replaced, or be a backup.
 */
function askTwice(findings: readonly Finding[]): Finding[] {
  const rows = new Map<string, Finding[]>()
  let round = ''
  for (const finding of findings) {
    round = finding.round?.name ?? round
    const slot = slotOf(finding)
    if (slot === null) continue
    const { code, index } = slot.label!
    const place = `${foldCode(code!)} ${index} ${round}`
    const own = rows.get(place)
    if (own === undefined) rows.set(place, [finding])
    // A third one shows that it is no pool with a row replaced.
    else if (own.length < 3) own.push(finding)
  }
  const twice = [...rows.values()].filter(
    ([upper, lower, more]) =>
      more === undefined && lower !== undefined && idOf(upper!) !== idOf(lower),
  )
  const [first] = twice
  if (first === undefined) return [...findings]
  const { code, index } = slotOf(first[0]!)!.label!
  const [upper, lower] = [new Set(twice.map(([one]) => one)), new Set(twice.map(([, one]) => one))]
  const text = say('twiceSlot', { slot: `${code}${index}` })
  return findings.map((finding) => {
    if (!upper.has(finding) && !lower.has(finding)) return finding
    const { round: start, ...line } = finding
    const slot = slotOf(finding)!
    const reading = asked(
      twice.length === 1 ? text : say('twiceSlots', { n: twice.length }),
      [
        [say('lowerRow', { id: idOf(first[1]!) }), lower.has(finding) ? slot : skipped],
        [say('upperRow', { id: idOf(first[0]!) }), upper.has(finding) ? slot : skipped],
      ],
      `twice ${first[0]!.line}`,
    )
    return { ...line, reading, ...(start && { round: start }) }
  })
}

/** A row with a slot of its own below a header. */
function slotOf({ reading }: Finding): SlotReading | null {
  if (reading.kind !== 'slot' || reading.rule !== 'columns' || reading.isCell !== true) return null
  return reading.label?.code == null || reading.label.index === null ? null : reading
}

const idOf = (finding: Finding): number => slotOf(finding)?.beatmapId ?? 0

/** Lines without cells, as the one block that they are. */
export function blockOfLines(read: ReturnType<BlockReader>): ReadBlock {
  return {
    ...read,
    kind: 'pool',
    title: '',
    place: say('atLines', { n: 1, lines: 1 }),
    isBeside: false,
  }
}

type JoinedBlocks = { readonly findings: Finding[]; readonly notes: ImportMessage[] }

/**
 * The findings of the blocks of a table. What is no pool is left out with a note; suggestions are, too, where there is
 * a pool. Of blocks that exclude one another it is asked once which of them is the pool.
 *
 * @param isElsewhere whether another tab has a pool.
 */
export function joinBlocks(blocks: readonly ReadBlock[], isElsewhere = false): JoinedBlocks {
  const isPool = (block: ReadBlock): boolean => block.kind === 'pool' && countOf(block) > 0
  const hasPool = isElsewhere || blocks.some(isPool)
  const all = blocks
    .filter(({ kind }) => isLeftOut(kind) || (kind === 'suggestions' && hasPool))
    .map(({ kind, title, place }) => {
      const inside = { message: place }
      const titled = { title: title.slice(0, LONGEST_TITLE).toWellFormed(), where: inside }
      const where = title === '' ? inside : { message: say('titled', titled) }
      return say(kind as Exclude<typeof kind, 'pool'>, { where })
    })
  const more = all.length - MOST_NOTES
  const notes = more > 0 ? [...all.slice(0, MOST_NOTES), say('moreTables', { n: more })] : all
  const kept = blocks.map((block): ReadBlock => {
    if (block.kind !== 'suggestions') return block
    return hasPool ? { ...block, findings: block.findings.map(without) } : askOne(block)
  })
  return { findings: settleRivals(kept).flatMap(({ findings }) => findings), notes }
}

const LONGEST_TITLE = 40

const without = ({ line, text }: Finding): Finding => ({ line, text, reading: skipped })

const countOf = ({ findings }: ReadBlock): number =>
  findings.filter(({ reading: { kind } }) => kind === 'slot' || kind === 'asked').length

/** Suggestions without a pool may be what is wanted. */
function askOne(block: ReadBlock): ReadBlock {
  if (countOf(block) === 0) return block
  return asChoices(
    block,
    `suggestions ${block.place}`,
    say('isSuggestions', { what: { message: nameOf(block) } }),
    [say('noLeaveIt'), say('yesUseIt')],
    1,
  )
}

/** Each finding as a question whose answers use it or leave it out; they correspond over all blocks of the question. */
function asChoices(
  block: ReadBlock,
  topic: string,
  question: ImportMessage,
  texts: readonly ImportMessage[],
  own: number,
): ReadBlock {
  return {
    ...block,
    findings: block.findings.map((finding): Finding => {
      const { reading, round: _, ...line } = finding
      if (reading.kind === 'skipped') return finding
      const used: Choice['reading'] =
        reading.kind === 'asked' ? refused(reasons.unnamedColumns) : reading
      const choices = texts.map((text, at) => [text, at === own ? used : skipped] as const)
      return { ...line, reading: asked(question, choices, topic) }
    }),
  }
}

const MOST_CHOICES = 3
/** More say nothing new. */
const MOST_NOTES = 20

function nameOf(block: ReadBlock): ImportMessage {
  const facts = { where: { message: block.place }, n: countOf(block) }
  const title = block.title.slice(0, LONGEST_TITLE).toWellFormed()
  return title === '' ? say('tableAt', facts) : say('tableTitled', { ...facts, title })
}

/** Of blocks in the same round that have the same slots, each is a round by its title, or it is asked which is the pool. */
function settleRivals(blocks: readonly ReadBlock[]): ReadBlock[] {
  const groups: number[][] = []
  let current: number[] = []
  /** Whether the rows above end with the heading of a round. */
  let isHeaded = false
  for (const [at, block] of blocks.entries()) {
    if (block.kind === 'pool' && countOf(block) > 0) {
      if (current.length === 0 || isHeaded || roundFirst(block)) {
        current = []
        groups.push(current)
      }
      current.push(at)
      isHeaded = false
    }
    isHeaded ||= endsInRound(block)
  }
  const settled = [...blocks]
  for (const group of groups) {
    const own = group.map((at) => blocks[at]!)
    const numbered = rivalsAmong(own.map(labelsOf))
    // A bucket that comes again may go on, unless each table has a title of its own.
    const isOfCodes = numbered.length < 2
    const places = isOfCodes ? rivalsAmong(own.map(codesOf)) : numbered
    const rivals = places.map((place) => group[place]!)
    if (rivals.length < 2) continue
    const titles = rivals.map((at) => blocks[at]!.title)
    const [first = 0] = rivals
    const isNamed = (title: string, place: number): boolean =>
      isOwnName(title) || (place === 0 && roundFirst(blocks[first]!))
    if (new Set(titles.map(foldName)).size === titles.length && titles.every(isNamed)) {
      for (const at of rivals) settled[at] = inRound(blocks[at]!)
      continue
    }
    if (isOfCodes && !comeAgain(rivals.map((at) => blocks[at]!))) continue
    const offered = rivals.slice(0, MOST_CHOICES)
    const texts = offered.map((at) => nameOf(blocks[at]!))
    for (const [own, at] of rivals.entries()) {
      settled[at] = asChoices(blocks[at]!, `blocks ${first}`, say('whichPool'), texts, own)
    }
  }
  return settled
}

/** Whether two buckets or more whose slots have no numbers come again in another block. */
function comeAgain(blocks: readonly ReadBlock[]): boolean {
  const codes = blocks.map(({ findings }) => {
    const labels = findings.flatMap(
      ({ reading }) => (reading.kind === 'slot' ? reading.label : null) ?? [],
    )
    return new Set(
      labels.flatMap(({ code, index }) =>
        code === null || index !== null ? [] : [foldCode(code)],
      ),
    )
  })
  return codes.some((own, at) =>
    codes.slice(0, at).some((above) => [...own].filter((code) => above.has(code)).length > 1),
  )
}

/** Whether a block begins with a round of its own. */
function roundFirst({ findings }: ReadBlock): boolean {
  const round = findings.findIndex((finding) => finding.round !== undefined)
  const slot = findings.findIndex(({ reading: { kind } }) => kind === 'slot' || kind === 'asked')
  return round >= 0 && round <= slot
}

function endsInRound({ findings }: ReadBlock): boolean {
  const round = findings.findLastIndex(
    (each) => each.round !== undefined && each.round.by !== 'cell',
  )
  return (
    findings.slice(round).every(({ reading: { kind } }) => kind !== 'slot' && kind !== 'asked') &&
    round >= 0
  )
}

const poolWords =
  /^(?:(?:the|final|current|new|main|full|tournament)\s+)*(?:map\s*pools?|pools?|maps|mappool)$/i

/** Whether a title tells a block from others, and is not just called a pool. */
function isOwnName(title: string): boolean {
  return title !== '' && !poolWords.test(title) && !isAside(title)
}

function inRound(block: ReadBlock): ReadBlock {
  if (roundFirst(block)) return block
  const [first, ...others] = block.findings
  if (first === undefined) return block
  const round = { name: block.title, by: 'usual' } as const
  return { ...block, findings: [{ ...first, reading: skipped, round }, ...others] }
}

/** The places of the blocks that have other beatmaps in the same slots than another one. */
function rivalsAmong(labels: readonly ReadonlyMap<string, number>[]): number[] {
  const ids = new Map<string, Set<number>>()
  for (const [label, id] of labels.flatMap((own) => [...own])) {
    ids.set(label, (ids.get(label) ?? new Set()).add(id))
  }
  return [...labels.keys()].filter((at) =>
    [...labels[at]!.keys()].some((label) => ids.get(label)!.size > 1),
  )
}

function labelsOf({ findings, isBeside }: ReadBlock): Map<string, number> {
  const labels = new Map<string, number>()
  const isLabelled = (reading: Reading): boolean =>
    reading.kind === 'slot' &&
    reading.label?.code != null &&
    (reading.label.index !== null || isBeside)
  for (const { reading } of findings) {
    const own = reading.kind === 'asked' ? reading.choices[0]?.reading : reading
    if (own?.kind !== 'slot' || !isLabelled(own)) continue
    const { code, index } = own.label!
    labels.set(`${foldCode(code!)} ${index ?? ''}`, own.beatmapId)
  }
  return labels
}

/** The first beatmap of each bucket in rows of a table. */
function codesOf({ findings, headedFrom }: ReadBlock): Map<string, number> {
  const labels = new Map<string, number>()
  for (const { reading } of findings) {
    if (reading.kind !== 'slot' || reading.label?.code == null) continue
    if (headedFrom === null && reading.isCell !== true) continue
    const code = foldCode(reading.label.code)
    if (!labels.has(code)) labels.set(code, reading.beatmapId)
  }
  return labels
}
