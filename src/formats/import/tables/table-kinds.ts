import { findTargets } from '../../../pool/beatmap-links.ts'
import { foldCode, isCode as isBucketCode } from '../../../pool/slots.ts'
import { say } from '../import-message.ts'
import { asked, type Finding, type Reading, skipped } from '../readings.ts'
import { numberByColumn, partByColumn, type SlotRow } from './beside-columns.ts'
import { askCells, isSpareCell, sparesOf } from './id-columns.ts'
import type { CellRow } from './transposed.ts'
import {
  inName,
  isAnswer,
  outName,
  replacedIn,
  roleOf,
  topicOf,
  type Topic,
} from './column-names.ts'
import { type BucketCodes, isFilled, readWords, texts, tidy } from '../words/labels.ts'
import { anyOut, aside, goneWord, outSigns, vagueWords } from '../words/pool-words.ts'
import { LARGEST_ID, columnId, readId } from '../lines/plausible-ids.ts'
import { type Block, isCode, isSlot, MOST_SHOWN } from './block-columns.ts'

/** What a block holds; all but `pool` and `suggestions` have no beatmaps that anybody would want. */
export type Kind = 'pool' | 'suggestions' | Exclude<Topic, 'detail' | 'suggestion'>

/** What is not in the pool, or no more, as titles and names of tabs say it. */
const isOfAside = new RegExp(aside, 'iu')

/** Whether a title or the name of a tab says that what is below it is not the pool. */
export function isAside(title: string): boolean {
  // What names a beatmap is no title.
  return title.length <= LONGEST_TITLE && isOfAside.test(tidy(title)) && !/[0-9]{5}/.test(title)
}

/** Longer ones are sentences. */
const LONGEST_TITLE = 60

/** The last title above the header of a block, else the one between it and the rows; empty where it has none. */
export function titleOf({ rows, header }: Block, codes: BucketCodes): string {
  const above = rows.slice(0, Math.max(header, 0))
  const end = rows.findIndex(({ cells }, at) => at > header && cells.filter(isFilled).length !== 1)
  const below = rows.slice(header + 1, end < 0 ? header + 1 : end)
  // `Slot` may be written above the header, too.
  const titles = [...below, ...above].map(({ cells }) =>
    cells.filter((cell) => isFilled(cell) && roleOf(cell) !== 'slot'),
  )
  const title = titles.findLast(
    ([first = '', ...more]) => more.length === 0 && !isCode(first, codes),
  )
  return tidy(title?.[0] ?? '')
}

/**
 * Classifies a block by its header row and by what its rows have in common, before any cell of it is read.
 *
 * @param titles above it, and the name of its tab.
 */
export function kindOf(block: Block, titles: readonly string[], codes: BucketCodes): Kind {
  const names = block.rows[block.header]?.cells ?? []
  const isNamed = names.some((name) => roleOf(name) === 'beatmap')
  // Beatmaps have counts of plays, too.
  const topics = names
    .flatMap((name) => topicOf(name) ?? [])
    .filter((topic) => !isNamed || topic !== 'statistic')
  const [topic = null] = mostFrequent(topics.filter((each) => isStrong(each)))
  const titled =
    titles.flatMap((title) => topicOf(title) ?? []).find((each) => isStrong(each)) ?? null
  const ofPools = titles.some(isAside) ? 'suggestions' : 'pool'
  if (topic === null && titled === null && !topics.includes('suggestion')) return ofPools
  const facts = factsOf(block, names, codes)
  // Beside mods without numbers, a player is who proposes the beatmap.
  const isProposed = topics.includes('suggestion') || topic === 'person'
  // The answers to a form, each with its time, its sender and the reason.
  const isForm = topic === 'person' && topics.filter((each) => each === 'suggestion').length > 1
  if (isForm && facts.isPool) return 'suggestions'
  if (facts.isPool) return isProposed && !facts.isNumbered ? 'suggestions' : ofPools
  if (topic === null) {
    if (topics.includes('suggestion') && !facts.isNumbered) return 'suggestions'
    return titled !== null && !facts.isCoded ? titled : ofPools
  }
  const filled = names.filter(isFilled).length
  const known = names.filter((name) => roleOf(name) !== undefined).length
  if (known * 2 < filled) return 'pool'
  // Teams are listed with their players.
  return topic === 'person' && topics[0] === 'team' ? 'team' : topic
}

type Strong = Exclude<Topic, 'detail' | 'suggestion'>

const isStrong = (topic: Topic): topic is Strong => topic !== 'detail' && topic !== 'suggestion'

/** What tells most about a table that has several topics. */
const order: readonly Strong[] = ['match', 'staff', 'team', 'person', 'score', 'statistic']

function mostFrequent(topics: readonly Strong[]): Strong[] {
  const count = (wanted: Strong): number => topics.filter((topic) => topic === wanted).length
  return order.filter((topic) => count(topic) > 0).toSorted((a, b) => count(b) - count(a))
}

/** What the rows of a block show: `isPool`: each has its own slot and a beatmap, or the columns for them. */
function factsOf({ rows, header }: Block, names: readonly string[], codes: BucketCodes) {
  const roles = names.map(roleOf)
  const topics = names.map(topicOf)
  const isPlain = !topics.some((topic) => topic !== undefined && isStrong(topic))
  const slots: string[] = []
  let [count, coded, withBeatmap] = [0, 0, 0]
  const pairs = new Set<string>()
  for (const { cells } of rows.slice(header + 1, header + 1 + MOST_SHOWN)) {
    if (cells.filter(isFilled).length < 2) continue
    count += 1
    const isLabel = (is: typeof isCode) => (cell: string, column: number) =>
      isOpen(roles[column]) && is(cell, codes)
    const slot = cells.findIndex(isLabel(isSlot))
    const at = slot < 0 ? cells.findIndex(isLabel(isCode)) : slot
    if (at < 0) continue
    coded += 1
    const label = texts(readWords(tidy(cells[at]!)))
      .join('')
      .toUpperCase()
    const round = cells[roles.indexOf('round')] ?? ''
    const division = cells[roles.indexOf('division')] ?? ''
    if (isSlot(cells[at]!, codes)) slots.push(`${label} ${round} ${division}`)
    const id = cells.findIndex((cell, column) => {
      if (column === at) return false
      if (findTargets(cell).length > 0) return true
      const isOther = !isPlain && (roles[column] !== 'vague' || topics[column - 1] === 'person')
      const isNamed = roles[column] === 'beatmap' || (!isOther && isOpen(roles[column]))
      const number = isNamed ? readId(cell) : null
      return number !== null && number >= 50 && number <= LARGEST_ID
    })
    if (id < 0) continue
    withBeatmap += 1
    pairs.add(`${label} ${round} ${division} ${columnId(cells[id]!)}`)
  }
  const isUnique = new Set(slots).size * 10 >= slots.length * 9
  const isPlanned =
    roles.includes('slot') &&
    (roles.includes('beatmap') || topics.includes('detail')) &&
    topics.filter((topic) => topic !== undefined && isStrong(topic)).length === 1
  return {
    isCoded: coded > 0 || count < 2,
    isNumbered: slots.length * 2 >= count && slots.length > 0 && isUnique,
    isPool:
      coded * 2 >= count &&
      coded > 0 &&
      (withBeatmap * 2 >= coded
        ? pairs.size * 10 >= withBeatmap * 9 && isUnique
        : isPlanned && isUnique),
  }
}

const isOpen = (role: ReturnType<typeof roleOf>): boolean =>
  role === undefined || role === 'slot' || role === 'mod' || role === 'vague'

/** What a cell says of a row that is not in the pool, or no more. */
const out = new RegExp(
  String.raw`^[^\p{L}\p{N}]*(?:(?:is|was|has been|got|been|now|already|currently|to be|map|we)\s+)*${anyOut}(?:\s*[^\p{L}\p{N}]?\s*(?:(?:on|by|from|in|at|for|since|because|due|as|too|see)(?!\p{L}).*|[^\p{L}]*|[(:;,–—-].*))$`,
  'iu',
)
const isGone = new RegExp(goneWord, 'iu')
const signAlone = new RegExp(`^[${outSigns}]\ufe0f?$`, 'u')
/** What a column is called that holds what has taken the place of a row, or who has removed it. */
const outBy = new RegExp(
  `^${goneWord} (?:by|with|on)$|^(?:replacement|reemplazo|ersatz|замена)$`,
  'iu',
)
export const yes = /^(?:y|yes|true|1|x|✓|✔️?|✅|☑️?|ja|oui|s[ií]|sim|да|はい|是|예|네|○)$/iu
export const no = /^(?:n|no|false|0|✗|✘|❌|✖️?|nein|non|não|нет|いいえ|否|아니요|아니오|×)$/iu

/** Whether a cell, or its column by its mark for yes or no, says that the row is not in the pool. */
export function isOut(cell: string, title: string): boolean {
  const text = tidy(cell)
  if (text.length > LONGEST_TITLE) return false
  const role = roleOf(title)
  const isRead = role !== undefined && role !== 'other' && !(role === 'round' && isAnswer(text))
  if (topicOf(title) === 'detail' || isRead) return false
  if (out.test(text)) return true
  if (tidy(title) === '') return signAlone.test(text)
  if (outBy.test(tidy(title))) return isFilled(text) && !no.test(text)
  return (yes.test(text) && outName.test(title)) || (no.test(text) && inName.test(title))
}

/**
 * The slots of a table with what the columns say that hold neither their labels nor their beatmaps: their rounds, their
 * numbers, and that they are no more. What is not certain of it is asked.
 */
export function doubtColumns(
  read: readonly Finding[],
  rows: readonly CellRow[],
  titles: readonly string[],
  codes: BucketCodes,
): Finding[] {
  const first = slotRows(read, rows)
  const labels = first.map(({ reading, place }) => `${place} ${reading.label?.index ?? ''}`)
  const isNumbered =
    new Set(labels).size === labels.length && first.every(({ reading }) => reading.isSplit !== true)
  const findings = isNumbered ? read : partByColumn(read, first, titles)
  const slots = isNumbered ? first : slotRows(findings, rows)
  const numbers = isNumbered ? [] : numberByColumn(slots, titles)
  const words = wordsAmong(findings, slots, rows, titles, codes)
  const mayBeSpare = [titles, ...slots.map(({ cells }) => cells)].some((cells) =>
    replacedIn.test(cells.join(' ').toLowerCase()),
  )
  const changed = new Map([
    ...askCells(slots),
    ...(mayBeSpare ? sparesOf(slots, titles) : []),
    ...numbers,
    ...words,
    ...doubtOut(slots, titles),
  ])
  return findings.map((each) => ({ ...each, reading: changed.get(each) ?? each.reading }))
}

/** The rows of a table that are slots of a bucket. */
function slotRows(findings: readonly Finding[], rows: readonly CellRow[]): SlotRow[] {
  const cellsAt = new Map(rows.map(({ line, cells }) => [line, cells]))
  let [bucket, round] = ['', '']
  return findings.flatMap((finding): SlotRow[] => {
    const { reading } = finding
    // No bucket goes on in the next round.
    if (finding.round !== undefined && finding.round.name !== round) bucket = ''
    round = finding.round?.name ?? round
    if (reading.kind === 'heading') bucket = foldCode(reading.label.code ?? '')
    if (reading.kind !== 'slot' || reading.isCell !== true) return []
    if (reading.label?.code != null) bucket = foldCode(reading.label.code)
    const cells = cellsAt.get(finding.line)
    if (bucket === '' || cells === undefined) return []
    return [{ finding, reading, cells, bucket, round, place: `${bucket} ${round}` }]
  })
}

/** Asks about a word in the column in which all other rows have their labels, or the cells that are merged over them. */
function wordsAmong(
  findings: readonly Finding[],
  slots: readonly SlotRow[],
  rows: readonly CellRow[],
  titles: readonly string[],
  codes: BucketCodes,
): [Finding, Reading][] {
  const labelled = slots.filter(({ reading }) => reading.label?.code != null)
  const [first] = labelled
  const column = first?.cells.findIndex((cell) => isCode(cell, codes)) ?? -1
  const isNamed = !isOpen(roleOf(titles[column] ?? ''))
  if (column < 0 || isNamed || !labelled.every(({ cells }) => isCode(cells[column] ?? '', codes)))
    return []
  const cellsAt = new Map(rows.map(({ line, cells }) => [line, cells]))
  return findings.flatMap((finding): [Finding, Reading][] => {
    const { reading } = finding
    const what = tidy(cellsAt.get(finding.line)?.[column] ?? '')
    const isWord = /^\p{L}[\p{L} ]{1,19}$/u.test(what)
    if (reading.kind !== 'slot' || reading.isCell !== true || reading.label !== null || !isWord)
      return []
    const own = { ...reading, label: { code: what, index: null } }
    const first = isBucketCode(what)
      ? ([say('newBucket', { code: what }), own] as const)
      : ([say('noBucket'), reading] as const)
    const choices = [first, [say('leaveLine'), skipped]] as const
    return [[finding, asked(say('whichBucket', { what }), choices, `word ${what}`)]]
  })
}

const isWordOfTitles = new RegExp(`^(?:${vagueWords}|removed|deleted)$`, 'i')

/** Asks about rows of which another cell says that they are not in the pool. */
function doubtOut(slots: readonly SlotRow[], titles: readonly string[]) {
  /** Columns of counts: `Banned`, 5 times. */
  const counts = new Set(
    slots.flatMap(({ cells }) =>
      [...cells.keys()].filter((at) => /^[0-9]{0,3}[2-9]$/.test(cells[at]!)),
    ),
  )
  // `Backup: 75` is about the other beatmap, `Replaced: 75` about the row.
  const isOther = (cell: string): boolean => isSpareCell(tidy(cell)) && !isGone.test(cell)
  return new Map(
    slots.flatMap(({ finding, reading, cells }): [Finding, Reading][] => {
      // Without a name of the column, such words are titles and difficulties, too.
      const isTitle = (cell: string, at: number): boolean =>
        tidy(titles[at] ?? '') === '' &&
        isWordOfTitles.test(tidy(cell)) &&
        (cells.slice(at + 1).some(isFilled) || columnId(cells[at - 1] ?? '') === null)
      const column = cells.findIndex(
        (cell, at) =>
          !counts.has(at) && isOut(cell, titles[at] ?? '') && !isTitle(cell, at) && !isOther(cell),
      )
      if (column < 0) return []
      const cell = tidy(cells[column]!)
      const isWord = out.test(cell) || tidy(titles[column] ?? '') === ''
      const text = isWord ? cell : `${tidy(titles[column]!)}: ${cell}`
      const what = `“${text.slice(0, LONGEST_TITLE).toWellFormed()}”`
      const question = say('isAside', { what })
      const choices = [
        [say('noLeaveIt'), skipped],
        [say('yesUseIt'), reading],
      ] as const
      return [[finding, asked(question, choices, `out ${question}`)]]
    }),
  )
}
