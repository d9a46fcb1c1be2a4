import { type Edit, isSameEdit } from '../edit.ts'

/** A draft keeps no more. */
const MOST_SENT = 3

type Edits = readonly Edit[]

export const without = (edits: Edits, others: Edits): Edits =>
  edits.filter((edit) => !others.some((each) => isSameEdit(each, edit)))

/** What was sent, with what was sent last. */
export const withSent = (sent: Edits, last: Edits): Edits =>
  [...without(sent, last), ...last].slice(-MOST_SENT)
