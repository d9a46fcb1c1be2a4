import { findTargets } from '../../../pool/beatmap-links.ts'
import { withoutFigures } from '../words/bucket-names.ts'
import { foldCode } from '../../../pool/slots.ts'
import {
  type BucketCodes,
  type Label,
  readLabel,
  readWords,
  texts,
  tidy,
  withoutFieldName,
} from '../words/labels.ts'

/** The value of a Roman number below 40. */
export function romanOf(text: string): number {
  const values = Array.from(text, (letter) => ({ I: 1, V: 5, X: 10 })[letter] ?? 0)
  return values.reduce((sum, each, at) => sum + (each < (values[at + 1] ?? 0) ? -each : each), 0)
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth']
const cardinals = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

const han = '一二三四五六七八九十'
const bullets = /^(?:[\s*_>|•▪◦·‣●→–—+-]|\[\*\]|\[[ xX]\]\s)+/u
/** `9.2` and `4:30` are figures of the beatmap. */
const end = String.raw`(?:\s*(?:[.:,](?![0-9])|[)\]}|;/>*_])|\s*\t|\s+[-–—]\s|\s*$)`
/** `2.`, `(2)`, `2/3`, `Map 2:` */
const digits = new RegExp(
  String.raw`^[([{<]{0,3}(?:\p{L}{1,12}\s)?([0-9]{1,2})(?:(?:\s?\/\s?|\sof\s)[0-9]{1,2})?${end}`,
  'iu',
)
/** `#2`, `No. 2`, `2nd`: a title may follow. */
const marked =
  /^[([{]?(?:(?:\p{L}{1,12}(?:[.:]\s?|\s))?[#№]\s?([0-9]{1,2})|(?:no|nr|n)[.°º]?\s?([0-9]{1,2})|([0-9]{1,2})(?:st|nd|rd|th))(?![\p{L}\p{N}])/iu
/** Nothing but a number and what is around it. */
const alone = /^[^\p{N}]{0,20}(?<![a-z])([0-9]{1,2})[^\p{N}]{0,8}$/iu
const named = new RegExp(String.raw`^[([{]?(?:\p{L}{3,12}\s)?(\p{L}{3,7})${end}`, 'iu')
const lettered = new RegExp(String.raw`^[([{]?(?:\p{L}{3,12}\s)?(\p{L}{1,5})${end}`, 'u')

/** Numbers in circles and brackets, by where each ten or twenty of them begin. */
const circled = /[\u2460-\u249b\u2776-\u2793]/gu
const circles = [0x278a, 0x2780, 0x2776, 0x2488, 0x2474, 0x2460]

function withoutCircles(line: string): string {
  return line.replaceAll(circled, (sign) => {
    const code = sign.charCodeAt(0)
    return `${code - circles.find((first) => first <= code)! + 1}. `
  })
}

export type LeadingNumber = {
  readonly number: number
  /** Letters may be Roman numbers, too: `I`. */
  readonly letter: number | null
}

/** Longer ones are titles. */
const LONGEST_LEAD = 200

/** A link whose text is a number: `[2](https://…)`. */
const numberLinked = /^(?:\[([0-9]{1,2})\]\(|\[url=[^[\]]*\]([0-9]{1,2})\[\/url\])/i

/** What a line has in front of its beatmap; `isNamed`: which has its title in a link of its own. */
export function leadOf(text: string, beatmapId: number): { lead: string; isNamed: boolean } {
  const written = withoutFigures(tidy(text.slice(0, LONGEST_LEAD)))
  const line = withoutCircles(written).normalize('NFKC')
  const starts = [findTargets(line)[0]?.start ?? -1, line.indexOf(String(beatmapId))]
  const stop = starts.find((start) => start >= 0) ?? line.length
  // The text of a link, which is longer than a number in brackets.
  const link = line.slice(0, stop).search(/\[(?!(?:[^[\]]{1,7}|\*)\][^(])/)
  const lead = line.slice(0, link < 0 ? stop : link).replace(bullets, '')
  const [, shown, posted = shown] = (lead === '' && numberLinked.exec(line.slice(link))) || []
  return { lead: posted === undefined ? lead : `${posted}.`, isNamed: link >= 0 }
}

/** The number that a line has in front of its beatmap, and of its title, in any usual writing. */
export function numberInFront(text: string, beatmapId: number): LeadingNumber | null {
  return numberOfLead(leadOf(text, beatmapId).lead)
}

export function numberOfLead(lead: string): LeadingNumber | null {
  const [, ...signs] = marked.exec(lead) ?? []
  const isTitle = /\p{L}\s[-–—]\s/u.test(lead)
  const number =
    signs.find((sign) => sign !== undefined) ??
    digits.exec(lead)?.[1] ??
    (isTitle ? undefined : alone.exec(lead)?.[1])
  if (number !== undefined) return { number: Number(number), letter: null }
  const [, word = ''] = named.exec(lead) ?? []
  const place = [ordinals, cardinals]
    .map((list) => list.indexOf(word.toLowerCase()))
    .find((at) => at >= 0)
  if (place !== undefined) return { number: place + 1, letter: null }
  const [, letters = ''] = lettered.exec(lead) ?? []
  if (letters.length === 1 && han.includes(letters))
    return { number: han.indexOf(letters) + 1, letter: null }
  const isOne = /^[A-Za-z]$/.test(letters)
  const letter = isOne ? letters.toLowerCase().charCodeAt(0) - 96 : null
  if (/^(?:[IVX]+|[ivx]+)$/.test(letters)) return { number: romanOf(letters.toUpperCase()), letter }
  return letter === null ? null : { number: letter, letter }
}

/** Whether a word is all that stands in front of a link, and no name of its field: `segundo: https://…`. */
export const isWordAlone = (lead: string, codes: BucketCodes): boolean =>
  /^\p{L}+(?:\s\p{L}+)?\s?[:：]\s*$/u.test(lead) &&
  withoutFieldName(readWords(lead), codes).length > 0

/** The label of a slot in front of a colon and what follows it: the items of a bucket may have gaps, `DT3: custom map`. */
export function labelBeforeColon(text: string, codes: BucketCodes) {
  const [, front = '', rest = ''] = /^([^:[\]]{1,15}):\s+(\S.*)$/su.exec(text) ?? []
  const label = readLabel(texts(readWords(front)), codes)
  const index = foldCode(label?.code ?? '') === 'TB' ? (label?.index ?? 1) : label?.index
  return label === null || index == null
    ? null
    : { label: { ...label, index } satisfies Label, rest }
}
