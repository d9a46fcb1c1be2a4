import { foldCode } from '../../../pool/slots.ts'
import type { UnreadPlace } from '../../../pool/sheet-merge.ts'
import { withCode, withoutBullet, withoutTags } from '../lines/items.ts'
import { type Label, narrow, tidy } from '../words/labels.ts'
import { type Finding, LONGEST_LINE, type Outcome, type Reading } from '../readings.ts'

/**
 * The slots that a line may be about, though it gave none: what a sheet has and could not be read is not left out (D-83).
 * They are named by its label, else by all that looks like one, and by the heading above it.
 */
export function unreadPlaces(
  { text, reading }: Finding,
  { outcome }: Outcome,
  heading: Label,
): UnreadPlace[] {
  const isOpen = outcome === 'refused' || outcome === 'asked'
  const isRead = outcome === 'slot' || outcome === 'planned'
  // `2`, whose other cells are empty.
  const isNumber = reading.kind === 'heading' && reading.label.code === null
  if (isRead || (!isOpen && !isNumber && reading.kind !== 'refused')) return []
  const labels = labelsOf(reading)
  const known = labels.flatMap(({ code, index }) => {
    const own = code ?? heading.code
    return own === null ? [] : [{ code: foldCode(own), index }]
  })
  if (known.length > 0 && known.length === labels.length) return known
  const line = text.slice(0, LONGEST_LINE)
  const plain = withCode(withoutBullet(withoutTags(tidy(line))).item)
  const written = (plain === line ? [line] : [line, plain]).flatMap(placesIn)
  const { code, index } = heading
  // Below a heading, what has a number or a link may be an item that was taken for prose.
  const mayBeItem = /[0-9]{3}|:\/\//.test(line) || (reading.kind === 'refused' && reading.plan)
  const isItem = isOpen || (code !== null && mayBeItem)
  if (!isItem || (code === null && written.length > 0)) return written
  return [...written, { code: foldCode(code ?? ''), index }]
}

function labelsOf(reading: Reading): Label[] {
  switch (reading.kind) {
    case 'asked':
      return reading.choices.flatMap((choice) => labelsOf(choice.reading))
    case 'refused':
      return [reading.plan?.label ?? reading.label ?? []].flat()
    case 'skipped':
      return []
    default:
      return reading.label === null ? [] : [reading.label]
  }
}

function endsInDigit(word: string): boolean {
  const last = word.charCodeAt(word.length - 1)
  return last >= 48 && last <= 57
}

const separated = /[\t,;|"'“”{}[\]()<>:=]/u
const wordsOf = /[\p{L}\p{N}]+/gu
const whole = /^(\p{L}[\p{L}\p{N}]{0,11}?)([0-9]{1,2})$/u
const code = /^\p{L}[\p{L}\p{N}]{0,11}$/u
const number = /^[0-9]{1,2}$/
/** In UTF-16 code units. */
const LONGEST_CODE = 24

/** All that looks like a label: `NM3`, `NM 3`, and a code alone in front of a line or in a cell, whose number is not known. */
function placesIn(text: string): UnreadPlace[] {
  // Most long texts that cannot be read are numbers.
  if (!/\p{L}/u.test(text)) return []
  const line = narrow(text)
  const words = line.match(wordsOf) ?? []
  const places: { code: string; index: number | null }[] = []
  for (const [at, word] of words.entries()) {
    // Most words end in a letter, and have one behind them.
    const [, own, index] = endsInDigit(word) ? (whole.exec(word) ?? []) : []
    if (own !== undefined) places.push({ code: own, index: Number(index) })
    const next = words[at + 1] ?? ''
    if (number.test(next) && code.test(word)) places.push({ code: word, index: Number(next) })
  }
  const bare = [words[0] ?? '', ...line.split(separated).map((cell) => cell.trim())]
  const named = new Set(places.map((place) => place.code))
  for (const word of bare) {
    if (word.length > LONGEST_CODE || !code.test(word)) continue
    if (!whole.test(word) && !named.has(word)) places.push({ code: word, index: null })
  }
  return places.map((place) => ({ code: foldCode(place.code), index: place.index }))
}
