import { type Item, type Message, type Say, sayOf } from '../../pool/message.ts'
import type { ImportWords } from './import-words.ts'

// Apart from the words, which a page does not need that has its own.

export type ImportMessage = Message<ImportWords>
export const say: Say<ImportWords> = sayOf<ImportWords>()

/** The first ones, and how many more there are. */
export function named(items: readonly Item[], most: number) {
  const list = { items: items.slice(0, most), how: 'unit' } as const
  const n = items.length - most
  return n > 0 ? { message: say('andMore', { items: list, n }) } : list
}

/** `3 to 7`, or the one that it is. */
export const range = (first: string | number, last: string | number) =>
  first === last ? first : { message: say('upTo', { first, last }) }

const MOST_NOTES = 5
const LONGEST_QUOTE = 80

/** A note about each text that is left out, of the first ones. */
export function notesOfLeftOut(texts: readonly string[]): ImportMessage[] {
  return texts.slice(0, MOST_NOTES).map((text) => {
    return say('leftOut', { what: `“${text.trim().slice(0, LONGEST_QUOTE).toWellFormed()}”` })
  })
}
