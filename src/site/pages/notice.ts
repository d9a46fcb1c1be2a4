import { headerLinks } from '../../contract/page-data.ts'
import type { ServiceName } from '../../contract/services.ts'
import type { Settings } from '../../door/context.ts'
import { SITE_NAME } from '../site-context.ts'
import { escapeHtml } from './escape-html.ts'

/** The content of a page that only says what happened and where to go on. */
export type Notice = {
  readonly title: string
  /** Plain sentences: what happened, what was kept, what to do. */
  readonly text: string
  /** Links, the most likely first. */
  readonly ways: readonly { readonly label: string; readonly href: string }[]
}

export const homeward: Notice['ways'][number] = { label: 'Go to the home page', href: '/' }

/** The same page whether something is missing, private or hidden (D-29). */
export const nothingHere = (service: ServiceName): Notice => ({
  title: 'Page not found',
  text: 'It may have been deleted, or you may not have access to it.',
  ways: [...(service === 'packs' ? [{ label: 'Browse packs', href: '/packs' }] : []), homeward],
})

const link = (href: string, label: string, name?: string): string =>
  `<a${name === undefined ? '' : ` class="${name}"`} href="${escapeHtml(href)}">${escapeHtml(label)}</a>`

/** The notice as the content of a page that needs no script. */
export const noticeHtml = ({ title, text, ways }: Notice, more = ''): string => `\
<main id="main" class="notice">
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${more}<p class="actions">${ways.map(({ label, href }) => link(href, label, 'button')).join('\n')}</p>
</main>`

/** Browse's own search. Without a script it is a plain form. */
const searchForm = `<form class="notice-search" role="search" action="/packs">
<label class="sr-only" for="q">Search packs by name, owner or description</label>
<input class="field" id="q" name="q" type="search" placeholder="Search packs" maxlength="200">
<button class="button" type="submit">Search</button>
</form>
`

/**
 * The notice below the header of every page and, where the packs are, with a search field. It is the
 * same for everyone: the header leads to the account page whether or not somebody is signed in.
 */
export const noticePageHtml = (
  notice: Notice,
  service: ServiceName,
  { siteUrl }: Settings,
): string => {
  const hrefOf = (path: string): string =>
    service === 'packs' || path.startsWith('/docs') ? path : siteUrl + path
  const links = headerLinks.map(([label, path]) => link(hrefOf(path), label))
  return `<a class="skip-link" href="#main">Skip to content</a>
<header class="header"><div class="column">
<a class="brand" href="${escapeHtml(hrefOf('/'))}"><img class="mark" src="/favicon.svg" alt="">${SITE_NAME}</a>
<nav class="always" aria-label="Pages">${links.join('\n')}</nav>
<div class="header-end">${link('/account', 'Account', 'account')}</div>
</div></header>
<div class="column page">${noticeHtml(notice, service === 'packs' ? searchForm : '')}</div>`
}
