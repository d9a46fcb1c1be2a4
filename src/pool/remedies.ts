import { type Message, sayOf } from './message.ts'
import type { RemedyWords } from './remedy-words.ts'

// Apart from the words, which a page does not need that has its own.

/** What is wrong with a value and what to do. */
export type Remedy = Message<RemedyWords>
export const remedy = sayOf<RemedyWords>()
