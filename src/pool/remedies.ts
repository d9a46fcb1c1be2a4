import { type Message, type Say, sayOf } from './message.ts'
import type { remedyWords } from './remedy-words.ts'

// Apart from the English words: pages have their own, and load this without them.

export type RemedyWords = typeof remedyWords
/** What is wrong with a value and what to do, as data. */
export type Remedy = Message<RemedyWords>
export const remedy: Say<RemedyWords> = sayOf<RemedyWords>()
