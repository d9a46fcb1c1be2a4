import { MapcrateError, type MapcrateErrorCode } from '../../client/errors.ts'
import { AppError } from '../../contract/errors.ts'
import type { ServiceName } from '../../contract/services.ts'
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
 * @param service that the command uses.
 */
export const describeError = (error: unknown, service: ServiceName = 'packs'): string =>
  plain(withoutKeys(textOf(error, service)), '\n')

/** The commands that store the login of a service. */
export const loginCommands: Readonly<Record<ServiceName, string>> = {
  packs: 'mapcrate login',
  pools: 'mapcrate login --service pools',
}

/** Of a refused key, the error for a command whose service is not that of its group; any other error as it is. */
export const refusedKey = (error: unknown, service: ServiceName): unknown =>
  hasCode(error, 'invalid_api_key')
    ? new CliError(describeError(error, service), 'failed', { cause: error })
    : error

const ours = [CliError, AppError, FormatError, PackKeyError]

function textOf(error: unknown, service: ServiceName): string {
  if (error instanceof MapcrateError) return serviceErrorText(error, service)
  if (!(error instanceof Error)) return String(error)
  if (ours.some((kind) => error instanceof kind)) return error.message
  return systemErrorText(error) ?? error.stack ?? error.message
}

function serviceErrorText(error: MapcrateError, service: ServiceName): string {
  const { code, message, requestId, cause } = error
  if (code === 'unreachable') {
    const reason = systemCode(cause) ?? 'fetch failed'
    const words = networkErrorText(reason) ?? 'the connection failed; check the address'
    return message.replace(reason, words)
  }
  if (code === 'invalid_api_key') {
    return refusalOfKey(error, service)
  }
  const isTheirs = code === 'internal_error' || code === 'unexpected_answer'
  // The client calls it by the name of its option.
  const text = message.replace('baseUrl', 'the address of the service')
  return isTheirs && requestId !== null ? `${text} (request ${requestId})` : text
}

/** Where the address is that of the other service, that one asks for a key of its own, which would be the wrong one. */
function refusalOfKey({ message, reason }: MapcrateError, service: ServiceName): string {
  // Errors of the tournament-pools service alone have reasons.
  const answering = reason === null ? 'packs' : 'pools'
  const login = loginCommands[service]
  if (answering === service) return `${message}; log in again with: ${login}`
  return `the key was refused by a ${titles[answering]}; is the address that of the ${titles[service]}? Log in again with: ${login}`
}

/** The refusal of a login whose address and key are those of the other service than `wanted`. */
export function otherService(address: string, wanted: ServiceName): CliError {
  const found = wanted === 'packs' ? 'pools' : 'packs'
  return new CliError(
    `${address} is a ${titles[found]}, which takes this key; to log in to it: ${loginCommands[found]}`,
  )
}

const titles = { packs: 'packs service', pools: 'tournament-pools service' } as const
