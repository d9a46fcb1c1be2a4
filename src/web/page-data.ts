import { language } from '#texts/language'
import { PAGE_DATA_ID, type PageData, siteHref } from '../contract/page-data.ts'

let read: PageData | undefined
/** Set while a page is rendered as it is for everyone. */
let served: PageData | null = null

/** What the server put into this page. Throws on a page that was not made by it. */
export function pageData(): PageData {
  if (served !== null) return served
  read ??= JSON.parse(document.getElementById(PAGE_DATA_ID)?.textContent ?? '') as PageData
  return read
}

/** What the server puts into every page of its kind. Throws on a page of another kind. */
export function required<N extends keyof PageData>(name: N): NonNullable<PageData[N]> {
  const value = pageData()[name] ?? null
  if (value === null) throw new Error(`This page has no ${name}.`)
  return value
}

/**
 * Renders a page as the server does, also in the browser when it takes over what the server has rendered:
 * for a viewer who is signed out, in English and UTC, at the address of the page data, on a wide light screen.
 */
export function asServed<T>(data: PageData, render: () => T): T {
  served = { ...data, viewer: null }
  try {
    return render()
  } finally {
    served = null
  }
}

/** Whether nothing of a browser and its viewer may be read now: it is read when this is rendered again. */
export const isServed = (): boolean => served !== null

/** Where the page is: `location`, or what the server knows of it. */
export function address(): Pick<Location, 'pathname' | 'search' | 'hash'> {
  if (served === null) return location
  const { pathname, search } = new URL(served.address, served.siteUrl)
  return { pathname, search, hash: '' }
}

/** The page of an owner. */
export const ownerHref = (name: string): string => pageHref(`/u/${encodeURIComponent(name)}`)

/** The page of a beatmap. */
export const beatmapHref = (id: number): string => pageHref(`/maps/${id}`)

/** The address of a page of the packs site, for both services. Both have the docs themselves. */
export const pageHref = (path: string): string =>
  siteHref(pageData(), path.startsWith('/docs') ? null : 'packs', path)

/** What a link to a page says of its language: that it is in English, where this page is not. */
export const hreflangOf = (path: string): { readonly hreflang?: 'en' } =>
  pageData().englishPages?.includes(path) ? { hreflang: 'en' } : {}

/** The reader's own way of writing a language, `en-GB` of English, where their browser is in it. */
export function localeFor(language: string): string {
  if (typeof navigator === 'undefined') return language
  try {
    // Some browsers are in no language that there is: `en-US@posix`.
    const own = new Intl.Locale(navigator.language)
    return own.language === new Intl.Locale(language).language ? own.baseName : language
  } catch {
    return language
  }
}

/** For what is in English on pages in any language. */
export const inEnglish = language === 'en' ? {} : ({ lang: 'en', dir: 'ltr' } as const)

/** For what is in the page's language within that. It has names for buttons and the like, and no text of its own. */
export const inPageLanguage = language === 'en' ? {} : { lang: language }
