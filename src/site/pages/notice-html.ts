import { QUERY_LENGTH, SEARCH_LENGTH } from '../../contract/bounds.ts'
import {
  headerLinks,
  linksOf,
  type PageData,
  type PageNotice,
  searchWords,
  siteHref,
} from '../../contract/page-data.ts'
import type { ServiceName } from '../../contract/services.ts'
import { escapeHtml } from './html.ts'

export type Notice = PageNotice

export const homeward: Notice['ways'][number] = { label: 'Go to the home page', href: '/' }

/** The same page whether something is missing, private or hidden (D-29). */
export function nothingHere(service: ServiceName): Notice {
  return {
    title: 'Page not found',
    text: 'It may have been deleted, or you may not have access to it.',
    ways:
      service === 'packs'
        ? [{ label: 'Browse packs', href: '/packs' }, homeward]
        : [{ label: 'Browse tournaments', href: '/' }],
  }
}

function link(href: string, label: string, name?: string): string {
  return `<a${name === undefined ? '' : ` class="${name}"`} href="${escapeHtml(href)}">${escapeHtml(label)}</a>`
}

/**
 * A notice below the header of every page, with a search field, where pages cannot be rendered. It is the same for
 * everyone: the header links to the account page whether or not somebody is signed in.
 */
export function noticePageHtml(notice: Notice, data: PageData): string {
  const { siteName, logo = '/favicon.svg' } = data
  const links = linksOf(data, headerLinks).map(([label, of, path]) =>
    link(siteHref(data, of, path), label),
  )
  return `<a class="skip-link" href="#main">Skip to content</a>
<header class="header"><div class="column">
<a class="brand" href="/"><img class="mark" src="${escapeHtml(logo)}" alt="">${escapeHtml(siteName)}</a>
<nav class="always" aria-label="Pages">${links.join('\n')}</nav>
<div class="header-end">${link('/account', 'Account', 'account')}</div>
</div></header>
<div class="column page">${noticeHtml(notice, searchForms[data.service])}</div>`
}

/** A notice as the content of a page that needs no script. */
export function noticeHtml({ title, text, ways }: Notice, more = ''): string {
  return `\
<main id="main" class="notice">
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${more}<p class="actions">${ways.map(({ label, href }) => link(href, label, 'button')).join('\n')}</p>
</main>`
}

/** The search of each site. Without a script it is a plain form. */
const searchForms: Readonly<Record<ServiceName, string>> = {
  packs: searchForm('/packs', 'q', searchWords.packs, QUERY_LENGTH),
  pools: searchForm('/', 'search', searchWords.pools, SEARCH_LENGTH),
}

type SearchWords = (typeof searchWords)[ServiceName]

function searchForm(
  path: string,
  name: string,
  { label, placeholder }: SearchWords,
  most: number,
): string {
  return `<form class="notice-search" role="search" action="${path}">
<label class="sr-only" for="q">${label}</label>
<input class="field" id="q" name="${name}" type="search" placeholder="${placeholder}" maxlength="${most}">
<button class="button" type="submit">Search</button>
</form>
`
}
