import type { Literal } from '../../json/parse-literal.ts'
import { foldCode } from '../../../pool/slots.ts'
import { named, say } from '../import-message.ts'
import { asked, type Finding, skipped, type SlotReading } from '../readings.ts'
import { isDetail, partByColumn, type SlotRow } from '../tables/beside-columns.ts'
import { groupedBy } from '../tables/column-facts.ts'
import { inName, isAnswer, outName } from '../tables/column-names.ts'
import { isOut, no, yes } from '../tables/table-kinds.ts'
import { idOf, isNothing, LEAST_ID, names, plainName } from './json-fields.ts'
import { type Leaf, leavesOf, membersOf } from './json-inside.ts'
import { isAsideKey, isRemoved } from './json-kinds.ts'
import { inWords } from '../words/look-alikes.ts'
import { askLinks } from './json-links.ts'
import { ofFacts } from './json-plans.ts'

// What is asked about slots that were read, by the fields beside them.

type Row = {
  readonly at: number
  readonly reading: SlotReading
  readonly object: Literal
  readonly leaves: readonly Leaf[]
}

/**
 * Asks about slots of which a field says that they are out, or have another number than their place says.
 *
 * @param objects that the slots were read of.
 */
export function doubtByFields(
  findings: readonly Finding[],
  objects: ReadonlyMap<Finding, Literal>,
): { findings: readonly Finding[]; notes: ReturnType<typeof say>[] } {
  const all = [...findings]
  const rounds: Row[][] = [[]]
  const within = ['']
  for (const [at, finding] of findings.entries()) {
    const { reading, round } = finding
    if (round !== undefined) {
      rounds.push([])
      within.push(round.name)
    }
    const object = objects.get(finding)
    if (object !== undefined && reading.kind === 'slot')
      rounds.at(-1)!.push({ at, reading, object, leaves: leavesOf(membersOf(object)) })
  }
  const rows = rounds.flat()
  const counts = new Set(
    rows
      .flatMap(({ leaves }) => leaves)
      .flatMap(({ path, value }) => {
        return value.kind === 'number' && value.value > 1 && value.value < LEAST_ID ? [path] : []
      }),
  )
  const gone = rows.flatMap((row) => {
    const by = goneBy(row.leaves, counts)
    return by === null ? [] : [{ ...row, by }]
  })
  const left: string[] = []
  for (const { at, reading, by, object } of gone) {
    const { code = null, index = null } = reading.label ?? {}
    if (isRemoved(membersOf(object))) {
      left.push(`${code ?? reading.beatmapId}${index ?? ''} (“${by}”)`)
      all[at] = { ...all[at]!, reading: skipped }
      continue
    }
    // What they all say is how the program begins.
    if (gone.length === rows.length) continue
    const question = say('isAside', { what: `“${by}”` })
    const choices = [
      [say('noLeaveIt'), skipped],
      [say('yesUseIt'), reading],
    ] as const
    all[at] = { ...all[at]!, reading: asked(question, choices, `gone ${by}`) }
  }
  const out = new Set(gone.map(({ at }) => at))
  for (const [at, reading] of askLinks(rows.filter(({ at }) => !out.has(at))))
    all[at] = { ...all[at]!, reading }
  for (const [at, round] of rounds.entries()) {
    const own = round.filter(({ at }) => !out.has(at))
    askNumbers(own, all)
    askParts(own, within[at]!, all)
  }
  const notes = left.length === 0 ? [] : [say('leftOut', { what: named(left, MOST_NAMED) })]
  return { findings: all, notes }
}

const [MOST_NAMED, LONGEST_SHOWN, LONGEST_KEY] = [5, 30, 40]

/** Keys of the only thing that the object around it says. */
const ofValues = new Set(['name', 'label', 'text', 'value', 'at', 'by'])
/** Numbers below count, those above are times. */
const LEAST_TIME = 1_000_000_000
/** What programs call it besides what sheets do. */
const outToo =
  /^(?:is )?(?:unavailable|invalid|gelöscht|voided|ignored|skipped|(?:out of|not in) (?:map ?)?pool)(?!\p{L})/iu
const inToo = /^(?:is )?(?:activated|in|usable|playable|visible|current|live|allowed)$/i

/** Words beside such a one in a key, which are about nothing else: not as in `discussion_enabled`. */
const fillers =
  /(?<!\p{L})(?:is|was|has|been|still|now|currently|the|of|from|in|(?:beat)?maps?|slot|pool|mappool|at|on|by|el|en|le|am|por|von|date|time|when|since|fecha|datum|reason|because)(?!\p{L})/giu

const isOf = (title: string, word: RegExp): boolean =>
  word.test(title) && !/\p{L}/u.test(title.replace(word, '').replaceAll(fillers, ''))

/** The field of a beatmap that says it is not in the pool, with what it says; null if none does. */
function goneBy(leaves: readonly Leaf[], counts: ReadonlySet<string>): string | null {
  for (const { path, key, value: each, isOthers } of leaves) {
    const text = String(each.kind === 'object' || each.kind === 'list' ? '' : each.value).trim()
    const isNone = each.kind !== 'number' && isNothing(each)
    if (isNone || text === '' || counts.has(path)) continue
    // `"status": { "name": "removed" }`, `"removed": { "at": "2026-01-01" }`
    const keys = path.split('.')
    const own = keys.length > 1 && ofValues.has(plainName(key)) ? keys.at(-2)! : key
    const title = inWords(own)
    const isNamed = isOf(title, outName) || outToo.test(title)
    const isOutKey = isNamed || isOut(title, '')
    const isTime = each.kind === 'number' && each.value >= LEAST_TIME
    // A date, a name or a reason where others have nothing; the other beatmap may be what is out.
    const isFilled = isTime || (each.kind !== 'number' && typeof idOf(each) !== 'number')
    const isTold = yes.test(text)
      ? isOutKey || (isAsideKey(own) && !outName.test(title))
      : isFilled && (isNamed || (isOutKey && title.includes(' ')))
    const isSaid =
      isOut(text, title) ||
      (each.kind === 'text' &&
        (outToo.test(text) || (isAsideKey(text) && !/\s|^graveyard$/i.test(text))))
    const mayBeSaid = !isOthers && !(each.kind === 'text' && ofBeatmaps.has(plainName(own)))
    const isGone = no.test(text)
      ? !isOutKey && (isOf(title, inName) || inToo.test(title)) && !/^approved$/i.test(title)
      : isTold || (mayBeSaid && isSaid && !yes.test(text))
    if (isGone) return `${own}: ${text}`.slice(0, LONGEST_SHOWN).toWellFormed()
  }
  return null
}

/** Whose texts are titles, names and labels. */
const ofBeatmaps = new Set([
  ...names.labels,
  ...names.mods,
  ...names.ids,
  ...ofFacts,
  ...'title artist version difficulty diff mapper creator song source tags'.split(' '),
])

/** Numbers in a field that contradict the place of the slots that have none of their own. */
function askNumbers(round: readonly Row[], all: Finding[]): void {
  const rows = round.filter(({ reading }) => {
    const { label, rule } = reading
    return label?.code != null && (label.index === null || rule === 'keyOfList')
  })
  if (rows.length < 2) return
  const buckets = new Map<string, Row[]>()
  for (const row of rows) {
    const code = foldCode(row.reading.label!.code!)
    const own = buckets.get(code)
    if (own === undefined) buckets.set(code, [row])
    else own.push(row)
  }
  const numbers = rows.map(({ leaves }) => {
    const found = leaves.flatMap(({ path, value }) => {
      const text = value.kind === 'number' || value.kind === 'text' ? String(value.value) : ''
      const digits = smallNumber.exec(text.trim())?.[1]
      return digits === undefined ? [] : [[path, Number(digits)] as const]
    })
    return new Map(found)
  })
  const [first] = numbers
  const placeOf = new Map(rows.map((row, at) => [row, at]))
  for (const path of first!.keys()) {
    if (!numbers.every((own) => own.has(path))) continue
    const counted = countedBy([...buckets.values()], (row) =>
      numbers[placeOf.get(row)!]!.get(path)!,
    )
    if (counted === null) continue
    for (const [row, place, number] of counted) {
      const { label } = row.reading
      const other = { ...row.reading, label: { ...label!, index: number } }
      const question = say('fieldsOfSlots', { one: path, other: label!.code! })
      const choices = [
        [say('inField', { field: path }), other],
        [
          say('itIs', { what: `${label!.code}${place}` }),
          { ...row.reading, label: { ...label!, index: place } },
        ],
      ] as const
      all[row.at] = { ...all[row.at]!, reading: asked(question, choices, `number ${path}`) }
    }
    return
  }
}

const rulesets = ['osu', 'taiko', 'catch', 'mania']
const ofRuleset = /^(?:ruleset|gamemode|playmode|mode)(?:name)?$/

/** Slots that a field parts into groups, each with all buckets, may be of as many rounds, as those of the column of a table. */
function askParts(rows: readonly Row[], round: string, all: Finding[]): void {
  const fields = rows.map(({ leaves }) => new Map(leaves.flatMap(partIn)))
  const codes = rows.map(({ reading: { label } }) => foldCode(label?.code ?? ''))
  if (codes.includes('') || rows.some(({ at }) => all[at]!.reading.kind !== 'slot')) return
  for (const title of fields[0]?.keys() ?? []) {
    const slots = rows.flatMap(({ at, reading }, row): SlotRow[] => {
      const text = fields[row]!.get(title)
      const bucket = codes[row]!
      const { code, index } = reading.label!
      // Those of a list are counted by it.
      const label = { code, index: reading.rule === 'keyOfList' ? null : index }
      const own = { finding: all[at]!, reading: { ...reading, label }, bucket, round }
      return text === undefined ? [] : [{ ...own, cells: [text], place: `${bucket} ${round}` }]
    })
    const parts = [...groupedBy(slots, ({ cells }) => cells[0]!).values()]
    const buckets = new Set(codes).size
    const areWhole = parts.every((own) => new Set(own.map(({ place }) => place)).size === buckets)
    // Numbers in the order of the rows of all groups are those of slots.
    const areRuns = parts.flat().every((each, at) => each === slots[at])
    const areNumbers = slots.every(({ cells }) => /^[0-9]+$/.test(cells[0]!))
    if (slots.length < rows.length || !areWhole || (areNumbers && !areRuns)) continue
    const sorted = parts.flatMap((own) => [...groupedBy(own, ({ place }) => place).values()].flat())
    const findings = sorted.map(({ finding }) => finding)
    const parted = partByColumn(findings, sorted, [title])
    if (
      parted.every(
        (each, at) => each.reading === findings[at]!.reading && each.round === findings[at]!.round,
      )
    )
      continue
    const changed = new Map(findings.map((each, at) => [each, parted[at]!]))
    for (const { at } of rows) all[at] = changed.get(all[at]!)!
    return
  }
}

/** A text that can say of which group a slot is; none of the others says that it is not. */
function partIn({ path, name, value, isOne }: Leaf): [string, string][] {
  if (!isOne || isDetail(name)) return []
  if (value.kind === 'number') {
    const ruleset = ofRuleset.test(name) ? rulesets[value.value] : undefined
    return [[path, ruleset ?? String(value.value)]]
  }
  return value.kind === 'text' && !isAnswer(value.value) ? [[path, value.value]] : []
}

const smallNumber = /^(?:\p{L}{1,12}[ .#_-]{0,2}|#)?([0-9]{1,2})\.?$/u
const LEAST_THROUGH = 3

/** Each slot with its place and its number, if these count in each bucket, or through all, and contradict the places. */
function countedBy(buckets: readonly Row[][], numberOf: (row: Row) => number) {
  const all = buckets.flat().map(numberOf)
  const least = Math.min(...all)
  const isCount = (numbers: readonly number[]): boolean =>
    new Set(numbers).size === numbers.length &&
    Math.max(...numbers) - Math.min(...numbers) === numbers.length - 1
  const isThrough = buckets.length > 1 && all.length >= LEAST_THROUGH && isCount(all)
  const isWithin = buckets.every((own) => {
    const numbers = own.map(numberOf)
    return isCount(numbers) && Math.min(...numbers) === least
  })
  if (least > 1 || !(isThrough || isWithin)) return null
  const counted = buckets.flatMap((own) => {
    const sorted = own.map(numberOf).toSorted((a, b) => a - b)
    return own.map((row, at) => {
      const place = row.reading.label?.index ?? at + 1
      return [row, place, sorted.indexOf(numberOf(row)) + 1] as const
    })
  })
  return counted.some(([, place, number]) => place !== number) ? counted : null
}

/**
 * What is below keys that say it is not the pool is left out beside a pool, and asked where it is all there is.
 *
 * @param asides the key of each finding that is below one.
 */
export function settleAsides(findings: readonly Finding[], asides: ReadonlyMap<Finding, string>) {
  const isSlot = ({ reading }: Finding): boolean =>
    reading.kind === 'slot' || reading.kind === 'asked'
  const keys = [...new Set(asides.values())].map((key) => `“${key.slice(0, LONGEST_KEY)}”`)
  if (keys.length === 0) return { findings: [...findings], notes: [] }
  const isBeside = findings.some((finding) => isSlot(finding) && !asides.has(finding))
  const question = say('isAside', { what: keys[0]!.toWellFormed() })
  const settled = findings.map((finding): Finding => {
    const { reading, round: _, ...line } = finding
    if (!asides.has(finding) || reading.kind === 'skipped') return finding
    if (isBeside || reading.kind !== 'slot') return { ...line, reading: skipped }
    const choices = [
      [say('noLeaveIt'), skipped],
      [say('yesUseIt'), reading],
    ] as const
    return { ...finding, reading: asked(question, choices, 'aside') }
  })
  const notes = isBeside ? keys.map((key) => say('leftOut', { what: key.toWellFormed() })) : []
  return { findings: settled, notes }
}

/** Why data gives no slot. */
export function reasonOfNothing(leftOut: ReadonlySet<'players' | 'scores' | 'matches'>) {
  if (leftOut.size === 0) return say('nothingInData')
  const items = [...leftOut].map((kind) => ({ message: say(kind) }))
  return say('aboutOthers', { what: { items, how: 'and' } })
}
