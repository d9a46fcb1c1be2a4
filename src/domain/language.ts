import { type Language, languages } from '#texts/languages'
import { BoundedMap } from './loading.ts'

/** The languages that pages are in, English first. */
export const offeredLanguages = Object.keys(languages) as readonly Language[]

/** What says which language somebody reads, the strongest first; null: it says nothing. */
type LanguageHints = {
  /** What the address asks for: any tag of the language. */
  readonly asked: string | null
  /** What the account has chosen. */
  readonly account: string | null
  readonly cookie: string | null
  /** The header `Accept-Language`. */
  readonly accept: string | undefined
}

/** The language to answer in: the first hint that names one of `offered`, else English. */
export function chooseLanguage(
  { asked, account, cookie, accept }: LanguageHints,
  offered: readonly Language[],
): Language {
  const named = asked === null ? null : languageNamed(asked, offered)
  const chosen = named ?? [account, cookie].find((each) => isOffered(each, offered)) ?? null
  if (chosen !== null) return chosen
  return accept === undefined ? 'en' : acceptedLanguage(accept, offered)
}

export const isOffered = (
  name: string | null,
  offered: readonly Language[] = offeredLanguages,
): name is Language => (offered as readonly (string | null)[]).includes(name)

/** What is longer is no tag of a language that there are texts in. */
const LONGEST_TAG = 64

/**
 * The one of `offered` that a tag names, in capitals or not: a language counts in whatever region it is written, but not in
 * another script. null: none of them.
 */
export function languageNamed(tag: string, offered: readonly Language[]): Language | null {
  if (isOffered(tag, offered)) return tag
  return tag.length > LONGEST_TAG ? null : (namesOf(offered)(tag.toLowerCase()) ?? null)
}

/** Finds what a tag in lower case names. */
function namesOf(offered: readonly Language[]): (tag: string) => Language | undefined {
  const scripts = new Map(offered.map((each) => [scriptOf(each), each] as const).toReversed())
  const exact = new Map(offered.map((each) => [each.toLowerCase(), each] as const))
  return (tag) => exact.get(tag) ?? scripts.get(scriptOf(tag))
}

/** By what is offered. Headers are few in number, and each takes some Intl to read. */
const known = new WeakMap<readonly Language[], BoundedMap<string, Language>>()
/** Longer ones are read each time. */
const LONGEST_KEPT = 256
/** So many languages are read of a header. */
const MOST_RANGES = 32

function acceptedLanguage(accept: string, offered: readonly Language[]): Language {
  if (accept.length > LONGEST_KEPT) return readAccepted(accept, offered)
  const kept = known.get(offered) ?? new BoundedMap<string, Language>({ maxEntries: 1_000 })
  known.set(offered, kept)
  const language = kept.get(accept) ?? readAccepted(accept, offered)
  kept.set(accept, language)
  return language
}

/**
 * The language of a header that weighs most, among equals the first (RFC 9110, 12.5.4): a language counts in whatever region
 * it is written, but not in another script. `zh` after `zh-TW` is that, not what is written elsewhere: browsers add it.
 */
function readAccepted(accept: string, offered: readonly Language[]): Language {
  const nameOf = namesOf(offered)
  const ranges = accept.split(',', MOST_RANGES).map(readRange)
  let [best, most]: [Language, number] = ['en', 0]
  for (const { range, weight } of ranges) {
    const meant = ranges.find((each) => each.range.startsWith(`${range}-`))?.range ?? range
    const language = range === '*' ? 'en' : nameOf(meant)
    if (language !== undefined && weight > most) [best, most] = [language, weight]
  }
  return best
}

/** A member of the header, its language in lower case. */
function readRange(member: string): { readonly range: string; readonly weight: number } {
  const [range = '', ...parameters] = member.split(';').map((part) => part.trim())
  const q = parameters.find((each) => /^q\s*=/i.test(each))
  const weight = q === undefined ? 1 : Number(/^q\s*=\s*([01](?:\.\d{0,3})?)$/i.exec(q)?.[1] ?? 0)
  return { range: range.toLowerCase(), weight }
}

/** `zh-Hans` of `zh-CN`; null where it is no language. */
function scriptOf(tag: string): string | null {
  try {
    const { language, script } = new Intl.Locale(tag).maximize()
    return `${language}-${script}`
  } catch {
    return null
  }
}

/** How a language writes numbers with at most `most` decimals, and at least `least`. */
export function decimalsOf(
  language: string,
  most: number,
  least = most,
): (value: number) => string {
  const decimals = { minimumFractionDigits: least, maximumFractionDigits: most }
  const format = new Intl.NumberFormat(language, decimals)
  return (value) => format.format(value)
}

/** Scripts that are written to the left, of languages that have texts somewhere. */
const RIGHT_TO_LEFT = /-(?:Arab|Hebr|Syrc|Thaa|Nkoo|Adlm|Rohg)$/

/** Which way a language is written. */
export const directionOf = (language: string): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.test(scriptOf(language) ?? '') ? 'rtl' : 'ltr'

/** A language with a region, as Open Graph names it: `zh_CN` of `zh-Hans`. */
export function localeOf(tag: string): string {
  const { language, region } = new Intl.Locale(tag).maximize()
  return `${language}_${region}`
}
