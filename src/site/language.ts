import type { FastifyReply, FastifyRequest } from 'fastify'
import { differences } from '#texts/all/differences'
import { fields } from '#texts/all/fields'
import { site } from '#texts/all/site'
import type { Language } from '#texts/languages'
import { POOLS_OWNER } from '../contract/page-data.ts'
import { LANGUAGE_COOKIE, LANGUAGE_PARAMETER, sharedDomain } from '../contract/visitor.ts'
import { chooseLanguage, decimalsOf, languageNamed } from '../domain/language.ts'
import { setCookies } from '../door/answer.ts'
import type { Settings } from '../door/context.ts'
import { cookieText, readCookie } from '../door/cookies.ts'
import { isSecure } from '../door/wire.ts'

/** What the server itself says, in one language. */
export type SiteTexts = (typeof site)[Language]

export const textsIn = (language: Language): SiteTexts => site[language]

const languagesOf = new Map(Object.entries(site).map(([language, texts]) => [texts, language]))

/** The language that the texts are in. */
export const languageOfTexts = (texts: SiteTexts): string => languagesOf.get(texts) ?? 'en'

/** As `decimalsOf`, in the language of the texts. */
export const decimalsIn = (texts: SiteTexts, most: number, least = most) =>
  decimalsOf(languageOfTexts(texts), most, least)

/** The owner of a pack as the texts name it; as pages do, so a label that the operator has chosen is a name. */
export const ownerIn = (texts: SiteTexts, name: string): string =>
  name === POOLS_OWNER ? texts.poolsOwner : name

/** What differences of packs are called. */
export const differenceTextsIn = (language: Language) => ({
  ...fields[language],
  ...differences[language],
})

/** Those that there are pages in. */
type Offer = { readonly languages: readonly Language[] }

/** The language of the response; `isAsked`: the address names it. */
export type Choice = { readonly language: Language; readonly isAsked: boolean }

/** By what the address asks for, the account and the browser have chosen, and the browser sends with each request. */
export function languageOf(
  { languages }: Offer,
  { headers, query, viewer }: FastifyRequest,
): Choice {
  const asked = askedOf(query)
  const hints = {
    asked,
    account: viewer?.language ?? null,
    cookie: readCookie(headers.cookie, LANGUAGE_COOKIE),
    accept: headers['accept-language'],
  }
  const language = chooseLanguage(hints, languages)
  return { language, isAsked: asked !== null && languageNamed(asked, languages) !== null }
}

/** What an address asks for; null where it asks for none, or for several. */
function askedOf(query: unknown): string | null {
  const asked = (query as Readonly<Record<string, unknown>>)[LANGUAGE_PARAMETER]
  return typeof asked === 'string' ? asked : null
}

/** Of what programs fetch, feeds and pictures: the language that the address asks for, else English. */
export function askedLanguage({ languages }: Offer, { query }: FastifyRequest): Language {
  const asked = askedOf(query)
  return (asked === null ? null : languageNamed(asked, languages)) ?? 'en'
}

export const askedTexts = (context: Offer, request: FastifyRequest): SiteTexts =>
  textsIn(askedLanguage(context, request))

/** The query of a request, without the language that it asks for: with it, a link leads to the same address. */
export function queryOf({ url }: Pick<FastifyRequest, 'url'>): string {
  const asked = new URLSearchParams(url.split(/\?(.*)/s)[1])
  asked.delete(LANGUAGE_PARAMETER)
  return `?${asked.toString()}`
}

/** The same address, which asks for a language. */
export const asking = (language: string, url: string): string =>
  `${url}${url.includes('?') ? '&' : '?'}${LANGUAGE_PARAMETER}=${language}`

/** The address of a feed, a picture or the manifest with the texts of a language; those in English have none. */
export const inLanguage = (language: string, url: string): string =>
  language === 'en' ? url : asking(language, url)

const YEAR_SECONDS = 365 * 24 * 3600

/** Lets the browser choose a language from now on, on both sites. */
export function keepLanguage(reply: FastifyReply, settings: Settings, language: Language): void {
  const domain = sharedDomain(settings.siteUrl, settings.poolsUrl) ?? ''
  const cookie = { name: LANGUAGE_COOKIE, value: language, maxAgeSeconds: YEAR_SECONDS, domain }
  const kept = [reply.getHeader('set-cookie') ?? []].flat() as string[]
  setCookies(reply, [...kept, cookieText({ ...cookie, isSecure: isSecure(settings) })])
}
