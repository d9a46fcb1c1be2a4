import { MapcrateError } from '../../client/errors.ts'
import { AppError } from '../../contract/errors.ts'
import { FormatError } from '../../formats/format-error.ts'
import { PackKeyError } from '../../pool/pack-key/envelope.ts'
import { CliError } from '../program.ts'
import {
  fileErrorText,
  type FileUse,
  networkErrorText,
  systemCode,
  systemErrorText,
} from '../system-error.ts'
import { plain, withoutKeys } from './screen.ts'

/** What went wrong with a file, with its name and what to do. */
export const fileError = (error: unknown, use: FileUse, file: string): CliError =>
  new CliError(fileErrorText(error, use, file), 'failed', { cause: error })

/** What people are told of an error: never a key, nothing that a terminal would obey. */
export const describeError = (error: unknown): string => plain(withoutKeys(textOf(error)), '\n')

function textOf(error: unknown): string {
  if (error instanceof MapcrateError) return ofTheService(error)
  if (ours.some((kind) => error instanceof kind)) return (error as Error).message
  const words = systemErrorText(error)
  if (words !== null) return words
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

const ours = [CliError, AppError, FormatError, PackKeyError]

function ofTheService({ code, message, requestId, cause }: MapcrateError): string {
  if (code === 'unreachable') {
    const reason = systemCode(cause) ?? 'fetch failed'
    const words = networkErrorText(reason) ?? 'the connection failed; check the address'
    return message.replace(reason, words)
  }
  if (code === 'invalid_api_key') return `${message}; log in again with: mapcrate login`
  const isTheirs = code === 'internal_error' || code === 'unexpected_answer'
  return isTheirs && requestId !== null ? `${message} (request ${requestId})` : message
}
