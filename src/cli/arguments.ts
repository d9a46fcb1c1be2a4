import { MAX_SAFE_INTEGER, SLUG_PATTERN } from '../contract/bounds.ts'
import { CliError, type CommandOption } from './program.ts'

/** The words of a call: options by name, and the rest in order. */
export type Arguments = {
  readonly words: readonly string[]
  /** A flag's value is empty. */
  readonly values: ReadonlyMap<string, string>
}

type Option = Pick<CommandOption, 'name' | 'takes' | 'choices'>

const SLUG = new RegExp(SLUG_PATTERN)

/**
 * Sorts the words of a call. Options stand anywhere in front of `--`, as `--out FILE` or `--out=FILE`.
 * A slug may begin with hyphens and is a word all the same.
 */
export function readArguments(args: readonly string[], options: readonly Option[]): Arguments {
  const words: string[] = []
  const values = new Map<string, string>()
  const rest = [...args]
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') return { words: [...words, ...rest], values }
    const [, name = '', , given] = /^--([a-z-]+)(=(.*))?$/s.exec(word) ?? []
    const option = options.find((known) => known.name === name)
    if (option === undefined) {
      if (word.startsWith('-') && word !== '-' && !SLUG.test(word)) {
        throw new CliError(`there is no option "${word}"`, 'misuse')
      }
      words.push(word)
    } else {
      if (values.has(name)) throw new CliError(`--${name} is given twice`, 'misuse')
      values.set(name, valueOf(option, given, rest))
    }
  }
  return { words, values }
}

function valueOf(
  { name, takes, choices }: Option,
  given: string | undefined,
  rest: string[],
): string {
  if (takes === undefined) {
    if (given !== undefined) throw new CliError(`--${name} takes no value`, 'misuse')
    return ''
  }
  const value = given ?? rest.shift()
  if (value === undefined || value === '--') {
    throw new CliError(`--${name} has no value`, 'misuse')
  }
  if (choices !== undefined && !choices.includes(value)) {
    throw new CliError(`--${name} "${value}" is not known; give ${choices.join(', ')}`, 'misuse')
  }
  return value
}

/** The value of an option that must be given. */
export function required({ values }: Arguments, name: string): string {
  const value = values.get(name)
  if (value === undefined) throw new CliError(`--${name} is missing`, 'misuse')
  return value
}

/** For a command that takes no words. */
export function refuseWords({ words: [word] }: Arguments): void {
  if (word === undefined) return
  const reason = `Unexpected argument '${word}'. This command does not take positional arguments`
  throw new CliError(reason, 'misuse')
}

/** The one word that a command takes. `what` names it in messages. */
export function onlyWord({ words: [word, more] }: Arguments, what: string): string {
  if (word === undefined) throw new CliError(`${what} is missing`, 'misuse')
  if (more !== undefined) {
    throw new CliError(`"${more}" is one too many; give ${what} alone`, 'misuse')
  }
  return word
}

/** A slug by what was typed: the slug, or a pack's address. */
export function readSlug(word: string): string {
  const address = readPackAddress(word)
  if (address === null) {
    throw new CliError(
      `"${word}" is no slug; it has 10 letters, digits, hyphens or underscores (the address of a pack's page is accepted, too)`,
      'misuse',
    )
  }
  return address.slug
}

/** A player's id on the game platform. */
export function readGameId(text: string): number {
  const id = Number(text)
  if (!/^[1-9]\d{0,15}$/.test(text) || id > MAX_SAFE_INTEGER) {
    throw new CliError(
      `--game-id "${text}" is no game id; give a whole number from 1 to ${MAX_SAFE_INTEGER}`,
      'misuse',
    )
  }
  return id
}

/** What names a pack on a command line: its slug, or the address of its page or of its API resource. */
type PackAddress = {
  readonly slug: string
  /** Host and port of the address in lower case; null for a slug alone. */
  readonly host: string | null
}

const PACK_URL =
  /^(?:https?:\/\/)?([^\s/?#@]+)\/(?:[^\s?#]*\/)?(?:p|api\/v1\/packs)\/([^\s/?#]+)\/?(?:[?#].*)?$/i

/** Reads a slug or a pack's address, `https://packs.example/p/SLUG`; null when it is neither. */
export function readPackAddress(text: string): PackAddress | null {
  if (SLUG.test(text)) return { slug: text, host: null }
  const [, host = '', slug = ''] = PACK_URL.exec(text.trim()) ?? []
  return SLUG.test(slug) ? { slug, host: host.toLowerCase() } : null
}
