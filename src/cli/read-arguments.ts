import { parseArgs } from 'node:util'
import { MAX_SAFE_INTEGER } from '../contract/bounds.ts'
import { type ServiceName, serviceNames } from '../contract/services.ts'
import { Misuse } from './command.ts'
import { readPackAddress } from './pack-address.ts'

/** What every option must have: a value, once. */
export const readOptions = <N extends string>(
  args: readonly string[],
  names: readonly N[],
): Readonly<Record<N, string>> => {
  const options = Object.fromEntries(
    names.map((name) => [name, { type: 'string', multiple: true }] as const),
  )
  const values = parse(() =>
    parseArgs({ args: [...args], options, allowPositionals: false }),
  ).values
  const pairs = names.map((name) => {
    const given = values[name]
    if (!Array.isArray(given)) throw new Misuse(`--${name} is missing`)
    if (given.length > 1) throw new Misuse(`--${name} is given twice`)
    return [name, String(given[0])] as const
  })
  return Object.fromEntries(pairs) as Record<N, string>
}

/** Where `--` says that no more options follow; behind it stand slugs that begin with a hyphen. */
const optionsEnd = (args: readonly string[]): number => {
  const end = args.indexOf('--')
  return end < 0 ? args.length : end
}

/** Takes `--name` out of the words, if it is there. */
export const takeFlag = (
  args: readonly string[],
  name: string,
): { readonly isGiven: boolean; readonly rest: readonly string[] } => {
  const end = optionsEnd(args)
  const rest = args.filter((word, at) => at >= end || word !== `--${name}`)
  return { isGiven: rest.length < args.length, rest }
}

/** Takes `--name VALUE` out of the words, if it is there; an empty value counts as given. */
export const takeOption = (
  args: readonly string[],
  name: string,
): { readonly value: string | undefined; readonly rest: readonly string[] } => {
  const at = args.slice(0, optionsEnd(args)).indexOf(`--${name}`)
  if (at < 0) return { value: undefined, rest: args }
  const value = args[at + 1]
  if (value === undefined || value === '--') throw new Misuse(`--${name} has no value`)
  const rest = args.toSpliced(at, 2)
  if (takeFlag(rest, name).isGiven) throw new Misuse(`--${name} is given twice`)
  return { value, rest }
}

/** For a command that takes nothing. */
export const readNothing = (args: readonly string[]): void => {
  parse(() => parseArgs({ args: [...args] }))
}

/** The one word that a command takes. `what` names it in messages. */
export const readOnly = (args: readonly string[], what: string): string => {
  const { positionals } = parse(() => parseArgs({ args: [...args], allowPositionals: true }))
  return exactlyOne(positionals, what)
}

/** The slug of a pack, or a pack's address, as the one word that a command takes; it may begin with a hyphen. */
export const readSlug = (args: readonly string[]): string => {
  const word = exactlyOne(args[0] === '--' ? args.slice(1) : args, 'SLUG')
  const address = readPackAddress(word)
  if (address === null) {
    throw new Misuse(
      `"${word}" is no slug; it has 10 letters, digits, hyphens or underscores (the address of a pack's page is accepted, too)`,
    )
  }
  return address.slug
}

/** A service by its name. */
export const readService = (text: string): ServiceName => {
  const service = serviceNames.find((name) => name === text)
  if (service === undefined) {
    throw new Misuse(`--service "${text}" is not known; give ${serviceNames.join(' or ')}`)
  }
  return service
}

/** A player's id on the game platform. */
export const readGameId = (text: string): number => {
  const id = Number(text)
  if (!/^[1-9]\d{0,15}$/.test(text) || id > MAX_SAFE_INTEGER) {
    throw new Misuse(
      `--game-id "${text}" is no game id; give a whole number from 1 to ${MAX_SAFE_INTEGER}`,
    )
  }
  return id
}

const exactlyOne = (words: readonly string[], what: string): string => {
  const [word, more] = words
  if (word === undefined) throw new Misuse(`${what} is missing`)
  if (more !== undefined) throw new Misuse(`"${more}" is one too many; give ${what} alone`)
  return word
}

const parse = <T>(read: () => T): T => {
  try {
    return read()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const [, option] = /'(-[^']*)'/.exec(message) ?? []
    const isUnknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' && option !== undefined
    throw new Misuse(isUnknown ? `there is no option "${option}"` : message)
  }
}
