import { type Mode, modes } from './facts.ts'
import { refusedMod } from './mods.ts'

type RatingRequest = { readonly mode: Mode; readonly mods: readonly string[] }

/**
 * What the body of an attributes call asks for, or why it is refused (422).
 * @param own the beatmap's ruleset; only an `osu` beatmap converts to another one.
 */
export const readRatingRequest = (body: unknown, own: Mode): RatingRequest | string => {
  const { mods = [], ruleset = own } = (body ?? {}) as { mods?: unknown; ruleset?: unknown }
  const mode = modes.find((name) => name === ruleset)
  if (mode === undefined) return 'invalid ruleset'
  if (mode !== own && own !== 'osu') return `a beatmap of ${own} cannot be converted to ${mode}`
  if (!Array.isArray(mods)) return 'mods must be a list'
  const names = mods.map(String)
  const refused = refusedMod(mode, names)
  return refused === undefined ? { mode, mods: names } : `invalid mod for ruleset: ${refused}`
}
