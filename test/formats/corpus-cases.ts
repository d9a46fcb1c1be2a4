import { readdirSync, readFileSync } from 'node:fs'
import type { Bucket } from '../../src/contract/pools.ts'
import { FormatError } from '../../src/formats/format-error.ts'
import { readImportFile } from '../../src/formats/import/read-import-file.ts'
import { HALF } from '../../src/formats/import/questions.ts'
import type { Import, ImportedLine, ImportedPool } from '../../src/formats/import/read-import.ts'
import { slotWords } from '../../src/pool/round-fields.ts'
import { foldCode, isCustom, slotLabel } from '../../src/pool/slots.ts'

/** What a person reads out of a file; what is empty is left out. */
export type Expected = {
  /** In order of appearance. */
  readonly pools?: readonly ExpectedPool[]
  /** Lines of which a careful person would ask what they mean, with the slots in question. */
  readonly asked?: readonly { readonly line: number; readonly readings: readonly string[] }[]
  /** Lines, from 1, that name no beatmap that can be used. */
  readonly refused?: readonly number[]
  /** The whole file holds no pool. */
  readonly isRefused?: boolean
}

export type ExpectedPool = {
  /** The round's name, or the pool's; null where the text names none. */
  readonly name: string | null
  /** `NM1 129891`; `Stage1 2 75`, where a code ends in a digit; `- 76` in no bucket. */
  readonly slots: readonly string[]
  /** Slots without a beatmap (D-77), with what they hold in words: `NM4 “???”`, `HD1 empty`. */
  readonly planned?: readonly string[]
  /** `HDHR` for forced mods, `free` for free ones, by code; of the other custom buckets nothing is known. */
  readonly mods?: Readonly<Record<string, string>>
}

/** The files of one folder of the corpus. */
export type CorpusShape = {
  readonly id: string
  readonly title: string
  /** The number of the shape in the list that the corpus began with; null for others. */
  readonly row: number | null
  /** The short text file that shows it best; null where all are binary. */
  readonly sample: string | null
  readonly files: ReadonlyMap<string, Expected>
}

const corpus = new URL('corpus/', import.meta.url)

/** All shapes, those with a number first. */
export function readCorpus(): CorpusShape[] {
  return readdirSync(corpus)
    .map((id): CorpusShape => {
      const { files, ...shape } = JSON.parse(textOf(id, 'expected.json')) as Omit<
        CorpusShape,
        'id' | 'files'
      > & { files: Record<string, Expected> }
      return { id, ...shape, files: new Map(Object.entries(files)) }
    })
    .toSorted((a, b) => (a.row ?? Infinity) - (b.row ?? Infinity) || (a.id < b.id ? -1 : 1))
}

/** The names of the files in the folder of a shape, without its expectations. */
export function filesOf(id: string): string[] {
  return readdirSync(new URL(`${id}/`, corpus)).filter((name) => name !== 'expected.json')
}

export function bytesOf(id: string, file: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(`${id}/${file}`, corpus)))
}

export function textOf(id: string, file: string): string {
  return readFileSync(new URL(`${id}/${file}`, corpus), 'utf8')
}

/** How a file was read, in numbers of expected slots and in sentences. */
export type Verdict = {
  readonly slots: number
  readonly read: number
  /** Read after a question. */
  readonly asked: number
  readonly refused: number
  /** Slots that nobody would read so, or that are lost without a word; wrong mods and names of pools. */
  readonly wrong: readonly string[]
  /** Questions and refusals of lines that are clear to a person. */
  readonly needless: readonly string[]
}

/** Compares what the reader makes of the file with what a person reads. */
export async function judge(bytes: Uint8Array, file: string, expected: Expected): Promise<Verdict> {
  const slots = (expected.pools ?? []).flatMap((pool) => pool.slots).length
  let first: Import
  try {
    first = await readImportFile(bytes, file)
  } catch (cause) {
    if (!(cause instanceof FormatError)) throw cause
    const needless = expected.isRefused ? [] : [`the file is refused: ${cause.message}`]
    return { slots, read: 0, asked: 0, refused: slots, wrong: [], needless }
  }
  const answered: Import[] = []
  const most = Math.max(0, ...first.questions.map(({ choices }) => choices.length))
  for (const choice of ['a', 'b', 'c'].slice(0, most)) {
    answered.push(await readImportFile(bytes, file, { answers: new Map([['*', choice]]) }))
  }
  return new Judgement(first, answered, expected).verdict(slots)
}

class Judgement {
  readonly #import: Import
  readonly #answered: readonly Import[]
  readonly #expected: Expected
  readonly #wrong: string[] = []
  readonly #needless: string[] = []
  #read = 0
  #asked = 0
  #refused = 0

  constructor(first: Import, answered: readonly Import[], expected: Expected) {
    this.#import = first
    this.#answered = answered
    this.#expected = expected
  }

  verdict(slots: number): Verdict {
    this.#judgePools()
    this.#judgeQuestions()
    this.#judgeRefusals()
    return {
      slots,
      read: this.#read,
      asked: this.#asked,
      refused: this.#refused,
      wrong: this.#wrong,
      needless: this.#needless,
    }
  }

  #judgePools(): void {
    const actual = this.#import.pools.filter((pool) => slotsOf(pool).length > 0)
    const expected = this.#expected.pools ?? []
    const left = new Set(actual)
    const pairs = expected.map((pool) => {
      const same = [...left].find((each) => isSameName(pool.name, nameOf(each)))
      if (same !== undefined) left.delete(same)
      return { pool, same }
    })
    for (const { pool, same } of pairs) {
      const found = same ?? [...left][0]
      if (found !== undefined) left.delete(found)
      if (found !== undefined && same === undefined) {
        this.#wrong.push(`the pool ${pool.name ?? '(no name)'} is named ${nameOf(found)}`)
      }
      this.#judgeSlots(pool, found)
    }
    for (const pool of left) {
      const extra = slotsOf(pool).join(', ')
      this.#wrong.push(`a pool ${nameOf(pool) ?? '(no name)'} that is not in the text: ${extra}`)
    }
  }

  #judgeSlots(pool: ExpectedPool, found: ImportedPool | undefined): void {
    const extra = found === undefined ? [] : slotsOf(found)
    const isOpen = this.#import.questions.some(({ id, answer }) => id === HALF && answer === null)
    if (isReordered(extra.filter(isUnlabelled), pool.slots.filter(isUnlabelled))) {
      this.#wrong.push('beatmaps without a slot are in another order')
    }
    for (const slot of pool.slots.map(folded)) {
      const at = extra.indexOf(slot)
      if (at >= 0) {
        extra.splice(at, 1)
        if (isOpen) this.#asked++
        else this.#read++
      } else if (
        this.#answered.some((each) => each.pools.some((one) => slotsOf(one).includes(slot)))
      ) {
        this.#asked++
      } else if (this.#isReported(slot)) this.#refused++
      else this.#wrong.push(`${slot} is missing`)
    }
    for (const slot of extra) this.#wrong.push(`${slot} is not in the text`)
    this.#judgePlanned(pool.planned ?? [], found?.round.slots ?? [])
    if (found !== undefined) this.#judgeMods(pool, found)
  }

  #judgePlanned(planned: readonly string[], slots: ImportedPool['round']['slots']): void {
    const found = slots.flatMap((slot) =>
      slot.beatmapId === undefined ? [`${slotLabel(slot)} ${slotWords(slot)}`] : [],
    )
    for (const slot of planned) if (!found.includes(slot)) this.#wrong.push(`${slot} is missing`)
    for (const slot of found) {
      if (!planned.includes(slot)) this.#wrong.push(`${slot} is not in the text`)
    }
  }

  /** Whether a refused line names the beatmap of the slot. */
  #isReported(slot: string): boolean {
    const id = slot.slice(slot.lastIndexOf(' ') + 1)
    return linesOf(this.#import).some(
      ({ outcome, text }) => outcome === 'refused' && text.split(/\D+/).includes(id),
    )
  }

  #judgeMods({ mods = {} }: ExpectedPool, { draft, lines }: ImportedPool): void {
    const used = new Set(
      lines.map((line) => (line.outcome === 'slot' && line.mod !== null ? foldCode(line.mod) : '')),
    )
    const wanted = new Map(Object.entries(mods).map(([code, set]) => [foldCode(code), set]))
    for (const bucket of draft.buckets ?? []) {
      if (!isCustom(bucket) || !used.has(foldCode(bucket.code))) continue
      const want = wanted.get(foldCode(bucket.code)) ?? 'none'
      const is = modsOf(bucket)
      wanted.delete(foldCode(bucket.code))
      if (sorted(is) !== sorted(want)) {
        this.#wrong.push(`the bucket ${bucket.code} has the mods ${is} instead of ${want}`)
      }
    }
    for (const code of wanted.keys()) {
      if (used.has(code)) this.#wrong.push(`the bucket ${code} has no mods`)
    }
  }

  #judgeQuestions(): void {
    const open = this.#import.questions.filter(({ answer }) => answer === null)
    const expected = new Map((this.#expected.asked ?? []).map((each) => [each.line, each.readings]))
    for (const [line, readings] of expected) {
      if (!open.some(({ lines }) => lines.includes(line))) {
        const isRefused = this.#refusedLines().has(line)
        if (isRefused) this.#needless.push(`line ${line} is refused and not asked`)
        else this.#wrong.push(`line ${line} is not asked`)
        continue
      }
      const offered = new Set(
        this.#answered.flatMap((each) =>
          linesOf(each).flatMap((one) => (one.line === line ? slotsOfLines([one]) : [])),
        ),
      )
      for (const reading of readings.map(folded)) {
        if (!offered.has(reading)) this.#wrong.push(`line ${line} does not offer ${reading}`)
      }
    }
    if (this.#expected.isRefused) return
    for (const { id, lines, text } of open) {
      const needless = id === HALF ? [0] : lines.filter((line) => !expected.has(line))
      if (needless.length > 0) this.#needless.push(`asked at ${needless.join(', ')}: ${text}`)
    }
  }

  #judgeRefusals(): void {
    const refused = this.#refusedLines()
    const asked = new Set(this.#import.questions.flatMap(({ lines }) => lines))
    for (const line of this.#expected.refused ?? []) {
      if (refused.has(line)) continue
      if (asked.has(line)) this.#needless.push(`line ${line} is asked and not refused`)
      else this.#wrong.push(`line ${line} is left out without a word`)
    }
    if (this.#expected.isRefused) {
      const hasQuestion = this.#import.questions.length > 0
      if (refused.size === 0 && !hasQuestion) this.#wrong.push('nothing is refused')
      return
    }
    const known = new Set([
      ...(this.#expected.refused ?? []),
      ...(this.#expected.asked ?? []).map(({ line }) => line),
    ])
    for (const [line, { text, reason }] of refused) {
      if (!known.has(line))
        this.#needless.push(`refused at ${line}, ${text.slice(0, 60)}: ${reason}`)
    }
  }

  #refusedLines(): Map<number, { readonly text: string; readonly reason: string }> {
    return new Map(
      linesOf(this.#import).flatMap((each) =>
        each.outcome === 'refused' ? [[each.line, each] as const] : [],
      ),
    )
  }
}

function linesOf({ pools, others }: Import): ImportedLine[] {
  return [...pools.flatMap(({ lines }) => lines), ...others]
}

function slotsOf({ lines }: ImportedPool): string[] {
  return slotsOfLines(lines)
}

function slotsOfLines(lines: readonly ImportedLine[]): string[] {
  return lines.flatMap((line) => {
    if (line.outcome !== 'slot') return []
    const { mod, index, beatmapId } = line
    return [mod === null ? `- ${beatmapId}` : `${foldCode(mod)} ${index} ${beatmapId}`]
  })
}

/** `NM1 75` and `Stage1 1 75` with the code folded and the number set apart. */
function folded(slot: string): string {
  const parts = slot.split(' ')
  if (parts[0] === '-') return slot
  if (parts.length === 3) return `${foldCode(parts[0]!)} ${parts[1]} ${parts[2]}`
  const [, code = '', index] = /^(.*?)(\d+)$/u.exec(parts[0]!) ?? []
  return `${foldCode(code)} ${index} ${parts[1]}`
}

function isReordered(one: readonly string[], other: readonly string[]): boolean {
  return one.join() !== other.join() && one.toSorted().join() === other.toSorted().join()
}

const isUnlabelled = (slot: string): boolean => slot.startsWith('- ')

function nameOf({ name, draft }: ImportedPool): string | null {
  return name ?? (draft.name === '' ? null : draft.name)
}

/** A name may keep the remark in parentheses that follows it in the text: `Week 1 (best of 9)`. */
function isSameName(expected: string | null, actual: string | null): boolean {
  const name = (expected ?? '').toLowerCase()
  const read = (actual ?? '').trim().toLowerCase()
  return read === name || (name !== '' && read.startsWith(`${name} (`) && read.endsWith(')'))
}

function modsOf(bucket: Bucket): string {
  const mods = 'mods' in bucket ? bucket.mods : undefined
  if (mods === undefined) return 'none'
  return mods.kind === 'free' ? 'free' : mods.set.join('')
}

function sorted(mods: string): string {
  return mods === 'free' || mods === 'none' ? mods : (mods.match(/../g) ?? []).toSorted().join('')
}
