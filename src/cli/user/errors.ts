import { MapcrateError, type MapcrateErrorCode } from '../../client/errors.ts'
import { AppError } from '../../contract/errors.ts'
import { FormatError } from '../../formats/format-error.ts'
import { PackKeyError } from '../../pool/pack-key/layout.ts'
import { CliError } from '../program.ts'
import {
  type FileUse,
  fileErrorText,
  networkErrorText,
  systemCode,
  systemErrorText,
} from '../system-error.ts'
import { plain, withoutKeys } from './screen.ts'

/** An error of a file, with the file's name, the reason and the remedy. */
export const fileError = (error: unknown, use: FileUse, file: string): CliError =>
  new CliError(fileErrorText(error, use, file), 'failed', { cause: error })

export const hasCode = (error: unknown, ...codes: MapcrateErrorCode[]): error is MapcrateError =>
  error instanceof MapcrateError && codes.includes(error.code)

/**
 * The message for an error, without keys and without control characters.
 *
 * @param login the command by which to log in to the service again.
 */
export const describeError = (error: unknown, login = 'mapcrate login'): string =>
  plain(withoutKeys(textOf(error, login)), '\n')

const ours = [CliError, AppError, FormatError, PackKeyError]

function textOf(error: unknown, login: string): string {
  if (error instanceof MapcrateError) return serviceErrorText(error, login)
  if (!(error instanceof Error)) return String(error)
  if (ours.some((kind) => error instanceof kind)) return error.message
  return systemErrorText(error) ?? error.stack ?? error.message
}

function serviceErrorText(
  { code, message, requestId, cause }: MapcrateError,
  login: string,
): string {
  if (code === 'unreachable') {
    const reason = systemCode(cause) ?? 'fetch failed'
    const words = networkErrorText(reason) ?? 'the connection failed; check the address'
    return message.replace(reason, words)
  }
  if (code === 'invalid_api_key') return `${message}; log in again with: ${login}`
  const isTheirs = code === 'internal_error' || code === 'unexpected_answer'
  // The client calls it by the name of its option.
  const text = message.replace('baseUrl', 'the address of the service')
  return isTheirs && requestId !== null ? `${text} (request ${requestId})` : text
}
