import * as texts from '#texts/import'
import { MAX_ROUNDS, MAX_SLOTS } from '../../../contract/bounds.ts'
import type { BucketMods, CustomBucket } from '../../../contract/pools.ts'
import { decodeText, recogniseFormat } from '../../../formats/file-content.ts'
import { fault, FormatError } from '../../../formats/format-error.ts'
import { LONGEST_BRACKET, mayBeBracket } from '../../../formats/import/data/bracket-rounds.ts'
import type { Evidence } from '../../../formats/import/evidence.ts'
import { readImportFile } from '../../../formats/import/read-import-file.ts'
import {
  asInPack,
  countLines,
  type Import,
  type ImportedLine,
  type ImportedPool,
  LONGEST_TEXT,
  readImport,
} from '../../../formats/import/read-import.ts'
import { type ChoiceId, HALF, type Question } from '../../../formats/import/questions.ts'
import {
  type Doubt,
  type DoubtedBeatmaps,
  kindOfReason,
  MOST_OF_KIND,
} from '../../../formats/import/readings.ts'
import { worded } from '../../../pool/message.ts'
import { bucketTable, foldCode, isCustom, slotLabel } from '../../../pool/slots.ts'
import type { Layout, PoolDraft } from '../../../pool/pool.ts'
import type { UnreadPlace } from '../../../pool/sheet-merge.ts'
import { wording } from '../wording.ts'

export type Source =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly name: string; readonly bytes: Uint8Array }

export type ImportRequest = {
  readonly source: Source
  /** What it is added to, or takes the place of. */
  readonly into?: PoolDraft
  readonly isReplacing?: boolean
  /** Whether it is for rounds, which plan what a pack refuses. */
  readonly isOfRounds?: boolean
  /** By the key of the question. */
  readonly answers?: ReadonlyMap<string, ChoiceId>
  /** Of new custom buckets, by their folded code; null for none. */
  readonly mods?: ReadonlyMap<string, BucketMods | null>
  /** What was looked up of its beatmaps so far (D-90). */
  readonly evidence?: Evidence
}

export type ImportReply =
  | { readonly kind: 'read'; readonly read: ReadImport }
  /** It is a file of lines or rows: its text is for the box. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'refused'; readonly reason: string }

/** An import as a page shows it: of each part as much as can be shown. */
export type ReadImport = Awaited<ReturnType<typeof readKeyed>>

/**
 * `key` stays the same while the question, its choices and the texts of its lines do. Of a question about what was looked
 * up, it names the beatmaps in place of all that: what else is learnt of others changes its words.
 */
export type KeyedQuestion = Question & { readonly key: string }

export type ReadPool = ReadImport['pools'][number]

export type ReadLines = ReturnType<typeof linesOf>

/** Reads a text or a file for a page. Never rejects. */
export async function readSource(request: ImportRequest): Promise<ImportReply> {
  const { source } = request
  try {
    if (source.kind === 'file' && recogniseFormat(source.bytes, source.name) === 'text') {
      const text = decodeText(source.bytes).replace(/^\ufeff/, '')
      const longest = mayBeBracket(text) ? LONGEST_BRACKET : LONGEST_TEXT
      if (text.length <= longest) return { kind: 'text', text }
      return { kind: 'refused', reason: texts.tooMuchText }
    }
    return { kind: 'read', read: await readKeyed(request) }
  } catch (error) {
    if (error instanceof FormatError) {
      return { kind: 'refused', reason: worded(error.problem, wording) }
    }
    return { kind: 'refused', reason: texts.notUnderstood }
  }
}

/** The ids of questions change with the text, their keys do not: answers are found by a first reading. */
async function readKeyed(request: ImportRequest) {
  const { source, answers = new Map() } = request
  const decided = [...answers.keys()].flatMap(doubtedIn)
  const first = await readOnce(request, new Map(), decided)
  const questions = keyed(first, source)
  const given = questions.flatMap(({ key, id }) => {
    const answer = answers.get(key)
    return answer === undefined ? [] : [[id, answer] as const]
  })
  const read = given.length === 0 ? first : await readOnce(request, new Map(given), decided)
  const keys = new Map(questions.map(({ id, key }) => [id, key]))
  const pools = read.pools.filter(
    ({ lines, isApiRound }) => lines.some(isContent) || (request.isOfRounds === true && isApiRound),
  )
  if (source.kind === 'file' && pools.length === 0) {
    throw new FormatError(fault('noPoolInFile'))
  }
  const isLeftOut = read.questions.some(({ id, answer }) => id === HALF && answer === 'b')
  const shown = pools.map((pool, at) => ({
    ...poolOf(pool, request),
    /** Of several in one text, the name; the second one of it is another. */
    key: keyOf(pools, at),
    /** How many beatmaps it adds, if no open question prevents it. */
    slots: isLeftOut ? 0 : pool.lines.filter(({ outcome }) => outcome === 'slot').length,
  }))
  const asked = new Set([HALF, ...shown.flatMap(({ lines }) => lines.shown.map(questionOf))])
  return {
    shape: read.shape.id,
    why: read.shape.why,
    pools: shown,
    others: linesOf(read.others),
    /** Those of which lines are shown, and that of the whole. */
    questions: read.questions
      .filter(({ id }) => asked.has(id))
      .map((each) => ({ ...each, key: keys.get(each.id) ?? each.id })),
    notes: read.notes,
    understood: read.understood,
    /** To be looked up; of a text with more than rounds can hold, the first ones. */
    beatmapIds: read.beatmapIds.slice(0, MAX_ROUNDS * MAX_SLOTS),
  }
}

async function readOnce(
  { source, into, isReplacing = false, mods = new Map(), evidence }: ImportRequest,
  answers: ReadonlyMap<string, ChoiceId>,
  decided: readonly DoubtedBeatmaps[],
): Promise<Import> {
  const named = new Map([...mods].flatMap(([code, each]) => (each === null ? [] : [[code, each]])))
  const read = (ground: PoolDraft | undefined): Import | Promise<Import> => {
    const given = { ...(ground && { into: ground }), ...(evidence && { evidence }) }
    const options = { ...given, answers, decided, mods: named, wording }
    return source.kind === 'text'
      ? readImport(source.text, options)
      : readImportFile(source.bytes, source.name, options)
  }
  if (into === undefined || !isReplacing) return read(into)
  const ground = { ...into, slots: [] }
  const kept = await read(ground)
  if (kept.pools.every(({ packKey }) => packKey === null)) return kept
  // A pack key brings its own buckets.
  const { pools } = await read({ ...ground, buckets: null })
  return { ...kept, pools: kept.pools.map((pool, at) => (pool.packKey ? pools[at]! : pool)) }
}

function isContent({ outcome }: ImportedLine): boolean {
  return outcome !== 'skipped'
}

function questionOf(line: ImportedLine): string | undefined {
  return 'question' in line ? line.question : undefined
}

function keyed({ questions, pools, others }: Import, source: Source): KeyedQuestion[] {
  if (questions.length === 0) return []
  const lines = [...pools.flatMap((pool) => pool.lines), ...others]
  const texts = new Map(lines.map(({ line, text }) => [line, text]))
  const seen = new Map<string, number>()
  return questions.map((question) => {
    if (question.about !== undefined) return { ...question, key: keyOfDoubted(question.about) }
    const about =
      question.id === HALF
        ? [source.kind === 'text' ? source.text : source.name]
        : question.lines.map((line) => texts.get(line))
    const parts = [question.text, ...question.choices.map(({ text }) => text), ...about]
    const key = JSON.stringify(parts)
    const times = (seen.get(key) ?? 0) + 1
    seen.set(key, times)
    return { ...question, key: times === 1 ? key : `${key} ${times}` }
  })
}

const keyOfDoubted = ({ doubt, ids }: DoubtedBeatmaps): string => `${doubt} ${ids.join(',')}`

/** What a key of `keyOfDoubted` is about; other keys are JSON. */
function doubtedIn(key: string): DoubtedBeatmaps[] {
  const [, doubt, ids = ''] = /^(unknown|ruleset|stars) ([\d,]+)$/.exec(key) ?? []
  return doubt === undefined ? [] : [{ doubt: doubt as Doubt, ids: ids.split(',').map(Number) }]
}

function keyOf(pools: readonly ImportedPool[], at: number): string {
  const { name } = pools[at]!
  const before = pools.slice(0, at).filter((pool) => pool.name === name).length
  return JSON.stringify([name, before])
}

function poolOf(
  { lines: read, ...pool }: ImportedPool,
  { into, mods = new Map(), isOfRounds = false }: ImportRequest,
) {
  const lines = isOfRounds ? read : read.map(asInPack)
  const known = new Set(bucketTable(into?.buckets).map(({ code }) => foldCode(code)))
  const cleared = ({ buckets }: Layout) =>
    buckets?.map((bucket) => {
      const isCleared = isCustom(bucket) && mods.get(foldCode(bucket.code)) === null
      return isCleared ? { code: bucket.code, color: bucket.color } : bucket
    })
  const isNew = ({ code }: CustomBucket): boolean => !known.has(foldCode(code))
  const [buckets, ofRound] = [cleared(pool.draft), cleared(pool.round)]
  const open = lines.flatMap((line) => (line.outcome === 'asked' ? [line.question] : []))
  return {
    name: pool.name,
    fields: pool.fields,
    roundFields: pool.roundFields,
    isApiRound: pool.isApiRound,
    draft: { ...pool.draft, ...(buckets && { buckets }) },
    /** As a round may hold it: with the slots that have no beatmap yet (D-77). */
    round: {
      ...pool.round,
      ...(ofRound && { buckets: ofRound }),
      newBuckets: ofRound?.filter(isCustom).filter(isNew) ?? [],
      unread: distinct(pool.unread),
    },
    /** The labels of the slots that have no beatmap yet. */
    planned: lines.flatMap((line) => (line.outcome === 'planned' ? [slotLabel(line)] : [])),
    lines: linesOf(lines),
    newBuckets: buckets?.filter(isCustom).filter(isNew) ?? [],
    /** The ids of the open questions about its lines. */
    open: [...new Set(open)],
  }
}

/** Each place once: a text of one mistake names the same ones in each line. */
function distinct(places: readonly UnreadPlace[]): readonly UnreadPlace[] {
  return [...new Map(places.map((each) => [`${each.code} ${each.index}`, each])).values()]
}

/** More of each kind are counted, not shown; of questions, the open ones count apart. */
const MOST_SHOWN = { plain: 150, refused: 200, open: 100, answered: 100 }
const MOST_OF_QUESTION = 20
const LONGEST_SHOWN = 300

function linesOf(lines: readonly ImportedLine[]) {
  const refused = lines.filter(({ outcome }) => outcome === 'refused')
  const counts = new Map<string, number>()
  const next = (what: string): number => {
    const count = (counts.get(what) ?? 0) + 1
    counts.set(what, count)
    return count
  }
  const isShown = (line: ImportedLine): boolean => {
    const question = questionOf(line)
    if (question !== undefined && next(`question:${question}`) > MOST_OF_QUESTION) return false
    const kind = kindOf(line)
    const isMany =
      line.outcome === 'refused' && next(`reason:${kindOfReason(line.reason)}`) > MOST_OF_KIND
    if (isMany) return false
    return next(kind) <= MOST_SHOWN[kind]
  }
  const shown = lines.filter(isShown)
  const shownRefused = shown.filter(({ outcome }) => outcome === 'refused').length
  const moreRefused = refused.length - shownRefused
  return {
    shown: shown.map((line) => ({ ...line, text: line.text.slice(0, LONGEST_SHOWN) })),
    /** How many more there are without problems, and with problems. */
    more: lines.length - shown.length - moreRefused,
    moreRefused,
    count: countLines(lines),
    refused: refused.length,
    // The texts of the refused lines. A pack key is one line, however many of its slots are refused.
    rest: [...new Map(refused.map(({ line, text }) => [line, text])).values()].join('\n'),
  }
}

function kindOf(line: ImportedLine): keyof typeof MOST_SHOWN {
  if (line.outcome === 'asked') return 'open'
  if (questionOf(line) !== undefined) return 'answered'
  return line.outcome === 'refused' ? 'refused' : 'plain'
}
