import type { Literal } from '../../json/parse-literal.ts'
import { slotWord } from '../words/bucket-names.ts'
import { readWhole } from '../words/labels.ts'

// What a text in data holds that others write as numbers.

const isGrouped = /^[1-9][0-9]{0,2}(?:,[0-9]{3})+$/
/** Shorter numbers and whole thousands may be of titles. */
const id = '([1-9][0-9]{5,7})(?<!000)'
const inFront = new RegExp(String.raw`^#?${id}(?:\s*[-–—:|]\s*|\s+)[\p{L}\p{N}([].*\s[-–—]\s`, 'u')
/** What begins with a slot is a line of its own. */
const behind = new RegExp(String.raw`^(?!\W*${slotWord}(?![\p{L}\p{N}])).*[\s([]${id}[)\]]?$`, 'su')

/** The id that a text is or has beside a song: `129,891`, `129891 Artist - Title`, `Artist - Title (129891)`. */
export function idInText(text: string): number | null {
  const whole = readWhole(isGrouped.test(text) ? text.replaceAll(',', '') : text)
  if (whole !== null || text.length > LONGEST_TITLE) return whole
  const [, first] = inFront.exec(text) ?? []
  if (first !== undefined) return Number(first)
  const [, last] = behind.exec(text) ?? []
  const [, ...title] = text.split(/\s[-–—]\s/)
  // `Artist - 8675309` has it for its title.
  return last !== undefined && /\p{L}/u.test(title.join('')) ? Number(last) : null
}

const LONGEST_TITLE = 300
const several = /^\s*[1-9][0-9]{4,7}(?:(?:\s*[,;|/]\s*|\s+)[1-9][0-9]{4,7})+\s*$/

/** A text of several ids is a list of them: `"129891, 129892"`. */
export function listedIn(value: Literal): Literal {
  if (value.kind !== 'text' || value.value.length > LONGEST_LIST || !several.test(value.value))
    return value
  const { start, end } = value
  const items = value.value.match(/[0-9]+/g)!.map((id): Literal => {
    return { kind: 'number', value: Number(id), start, end }
  })
  return { kind: 'list', items, start, end }
}

const LONGEST_LIST = 1000
