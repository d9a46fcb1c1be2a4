import { QUERY_LENGTH, SEARCH_LENGTH } from '../../contract/bounds.ts'
import {
  headerLinks,
  linksOf,
  type PageData,
  type PageNotice,
  siteHref,
} from '../../contract/page-data.ts'
import type { ServiceName } from '../../contract/services.ts'
import type { SiteTexts } from '../language.ts'
import { escapeHtml } from './html.ts'

export type Notice = PageNotice

export const homeward = ({ toHome }: SiteTexts): Notice['ways'][number] => ({
  label: toHome,
  href: '/',
})

/** Leads to the game platform and back to this page. */
export const signInTo = ({ signIn }: SiteTexts, path: string): Notice['ways'][number] => ({
  label: signIn,
  href: `/sign-in?return=${encodeURIComponent(path)}`,
})

/** The same page whether something is missing, private or hidden (D-29). */
export const nothingHere =
  (service: ServiceName) =>
  (texts: SiteTexts): Notice => ({
    title: texts.notFound,
    text: texts.notFoundText,
    ways:
      service === 'packs'
        ? [{ label: texts.browsePacks, href: '/packs' }, homeward(texts)]
        : [{ label: texts.browseTournaments, href: '/' }],
  })

function link(href: string, label: string, name?: string): string {
  return `<a${name === undefined ? '' : ` class="${name}"`} href="${escapeHtml(href)}">${escapeHtml(label)}</a>`
}

/**
 * A notice below the header of every page, with a search field, where pages cannot be rendered. It is the same for
 * everyone: the header links to the account page whether or not somebody is signed in.
 */
export function noticePageHtml(notice: Notice, data: PageData, texts: SiteTexts): string {
  const { siteName, logo = '/favicon.svg', service } = data
  const links = linksOf(data, headerLinks).map(([name, of, path]) =>
    link(siteHref(data, of, path), texts[name]),
  )
  return `<a class="skip-link" href="#main">${escapeHtml(texts.skipToContent)}</a>
<header class="header"><div class="column">
<a class="brand" href="/"><img class="mark" src="${escapeHtml(logo)}" alt="">${escapeHtml(siteName)}</a>
<nav class="always" aria-label="${escapeHtml(texts.pages)}">${links.join('\n')}</nav>
<div class="header-end">${link('/account', texts.account, 'account')}</div>
</div></header>
<div class="column page">${noticeHtml(notice, searchForm(service, texts))}</div>`
}

/** A notice as the content of a page. */
function noticeHtml({ title, text, ways }: Notice, more = ''): string {
  return `\
<main id="main" class="notice">
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${more}<p class="actions">${ways.map(({ label, href }) => link(href, label, 'button')).join('\n')}</p>
</main>`
}

/** The search of each site. Without a script it is a plain form. */
function searchForm(service: ServiceName, texts: SiteTexts): string {
  const [path, name, most, label, placeholder] =
    service === 'packs'
      ? (['/packs', 'q', QUERY_LENGTH, texts.searchPacks, texts.searchPacksHint] as const)
      : ([
          '/',
          'search',
          SEARCH_LENGTH,
          texts.searchTournaments,
          texts.searchTournamentsHint,
        ] as const)
  return `<form class="notice-search" role="search" action="${path}">
<label class="sr-only" for="q">${escapeHtml(label)}</label>
<input class="field" id="q" name="${name}" type="search" placeholder="${escapeHtml(placeholder)}" maxlength="${most}">
<button class="button" type="submit">${escapeHtml(texts.search)}</button>
</form>
`
}
