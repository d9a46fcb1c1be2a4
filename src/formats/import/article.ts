import { findTargets } from '../../pool/beatmap-links.ts'
import { bucketNamed, knownBucket } from './bucket-names.ts'
import { type BucketCodes, isFilled, isKnown, type Label } from './labels.ts'
import { readPlainLine } from './lines.ts'
import { withoutStruck } from './items.ts'
import { linksIn } from './links.ts'
import { hasNoBeatmapLink, plannedOf, plannedOfSet } from './planned.ts'
import { readPlannedLine } from './plans.ts'
import {
  type Finding,
  type Plan,
  type Reading,
  reasons,
  refused,
  type RefusedReading,
  skipped,
  slotReading,
} from './readings.ts'
import { roundOfFile, roundOfHeading } from './round-names.ts'
import type { FoundShape } from './shapes.ts'
import { say } from './import-message.ts'

/** A line of Markdown. */
type Line = {
  readonly line: number
  readonly text: string
  readonly kind: 'blank' | 'heading' | 'item' | 'text'
  /** Of a heading 1 to 6; of an item or a text the columns in front of it. */
  readonly depth: number
  /** Without what marks it. */
  readonly body: string
  readonly ordinal: number | null
}

/** A line that may name a bucket, and the items below it. */
type Block = {
  readonly head: number
  readonly items: readonly number[]
  /** How many of them have links to beatmaps or sets. */
  readonly linked: number
}

const heading = /^\s{0,3}(#{1,6})\s+(\S.*)$/
/** A row of a table of one column, whose header row names a bucket. */
const row = /^\s*\|((?:\\.|[^|\\])*)\|?\s*$/
const rule = /^\s*\|\s*:?-+:?\s*\|?\s*$/
const item = /^([\s>]*)(?:[-*+•]|(\d{1,3})[.)])\s+(\S.*)$/

function lineOf(text: string, line: number, next = ''): Line {
  const plain = text.slice(0, LONGEST_LINE)
  if (!isFilled(plain) && !/[?？]/.test(plain))
    return { line, text, kind: 'blank', depth: 0, body: '', ordinal: null }
  const [, hashes, title = ''] = heading.exec(plain) ?? []
  if (hashes !== undefined) {
    const body = title.trim().replace(/\s#{1,20}$/, '')
    return { line, text, kind: 'heading', depth: hashes.length, body, ordinal: null }
  }
  const [, gap = '', number, body = ''] = item.exec(plain) ?? []
  if (body !== '') {
    const ordinal = number === undefined ? null : Number(number)
    return {
      line,
      text,
      kind: 'item',
      depth: columnsOf(gap),
      body: withoutBold(withoutStruck(body)),
      ordinal,
    }
  }
  const [, cell = ''] = row.exec(plain) ?? []
  if (isFilled(cell)) {
    const depth = rule.test(next.slice(0, LONGEST_LINE)) ? 0 : 1
    return { line, text, kind: 'item', depth, body: withoutBold(cell), ordinal: null }
  }
  return { line, text, kind: 'text', depth: 0, body: plain.trim(), ordinal: null }
}

/** Tiebreakers are bold. */
const withoutBold = (body: string): string => body.trim().replace(/^(\*\*|__)(.+)\1$/, '$2')

const LONGEST_LINE = 2000
const TAB = 4

function columnsOf(gap: string): number {
  const plain = gap.replaceAll('>', '')
  return plain.length + (plain.split('\t').length - 1) * (TAB - 1)
}

/**
 * Reads an article as wikis have it: sections of rounds, in them a list of buckets, and below each a list of its
 * beatmaps, in order. Only these lists are read, as the rest of an article is about players, rules and results. A name
 * that has such a list is a bucket's, and the heading above it a round's, in whatever language they are.
 *
 * @returns null for a text that is not made so, or that has beatmaps elsewhere as well.
 */
export function readArticle(
  text: string,
  codes: BucketCodes,
): { shape: FoundShape; findings: Finding[] } | null {
  const texts = text.split(/\r\n|\r|\n/)
  const lines = withWholeLinks(texts.map((each, at) => lineOf(each, at + 1, texts[at + 1])))
  const blocks = findBlocks(lines, codes)
  // Lines that only have a list below them are any post's.
  if (![...blocks.keys()].some((at) => lines[at]!.kind !== 'text')) return null
  const inBlocks = new Set([...blocks.values()].flatMap(({ items }) => items))
  const isOutside = (line: Line, at: number): boolean => !inBlocks.has(at) && isLinked(line)
  const outside = lines.filter(isOutside).length
  const linked = [...blocks.values()].reduce((sum, block) => sum + block.linked, 0)
  if (outside > linked) return null
  const findings = new ArticleReader(lines, blocks, codes).read()
  const why = say('isArticle')
  return { shape: { id: 'article', isCertain: true, why }, findings }
}

/** The text of a link may go on in the next line: that is a part of the item, whatever it begins with. */
function withWholeLinks(lines: readonly Line[]): Line[] {
  const whole = [...lines]
  for (const [at, line] of lines.entries()) {
    if (line.kind !== 'item' || !openLink.test(line.body)) continue
    // Line breaks may be doubled.
    const next = lines[at + 1]?.kind === 'blank' ? at + 2 : at + 1
    const rest = lines[next]?.text.slice(0, LONGEST_LINE).trim() ?? ''
    if (!closedLink.test(rest)) continue
    whole[at] = { ...line, body: `${line.body} ${rest}` }
    whole[next] = { ...lines[next]!, kind: 'blank', body: '' }
  }
  return whole
}

const openLink = /^[^[\]]{0,40}\[[^[\]]{1,200}$/
const closedLink = /^[^[\]]{0,200}\]\(https?:/

const isLinked = ({ body }: Line): boolean => findTargets(body).length > 0

/** The blocks of buckets by the place of their first line. */
function findBlocks(lines: readonly Line[], codes: BucketCodes): Map<number, Block> {
  const found = new Map<number, Block>()
  let section: Block[] = []
  /** How deep the headings of buckets in the section are; those beside them are of buckets, too. */
  let bucketDepth = 0
  const endSection = (): void => {
    for (const block of bucketsOf(section, lines, codes)) found.set(block.head, block)
    section = []
    bucketDepth = 0
  }
  for (const [at, line] of lines.entries()) {
    if (line.kind === 'blank') continue
    if (line.kind === 'heading') {
      if (isBucketHeading(line, codes)) bucketDepth = line.depth
      else if (line.depth !== bucketDepth) endSection()
    }
    const block = blockAt(lines, at)
    if (block !== null) section.push(block)
  }
  endSection()
  return found
}

function isBucketHeading({ body }: Line, codes: BucketCodes): boolean {
  return knownBucket(body, codes) !== null
}

/** What a line has below it, if it is a short name and that is a list: of an item, one further to the right. */
function blockAt(lines: readonly Line[], head: number): Block | null {
  const { kind, depth, body } = lines[head]!
  if (body.length > LONGEST_NAME || body.includes('://') || findTargets(body).length > 0)
    return null
  const least = kind === 'item' ? depth + 1 : 0
  const items: number[] = []
  let first = -1
  let linked = 0
  for (let at = head + 1; at < lines.length; at += 1) {
    const line = lines[at]!
    if (line.kind === 'blank') continue
    if (line.kind !== 'item' || line.depth < least) break
    if (first < 0) first = line.depth
    // Tabs and spaces in one list.
    first = Math.min(first, line.depth)
    // What is further in is a remark on the item above it.
    if (line.depth > first + INDENT_SLIP) continue
    items.push(at)
    if (findTargets(line.body).length > 0) linked += 1
  }
  return items.length === 0 ? null : { head, items, linked }
}

const LONGEST_NAME = 80
/** Lists that are indented by hand may vary by a column. */
const INDENT_SLIP = 1

/** The blocks of a section that are buckets: those of a kind of which one has beatmaps, with what shows that they are. */
function bucketsOf(section: readonly Block[], lines: readonly Line[], codes: BucketCodes): Block[] {
  if (section.every(({ linked }) => linked === 0)) return []
  const kindOf = ({ head }: Block): string => {
    const { kind, depth } = lines[head]!
    return kind === 'heading' ? `heading ${depth}` : kind === 'item' ? `item ${depth}` : 'text'
  }
  const isNamed = ({ head }: Block): boolean => knownBucket(lines[head]!.body, codes) !== null
  const named = new Set(section.filter(isNamed).map(kindOf))
  return section.filter((block) => {
    const isBucket = isNamed(block) || named.has(kindOf(block))
    const isItem = lines[block.head]!.kind === 'item'
    // A name of its own needs beatmaps, or others beside it that are buckets.
    if (!isBucket && !(isItem && block.linked * 2 >= block.items.length)) return false
    if (bucketNamed(lines[block.head]!.body, codes) === null) return false
    return !isLabelled(block, lines, codes)
  })
}

/** Whether most items name their slots themselves: then what is above them is a round, or anything else. */
function isLabelled({ head, items }: Block, lines: readonly Line[], codes: BucketCodes): boolean {
  const own = bucketNamed(lines[head]!.body, codes)
  const labelled = items.filter((at) => {
    const reading = readPlainLine(lines[at]!.body, codes)
    if (reading.kind !== 'slot' || reading.isTitled === true) return false
    return isKnown(reading.label, codes) && reading.label.code !== own?.code
  })
  return labelled.length * 2 > items.length
}

class ArticleReader {
  readonly #lines: readonly Line[]
  readonly #blocks: ReadonlyMap<number, Block>
  readonly #codes: BucketCodes
  readonly #names: ReadonlyMap<number, string>

  constructor(lines: readonly Line[], blocks: ReadonlyMap<number, Block>, codes: BucketCodes) {
    this.#lines = lines
    this.#blocks = blocks
    this.#codes = codes
    this.#names = this.#roundNames()
  }

  read(): Finding[] {
    const items = new Set([...this.#blocks.values()].flatMap((block) => block.items))
    let isPool = this.#names.size === 0
    return this.#lines.map((each, at): Finding => {
      const { line, kind, body } = each
      const text = each.text.slice(0, LONGEST_LINE)
      const name = this.#names.get(at)
      if (name !== undefined) {
        isPool = true
        return { line, text, reading: skipped, round: roundOfFile(name) }
      }
      if (this.#blocks.has(at)) return { line, text, reading: this.#heading(body) }
      if (items.has(at)) return { line, text, reading: this.#item(at) }
      if (kind === 'heading') isPool = false
      if (kind === 'blank') return { line, text, reading: skipped }
      return { line, text, reading: isPool && isLinked(each) ? this.#beside(body) : proseOf(body) }
    })
  }

  /** A beatmap in the section of a round, but in none of its lists: `- Tiebreaker: [Artist - Title](…)`. */
  #beside(body: string): Reading {
    const reading = readPlannedLine(body, this.#codes)
    const isPlaced = reading.kind !== 'slot' || reading.label?.code != null
    return isPlaced ? reading : refused(reasons.unclearSlot)
  }

  #heading(body: string): Reading {
    const label = bucketNamed(body, this.#codes)
    return label === null ? skipped : { kind: 'heading', label, isSoft: true }
  }

  /** A beatmap of a bucket, or what is planned for its place. */
  #item(at: number): Reading {
    const { body, ordinal } = this.#lines[at]!
    const counted = ordinal === null ? {} : { ordinal }
    const ids = new Set(findTargets(body).flatMap(({ beatmapId }) => beatmapId ?? []))
    const [beatmapId, another] = ids
    if (another !== undefined) return { ...refused(reasons.severalBeatmaps), isItem: true }
    const own = readPlainLine(body, this.#codes)
    const isOwn = own.kind === 'slot' && own.isTitled !== true && isNumbered(own.label, this.#codes)
    if (beatmapId !== undefined) {
      const label = isOwn ? own.label : null
      return { ...slotReading(label, beatmapId, label === null ? 'alone' : 'line'), ...counted }
    }
    const isLinkedSet = isLinked(this.#lines[at]!)
    if (!isLinkedSet && !hasNoBeatmapLink(body))
      return { ...refused(reasons.otherLink), isItem: true }
    const set = isLinkedSet ? plannedOfSet(body) : null
    const refusal = set === null ? {} : { refusal: reasons.wholeSet }
    const filling = set ?? plannedOf(body)
    const plan: Plan = { label: null, filling, isSure: true, ...counted, ...refusal }
    const reason = set === null ? reasons.noBeatmap : reasons.wholeSet
    return { ...refused(reason), isItem: true, plan }
  }

  /** The names of rounds, by the place of their headings: those with buckets below them. */
  #roundNames(): Map<number, string> {
    const path: { readonly at: number; readonly depth: number; readonly name: string }[] = []
    const found = new Map<number, { readonly name: string; readonly above: string }>()
    for (const [at, line] of this.#lines.entries()) {
      if (line.kind === 'heading' && !this.#blocks.has(at)) {
        while ((path.at(-1)?.depth ?? 0) >= line.depth) path.pop()
        path.push({ at, depth: line.depth, name: nameOfRound(line, this.#codes) })
      }
      const own = path.at(-1)
      if (this.#blocks.has(at) && own !== undefined && !found.has(own.at)) {
        found.set(own.at, { name: own.name, above: path.at(-2)?.name ?? '' })
      }
    }
    // Divisions have rounds of the same names.
    const [once, again] = [new Set<string>(), new Set<string>()]
    for (const { name } of found.values()) (once.has(name) ? again : once).add(name)
    return new Map(
      [...found].map(([at, { name, above }]) => [
        at,
        !again.has(name) || above === '' ? name : `${above} ${name}`,
      ]),
    )
  }
}

function isNumbered(label: Label | null, codes: BucketCodes): boolean {
  return isKnown(label, codes) && label.index !== null
}

function nameOfRound({ text, body }: Line, codes: BucketCodes): string {
  const plain = body.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
  return (
    roundOfHeading(text, codes)?.name ??
    plain.replaceAll(/[*_`]{1,3}|\\(?=[!-/:-@[-`{-~])/g, '').trim()
  )
}

/** Of the rest of an article only the links matter: some lead to map packs and showcases. */
function proseOf(body: string): Reading {
  const links = linksIn(body).filter(({ kind }) => kind === 'mapPack' || kind === 'showcase')
  const reading: RefusedReading = { ...refused(reasons.otherLink), isProse: true, links }
  return links.length === 0 ? skipped : reading
}
