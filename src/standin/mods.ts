import data from './beatmaps.json' with { type: 'json' }

/** The platform's names of the rulesets, in the order of `mode_int`. */
export const modes = ['osu', 'taiko', 'fruits', 'mania'] as const
export type Mode = (typeof modes)[number]

/** What an attributes call asks for. */
export type AskedRating = { readonly mode: Mode; readonly mods: readonly string[] }

/**
 * Reads the body of an attributes call as the platform does, or says why it is refused (422). A body that is no object
 * asks for the plain rating.
 *
 * @param own the beatmap's ruleset; only an `osu` beatmap converts to another one.
 */
export function readAskedRating(body: unknown, own: Mode): AskedRating | string {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  const { ruleset = own, mods = [] } = fields
  const mode = modes.find((name) => name === ruleset)
  if (mode === undefined) return 'invalid ruleset specified'
  if (mode !== own && own !== 'osu') {
    return "specified beatmap can't be converted to the specified ruleset"
  }
  const list = typeof mods === 'number' ? modsOfBits(mods) : mods
  if (!Array.isArray(list)) return 'invalid mods specified'
  const entries = list.map((mod: unknown) =>
    typeof list[0] === 'string' ? { acronym: mod } : (mod as { acronym?: unknown } | null),
  )
  const names: string[] = []
  for (const entry of entries) {
    const { acronym, settings = {} } = (entry ?? {}) as { acronym?: unknown; settings?: object }
    const name = typeof acronym === 'number' ? String(acronym) : acronym
    if (typeof name !== 'string' || name === '') return 'invalid mod array'
    const unknown = Object.keys(settings).find((each) => !knownSettings[name]?.includes(each))
    if (unknown !== undefined) return `unknown setting for ${name} (${unknown})`
    names.push(name)
  }
  const accepted = data.acceptedMods[mode].split(' ')
  const refused = names.find((name) => !accepted.includes(name))
  return refused === undefined ? { mode, mods: names } : `invalid mod for ruleset: ${refused}`
}

/** The settings of the mods that change the speed; no other mod is asked for with any. */
const knownSettings: Readonly<Record<string, readonly string[]>> = {
  DT: ['speed_change', 'adjust_pitch'],
  HT: ['speed_change', 'adjust_pitch'],
  NC: ['speed_change'],
  DC: ['speed_change'],
}

/** The old way to name mods, by the place of their bit. */
const bits = 'NF EZ TD HD HR SD DT RX HT NC FL - SO AP PF 4K 5K 6K 7K 8K FI'.split(' ')

function modsOfBits(mask: number): string[] {
  return bits.filter((mod, place) => mod !== '-' && (mask & (1 << place)) !== 0)
}

/** The range of what a mod multiplies the rating by, in the order of the keys of `ratings`. */
export const factors: Readonly<Record<Mode, Readonly<Record<string, number[]>>>> = data.modFactors

/** The mods that affect the rating in the ruleset, each once. DC counts as no mod, unlike HT. */
export function movingMods({ mode, mods }: AskedRating): string[] {
  const asked = mods.map((mod) => (mod === 'NC' ? 'DT' : mod))
  return Object.keys(factors[mode]).filter((mod) => asked.includes(mod))
}

const keyMods = /^(?:[1-9]|10)K$/

/**
 * Whether the platform stores a rating: it has none of what cannot be played, and none of a mania beatmap that is
 * played with another number of keys.
 *
 * @param isOwn the ruleset is the beatmap's own.
 */
export function isRated({ mode, mods }: AskedRating, isOwn: boolean): boolean {
  const has = (...names: string[]) => names.some((name) => mods.includes(name))
  const isImpossible = (has('EZ') && has('HR')) || (has('DT', 'NC') && has('HT'))
  const isOtherKeys = mode === 'mania' && isOwn && mods.some((mod) => keyMods.test(mod))
  return !isImpossible && !isOtherKeys
}
