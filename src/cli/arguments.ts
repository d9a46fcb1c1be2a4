import { MAX_SAFE_INTEGER, SLUG_PATTERN } from '../contract/bounds.ts'
import { AppError } from '../contract/errors.ts'
import { type Arguments, type CommandOption, usageError } from './program.ts'

export function required({ options }: Arguments, name: string): string {
  const value = options.get(name)
  if (value === undefined) throw usageError(`--${name} is missing`)
  return value
}

/** What a rule makes of an argument, whose fault it is if the rule throws `bad_request`. */
export function readBy<T>(rule: () => T): T {
  try {
    return rule()
  } catch (error) {
    if (error instanceof AppError && error.code === 'bad_request') throw usageError(error.message)
    throw error
  }
}

export function refuseWords({ words: [word] }: Arguments): void {
  if (word === undefined) return
  throw usageError(`Unexpected argument '${word}'. This command does not take positional arguments`)
}

/** The only word that a command takes. `name` is what messages call it. */
export function onlyWord({ words: [word, more] }: Arguments, name: string): string {
  if (word === undefined) throw usageError(`${name} is missing`)
  if (more !== undefined) throw usageError(`"${more}" is one too many; give ${name} alone`)
  if (word.trim() === '') throw usageError(`${name} is empty`)
  return word
}

/** The slug of a pack that is given by its slug or by an address. */
export const readSlug = (word: string): string =>
  slugOf(
    'pack',
    word,
    `"${withoutPassword(word)}" is no slug; it has 10 letters, digits, hyphens or underscores (the address of a pack's page is accepted, too)`,
  )

/** The slug of a tournament that is given by its slug or by the address of its page or workspace. */
export const readTournamentSlug = (word: string): string =>
  slugOf('tournament', word, notAddressed('tournament', word))

function slugOf(kind: Addressed, word: string, message: string): string {
  const address = readAddress(kind, word)
  if (address !== null) return address.slug
  throw usageError(message)
}

/** An address without the name and password in front of its host, and what follows its path. */
export const withoutPassword = (address: string): string =>
  address.replace(/^(\w+:\/\/)?.*@/s, '$1…@').replace(/[?#].*/s, '…')

/** The message for a word that is no slug and no address. */
export const notAddressed = (kind: Addressed, word: string): string =>
  `"${withoutPassword(word)}" is no ${kind}; give its slug, 10 letters, digits, hyphens or underscores, or the address of its page`

export const gameIdOption: CommandOption = {
  name: 'game-id',
  takes: 'N',
  isRequired: true,
  about: 'id of the player on the game platform',
}

export function readGameId(call: Arguments): number {
  const text = required(call, 'game-id')
  const id = Number(text)
  if (/^[1-9]\d{0,15}$/.test(text) && id <= MAX_SAFE_INTEGER) return id
  throw usageError(
    `--game-id "${text}" is no game id; give a whole number from 1 to ${MAX_SAFE_INTEGER}`,
  )
}

const SLUG = new RegExp(SLUG_PATTERN)
const addresses = {
  pack: /^(?:https?:\/\/)?([^\s/?#@]+)\/(?:[^\s?#]*\/)?(?:p|api\/v1\/packs)\/([^\s/?#]+)\/?(?:[?#].*)?$/i,
  tournament:
    /^(?:https?:\/\/)?([^\s/?#@]+)\/(?:[^\s?#]*\/)?(?:t|api\/v1\/tournaments)\/([^\s/?#]+)(?:\/(?:edit|staff))?\/?(?:[?#].*)?$/i,
}
/** What has a slug, and pages. */
export type Addressed = keyof typeof addresses

/**
 * Reads a slug, or the address of a page or of an API resource: of a pack, or of a tournament, its workspace and the
 * page of its staff. null for anything else.
 */
export function readAddress(kind: Addressed, text: string) {
  if (SLUG.test(text)) return { slug: text, host: null }
  const [, host = '', slug = ''] = addresses[kind].exec(text.trim()) ?? []
  return SLUG.test(slug) ? { slug, host: host.toLowerCase() } : null
}
