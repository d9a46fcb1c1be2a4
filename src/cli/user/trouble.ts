import { MapcrateError } from '../../client/errors.ts'
import { Failure } from '../../contract/errors.ts'
import { FormatError } from '../../formats/format-error.ts'
import { PackKeyError } from '../../pool/pack-key/envelope.ts'
import { Misuse } from '../command.ts'
import {
  fileErrorText,
  type FileUse,
  networkErrorText,
  systemCode,
  systemErrorText,
} from '../system-error.ts'
import { plain, withoutKeys } from './plain.ts'

/** Something that the person can mend; its message says what and how. Exit code 1. */
export class Trouble extends Error {}

/** What went wrong with a file, with its name and what to do. */
export const fileTrouble = (error: unknown, use: FileUse, file: string): Trouble =>
  new Trouble(fileErrorText(error, use, file), { cause: error })

/** Done, but not all of it: something was refused, or left alone. Exit code 3. */
export class InPart extends Error {}

/** Ctrl+C. Exit code 130, as shells have it. */
export class Interrupted extends Error {
  constructor() {
    super('interrupted')
  }
}

const told = [Trouble, InPart, Interrupted, Misuse, Failure, FormatError, PackKeyError]

const isTold = (error: unknown): error is Error => told.some((kind) => error instanceof kind)

const ofTheService = ({ code, message, requestId, cause }: MapcrateError): string => {
  if (code === 'unreachable') {
    const reason = systemCode(cause) ?? 'fetch failed'
    const words = networkErrorText(reason) ?? 'the connection failed; check the address'
    return message.replace(reason, words)
  }
  if (code === 'invalid_api_key') return `${message}; log in again with: mapcrate login`
  const isTheirs = code === 'internal_error' || code === 'unexpected_answer'
  return isTheirs && requestId !== null ? `${message} (request ${requestId})` : message
}

/** What people are told of an error: never a key, nothing that a terminal would obey. */
export const describeTrouble = (error: unknown): string => {
  const words = (): string => {
    if (error instanceof MapcrateError) return ofTheService(error)
    if (isTold(error)) return error.message
    const words = systemErrorText(error)
    if (words !== null) return words
    return error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
  return plain(withoutKeys(words()), '\n')
}

/** 0 done, 1 failed, 2 wrong use, 3 done in part, 130 interrupted. */
export const exitCodeOf = (error: unknown): number => {
  if (error instanceof Interrupted) return 130
  return error instanceof InPart ? 3 : 1
}
