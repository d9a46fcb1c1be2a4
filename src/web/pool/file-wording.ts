import * as words from '#texts/files'
import { FormatError } from '../../formats/format-error.ts'
import { worded } from '../../pool/message.ts'
import { join } from '../format.ts'

/** What is wrong with a file, if that is why something failed; else null. */
export const problemOf = (error: unknown): string | null =>
  error instanceof FormatError ? worded(error.problem, { words, join }) : null
