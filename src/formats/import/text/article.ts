import { inNone } from '../lines/items.ts'
import { findTargets } from '../../../pool/beatmap-links.ts'
import { foldCode } from '../../../pool/slots.ts'
import {
  type Block,
  findBlocks,
  isLinked,
  type Line,
  linesOf,
  LONGEST_ITEM,
  nameOfRound,
  namesApart,
  readBeside,
  type ReadRest,
} from './article-lists.ts'
import { bucketNamed, knownBucket } from '../words/bucket-names.ts'
import { askBelow } from '../tables/plausible-labels.ts'
import { isAside } from '../tables/table-kinds.ts'
import { areBeatmaps } from '../lines/plausible-ids.ts'
import {
  type BucketCodes,
  isKnown,
  type Label,
  readLabel,
  readWords,
  texts,
} from '../words/labels.ts'
import { labelBeforeColon, numberInFront } from '../lines/leading-numbers.ts'
import { proseOf, readPlainLine } from '../lines/lines.ts'
import { isAsideRound, isAsideWord, settleNumbers } from '../lines/lists.ts'
import { hasNoBeatmapLink, plannedOf, plannedOfSet } from '../words/planned.ts'
import { readPlannedLine } from '../lines/plans.ts'
import {
  type Finding,
  type Plan,
  type Reading,
  reasons,
  refused,
  skipped,
  slotReading,
} from '../readings.ts'
import { roundOfFile, roundOfHeading } from '../lines/round-names.ts'
import type { FoundShape } from '../shapes.ts'
import { say } from '../import-message.ts'

/**
 * Reads an article as wikis have it: sections of rounds, in them a list of buckets, and below each a list of its
 * beatmaps, in order. Of the rest, which is about players, rules and results, only what has slots by itself is read. A name
 * that has such a list is a bucket's, and the heading above it a round's, in whatever language they are.
 *
 * @returns null for a text that is not made so, or that has beatmaps elsewhere as well.
 */
export function readArticle(
  text: string,
  codes: BucketCodes,
  readRest: ReadRest,
): { shape: FoundShape; findings: Finding[] } | null {
  const lines = linesOf(text)
  const blocks = findBlocks(lines, codes)
  // Lines that only have a list below them are any post's.
  if (![...blocks.keys()].some((at) => lines[at]!.kind !== 'text')) return null
  const reader = new ArticleReader(lines, blocks, codes, readRest)
  const isOutside = (line: Line, at: number): boolean => !reader.items.has(at) && isLinked(line)
  const outside = lines.filter(isOutside).length
  const linked = [...blocks.values()].reduce((sum, block) => sum + block.linked, 0)
  if (outside > linked) return null
  const shape: FoundShape = { id: 'article', isCertain: true, why: say('isArticle') }
  return { shape, findings: settleNumbers(reader.read(), codes) }
}

class ArticleReader {
  /** The places of all that are slots. */
  readonly items: ReadonlySet<number>
  readonly #listed: ReadonlySet<number>
  /** Items with a bullet among those of a numbered list: they are no slot of their own. */
  readonly #strays: ReadonlySet<number>
  readonly #lines: readonly Line[]
  readonly #blocks: ReadonlyMap<number, Block>
  readonly #codes: BucketCodes
  readonly #names: ReadonlyMap<number, string>
  /** The codes of its buckets, folded: items may name what they are below, too. */
  readonly #buckets: ReadonlySet<string>
  /** Labels that items begin with, of codes that nothing else names, where all items of a list have the same code. */
  readonly #others: ReadonlyMap<number, Label>
  /** The numbers of slots without a bucket, by the place of their items. */
  readonly #apart: ReadonlyMap<number, number>
  /** What lines that are in no list say, by the place of the first of them, where they have slots by themselves. */
  readonly #rest: ReturnType<typeof readBeside>

  constructor(
    lines: readonly Line[],
    blocks: ReadonlyMap<number, Block>,
    codes: BucketCodes,
    readRest: ReadRest,
  ) {
    this.#lines = lines
    this.#blocks = blocks
    this.#codes = codes
    this.#listed = new Set([...blocks.values()].flatMap(({ items }) => items))
    this.#rest = readBeside(lines, blocks, codes, readRest)
    this.#strays = new Set([...blocks.values()].flatMap((block) => this.#straysIn(block)))
    this.#names = this.#roundNames()
    const codesOf = (at: number) => bucketNamed(lines[at]!.body, codes)?.code ?? []
    this.#buckets = new Set([...blocks.keys()].flatMap(codesOf).map(foldCode))
    this.#others = new Map([...blocks.values()].flatMap((block) => this.#labelsIn(block)))
    this.#apart = new Map([...this.#names.keys()].flatMap((at) => this.#numberedBelow(at)))
    this.items = new Set([...this.#listed, ...this.#apart.keys()])
  }

  read(): Finding[] {
    let isPool = this.#names.size === 0
    let readUntil = 0
    let aside: string | null = null
    let around: string | null = null
    return this.#lines.flatMap((each, at): Finding | readonly Finding[] => {
      const { line, kind, body } = each
      const rest = this.#rest.get(at)
      if (rest !== undefined) readUntil = at + rest.length
      if (at < readUntil) return rest?.findings ?? []
      const text = each.text.slice(0, LONGEST_ITEM)
      const name = this.#names.get(at)
      if (name !== undefined) {
        isPool = true
        around = isAsideRound(name) ? name : null
        return { line, text, reading: skipped, round: roundOfFile(name) }
      }
      if (this.#blocks.has(at)) {
        const isBucket = knownBucket(body, this.#codes) !== null
        aside = !isBucket && (isAside(body) || isAsideWord(body)) ? body : around
        return { line, text, reading: this.#heading(at) }
      }
      const number = this.#apart.get(at)
      if (number !== undefined) return { line, text, reading: inNone(this.#item(at), number) }
      if (this.items.has(at)) {
        const reading = this.#item(at)
        return { line, text, reading: aside === null ? reading : askBelow(aside, reading) }
      }
      if (kind === 'heading') isPool = false
      if (kind === 'blank') return { line, text, reading: skipped }
      const isOwn = isPool && (isLinked(each) || kind !== 'heading')
      return { line, text, reading: isOwn ? this.#beside(each) : proseOf(body) }
    })
  }

  /** A beatmap in the section of a round, but in none of its lists: `- Tiebreaker: [Artist - Title](…)`. */
  #beside(line: Line): Reading {
    const { body } = line
    const reading = readPlannedLine(body, this.#codes)
    if (!isLinked(line)) return reading.kind === 'slot' ? areBeatmaps(reading) : proseOf(body)
    const isPlaced = reading.kind !== 'slot' || reading.label?.code != null
    return isPlaced ? reading : refused(reasons.unclearSlot)
  }

  /** Above several items a number is how many there are. */
  #heading(at: number): Reading {
    const label = bucketNamed(this.#lines[at]!.body, this.#codes)
    if (label === null) return skipped
    const index = this.#blocks.get(at)!.items.length > 1 ? null : label.index
    return { kind: 'heading', label: { ...label, index }, isSoft: true }
  }

  #straysIn({ items }: Block): number[] {
    const bullets = items.filter((at) => this.#lines[at]!.ordinal === null)
    return bullets.length * 2 <= items.length ? bullets : []
  }

  /** A beatmap of a bucket, or what is planned for its place. */
  #item(at: number): Reading {
    const { body, ordinal } = this.#lines[at]!
    if (this.#strays.has(at) && isLinked(this.#lines[at]!)) return refused(reasons.unclearSlot)
    const counted = ordinal === null ? {} : { ordinal }
    const [beatmapId, another] = new Set(findTargets(body).flatMap((each) => each.beatmapId ?? []))
    if (another !== undefined) return { ...refused(reasons.severalBeatmaps), isItem: true }
    if (beatmapId !== undefined) {
      const written = this.#labelAt(at)
      const label = this.#isBucket(written) ? written : (this.#others.get(at) ?? null)
      // What it says is not known to be a slot, nor to be none.
      if (written !== null && label === null)
        return { ...refused(reasons.unclearSlot), isItem: true }
      return { ...slotReading(label, beatmapId, label === null ? 'alone' : 'line'), ...counted }
    }
    const isLinkedSet = isLinked(this.#lines[at]!)
    if (!isLinkedSet && !hasNoBeatmapLink(body))
      return { ...refused(reasons.otherLink), isItem: true }
    const number = isLinkedSet ? null : this.#numberIn(body)
    if (number !== null) return areBeatmaps({ ...slotReading(null, number, 'alone'), ...counted })
    const own = labelBeforeColon(body, this.#codes)
    const { label, rest } = this.#isBucket(own?.label) ? own! : { label: null, rest: body }
    const set = isLinkedSet ? plannedOfSet(rest) : null
    const plan: Plan = { label, filling: set ?? plannedOf(rest), isSure: true, ...counted }
    return set === null
      ? { ...refused(reasons.noBeatmap), isItem: true, plan }
      : { ...refused(reasons.wholeSet), isItem: true, plan: { ...plan, refusal: reasons.wholeSet } }
  }

  /** The number of an item without a link that would be the id behind a label. */
  #numberIn(body: string): number | null {
    const reading = readPlannedLine(`TB1 ${body}`, this.#codes)
    const slot = reading.kind === 'asked' ? reading.choices[1]?.reading : reading
    return slot?.kind === 'slot' && slot.label?.index === 1 ? slot.beatmapId : null
  }

  /** The label with a number that an item has in front of its link. */
  #labelAt(at: number): Label | null {
    const { body } = this.#lines[at]!
    const own = readPlainLine(body, this.#codes)
    const ends = [body.indexOf('['), ...findTargets(body).map(({ start }) => start)]
    const inFront = readWords(body.slice(0, Math.min(...ends.filter((end) => end >= 0))))
    const labels = [
      own.kind === 'slot' && own.isTitled !== true ? own.label : null,
      // `EX1 3`
      readLabel(texts(inFront), this.#codes),
    ].filter((label) => label?.code != null && label.index !== null)
    const known = labels.find((label) => this.#isBucket(label))
    const code = (labels[0]?.code ?? '').normalize('NFKC')
    // `No. 2 […](…)`
    const isWord = code !== code.toUpperCase() || code === code.toLowerCase()
    const isNumber = isWord && numberInFront(body, 0) !== null
    return known ?? (isNumber ? null : (labels[0] ?? null))
  }

  #isBucket(label: Label | null | undefined): boolean {
    return isKnown(label, this.#codes) || this.#buckets.has(foldCode(label?.code ?? ''))
  }

  #labelsIn({ items, linked }: Block): [at: number, label: Label][] {
    const found = items.flatMap((at): [number, Label][] => {
      const label = isLinked(this.#lines[at]!) ? this.#labelAt(at) : null
      return label === null ? [] : [[at, label]]
    })
    const codes = new Set(found.map(([, { code }]) => foldCode(code ?? '')))
    return found.length > 1 && found.length === linked && codes.size === 1 ? found : []
  }

  /** A numbered list between the heading of a round and its first bucket is of slots without one. */
  #numberedBelow(round: number): [at: number, number: number][] {
    const found: [number, number][] = []
    let linked = 0
    for (let at = round + 1; at < this.#lines.length && !this.#blocks.has(at); at += 1) {
      const { kind, body, ordinal } = this.#lines[at]!
      if (kind === 'heading') return []
      if (kind !== 'item') continue
      const number = ordinal ?? Number(/^([0-9]{1,3}):\s/.exec(body)?.[1] ?? Number.NaN)
      const isWhole = wholeLink.test(body)
      // What else has a link is a sentence, as in rules.
      if (Number.isNaN(number) || (!isWhole && body.includes('://'))) return []
      linked += Number(isWhole)
      found.push([at, number])
    }
    const isOnce = new Set(found.map(([, number]) => number)).size === found.length
    return isOnce && linked * 2 >= found.length ? found : []
  }

  /** Items that have lists of buckets below them: `- Finals`, then `  - NoMod`. */
  #listsOfBuckets(): Set<number> {
    const above: number[] = []
    const found = new Set<number>()
    for (const [at, { kind, depth }] of this.#lines.entries()) {
      if (kind === 'heading') above.length = 0
      if (kind !== 'item' || this.#listed.has(at)) continue
      while (above.length > 0 && this.#lines[above.at(-1)!]!.depth >= depth) above.pop()
      const parent = above.at(-1)
      if (!this.#blocks.has(at)) above.push(at)
      else if (parent !== undefined) found.add(parent)
    }
    return found
  }

  #mayBeRound({ kind, text }: Line): boolean {
    if (kind !== 'text') return kind === 'heading'
    return !text.includes('[') && roundOfHeading(text, this.#codes)?.by === 'usual'
  }

  /** The names of rounds, by the place of their headings: those with buckets below them. */
  #roundNames(): Map<number, string> {
    const path: { readonly at: number; readonly depth: number; readonly name: string }[] = []
    const found = new Map<number, readonly string[]>()
    const lists = this.#listsOfBuckets()
    for (const [at, line] of this.#lines.entries()) {
      const isRest = this.#rest.has(at)
      const isOwn = !this.#blocks.has(at) && !isRest
      if ((isOwn && this.#mayBeRound(line)) || lists.has(at)) {
        // A list of rounds is deeper than all headings.
        const depth = line.kind === 'heading' ? line.depth : DEEPEST_HEADING + 1 + line.depth
        while ((path.at(-1)?.depth ?? 0) >= depth) path.pop()
        path.push({ at, depth, name: nameOfRound(line, this.#codes) })
      }
      const own = path.at(-1)
      if ((this.#blocks.has(at) || isRest) && own !== undefined && !found.has(own.at))
        found.set(
          own.at,
          path.map(({ name }) => name),
        )
    }
    return namesApart(found)
  }
}

const DEEPEST_HEADING = 6
const wholeLink = /^(?:[0-9]{1,3}:\s+)?\[.*\]\(\S+\)$/
