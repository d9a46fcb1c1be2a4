import type { Literal } from '../../json/parse-literal.ts'
import { shown } from '../../draft-builder.ts'
import { foldCode } from '../../../pool/slots.ts'
import { named, say } from '../import-message.ts'
import { asked, type Finding, skipped, type SlotReading } from '../readings.ts'
import { isNothing, names } from './json-fields.ts'
import { leavesOf, membersOf } from './json-inside.ts'
import { isAsideKey, isRemoved } from './json-kinds.ts'

// What is asked about slots that were read, by the fields beside them.

type Row = { readonly at: number; readonly reading: SlotReading; readonly object: Literal }

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
  for (const [at, finding] of findings.entries()) {
    const { reading, round } = finding
    if (round !== undefined) rounds.push([])
    const object = objects.get(finding)
    if (object !== undefined && reading.kind === 'slot')
      rounds.at(-1)!.push({ at, reading, object })
  }
  const rows = rounds.flat()
  const gone = rows.flatMap((row) => {
    const by = goneBy(row.object)
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
  for (const round of rounds) {
    const own = round.filter(({ at }) => !out.has(at))
    askNumbers(own, all)
    askParts(own, all)
  }
  const notes = left.length === 0 ? [] : [say('leftOut', { what: named(left, MOST_NAMED) })]
  return { findings: all, notes }
}

const MOST_NAMED = 5
const LONGEST_SHOWN = 30

const isGone =
  /^(?:is|was)?(?:removed|deleted|rejected|discarded|scrapped|disabled|archived|banned|unused|inactive|excluded|retired|obsolete|replaced|dropped|unavailable|invalid|deprecated|cancell?ed|voided|withdrawn|ignored|skipped|outofpool|notinpool|notused|notinuse|nolongerused)$/
const isThere =
  /^(?:is)?(?:active|activated|enabled|in|inuse|used|inpool|inmappool|included|available|valid|usable|playable|visible|accepted|current|live|allowed)$/
const saysGone =
  /^(?:is |was |has been |been )?(?:removed|deleted|rejected|discarded|scrapped|disabled|archived|banned|ban|unused|inactive|excluded|retired|obsolete|replaced|dropped|cut|out|unavailable|invalid|deprecated|cancell?ed|void|withdrawn|ignored|skipped|denied|declined|(?:not|no longer) (?:used|in use|in pool|in the pool|active|available))(?: (?:map|beatmap|pick|slot|from|on|by|in|due|because|for)(?: .{0,40})?)?[.!]*$/i

/** `deletedAt`: with a value where others have none. */
const when = /^(.+)(?:at|on|date|time|by)$/
/** The same in other languages, where a key may be any form of the word. */
const outOthers =
  /elimin|borrad|quitad|descartad|supprim|retir|entfern|gel[öo]scht|gestrichen|gebannt|rimoss|removid|usuni[eę]|удал|убран|删|刪|移除|除外|削除|弃用|삭제|제외|제거/iu

/** The field of a beatmap that says it is not in the pool, with what it says; null if none does. */
function goneBy(value: Literal): string | null {
  for (const { key, name, value: each, isOthers } of leavesOf(membersOf(value))) {
    if (isOthers && !isAsideKey(key) && !isGone.test(name)) continue
    const text = each.kind === 'object' || each.kind === 'list' ? '' : String(each.value).trim()
    const isYes = /^(?:true|yes|y|1|x|✓|✔)$/i.test(text)
    const isNo = /^(?:false|no|n|0|✗|✘)$/i.test(text)
    const isOut =
      (isYes && (isGone.test(name) || isAsideKey(key) || outOthers.test(key))) ||
      (!isNo && text !== '' && !isNothing(each) && isGone.test(when.exec(name)?.[1] ?? '')) ||
      (isNo && isThere.test(name)) ||
      (text !== '' &&
        !ofBeatmaps.has(name) &&
        each.kind === 'text' &&
        (saysGone.test(text) || (isAsideKey(text) && !/\s|^graveyard$/i.test(text))))
    if (isOut) return `${key}: ${text}`.slice(0, LONGEST_SHOWN).toWellFormed()
  }
  return null
}

/** Whose texts are titles, names and labels. */
const ofBeatmaps = new Set([
  ...names.labels,
  ...names.mods,
  ...names.ids,
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
  const numbers = rows.map(({ object }) => {
    const found = leavesOf(membersOf(object)).flatMap(({ path, value }) => {
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

const ofRuleset = /^(?:ruleset|gamemode|playmode|mode)(?:name)?$/

/** More are names of mappers, or of songs. */
const MOST_PARTS = 4

/** Slots that a field parts into groups, each of which has all of the buckets, may be of as many pools, whatever it says. */
function askParts(rows: readonly Row[], all: Finding[]): void {
  const codes = new Set<string>()
  const fields = new Map<string, { readonly row: Row; readonly text: string; place: string }[]>()
  for (const row of rows) {
    const { label } = row.reading
    if (label?.code == null || label.index !== null) return
    const code = foldCode(label.code)
    codes.add(code)
    for (const { path, name, value, isOne } of leavesOf(membersOf(row.object))) {
      const isText = value.kind === 'text' && !ofBeatmaps.has(name)
      if (!isOne || (!isText && !(value.kind === 'number' && ofRuleset.test(name)))) continue
      const text = String(value.value).trim()
      const own = fields.get(path) ?? []
      own.push({ row, text, place: `${code} ${text}` })
      fields.set(path, own)
    }
  }
  for (const [path, known] of fields) {
    const parts = [...new Set(known.map(({ text }) => text))]
    const places = new Set(known.map(({ place }) => place))
    const areApart = parts.length > 1 && places.size === codes.size * parts.length
    const isRuleset = ofRuleset.test(path.slice(path.lastIndexOf('.') + 1).toLowerCase())
    const isSure = isRuleset || (codes.size > 1 && !parts.includes(''))
    if (known.length < rows.length || parts.length > MOST_PARTS || !areApart || !isSure) continue
    if (known.some(({ row }) => all[row.at]!.reading.kind !== 'slot')) return
    for (const { row, text } of known) {
      const { reading } = row
      const choices = [
        ...parts.map((part) => {
          const what = shown(part)
          return [say('itIs', { what }), part === text ? reading : skipped] as const
        }),
        [say('useThem'), reading] as const,
      ]
      all[row.at] = { ...all[row.at]!, reading: asked(say('whichPool'), choices, `parts ${path}`) }
    }
    return
  }
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
  const isThrough = least <= 1 && buckets.length > 1 && all.length >= LEAST_THROUGH && isCount(all)
  const isWithin = buckets.every((own) => {
    const numbers = own.map(numberOf)
    return isCount(numbers) && Math.min(...numbers) === least
  })
  if (!isThrough && !(isWithin && least <= 1)) return null
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

const LONGEST_KEY = 40

/** Why data gives no slot. */
export function reasonOfNothing(leftOut: ReadonlySet<'players' | 'scores' | 'matches'>) {
  if (leftOut.size === 0) return say('nothingInData')
  const items = [...leftOut].map((kind) => ({ message: say(kind) }))
  return say('aboutOthers', { what: { items, how: 'and' } })
}
