import { headerLinks, PAGE_DATA_ID, type PageData } from '../../contract/page-data.ts'
import type { ServiceName } from '../../contract/services.ts'
import type { EntryFiles } from '../assets/assets.ts'
import { SITE_NAME } from '../site-context.ts'
import type { Settings } from '../../door/context.ts'

/** What stands in the head of a page, for browsers, search engines and chat programs. */
export type PageHead = {
  readonly title: string
  readonly description: string
  /** The page's own whole address; left out where it is none that one would share. */
  readonly url?: string
  /** Picture of the page, 1200 × 630. */
  readonly image?: { readonly url: string; readonly alt: string }
  /** Search engines are asked to leave the page out. */
  readonly isUnlisted?: boolean
}

/** A whole page. */
type Page = {
  readonly head: PageHead
  readonly files: EntryFiles
  /** A classic script that runs before anything is painted; left out where there is none. */
  readonly earlyScript?: string | undefined
  readonly data: PageData
  /** HTML shown until the browser application takes over, or for good where it does not. */
  readonly body: string
}

/** Writes a page down. Everything that comes from people is escaped here and nowhere else. */
export function pageHtml({ head, files, earlyScript, data, body }: Page): string {
  const { siteName } = data
  const title = head.title === siteName ? siteName : `${head.title} – ${siteName}`
  const lines = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)}</title>`,
    meta('name', 'description', head.description),
    '<meta name="color-scheme" content="light dark">',
    ...(head.isUnlisted ? ['<meta name="robots" content="noindex">'] : []),
    ...(head.url === undefined ? [] : [`<link rel="canonical" href="${escapeHtml(head.url)}">`]),
    ...shareTags(head, siteName),
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    '<link rel="apple-touch-icon" href="/icon-180.png">',
    '<link rel="manifest" href="/manifest.webmanifest">',
    ...(earlyScript === undefined ? [] : [`<script src="/${escapeHtml(earlyScript)}"></script>`]),
    ...fileTags(files),
  ]
  return `<!doctype html>
<html lang="en">
<head>
${lines.join('\n')}
</head>
<body>
<div id="app">${body}</div>
<script type="application/json" id="${PAGE_DATA_ID}">${jsonForScript(data)}</script>
</body>
</html>
`
}

/**
 * The notice below the header of every page and, where the packs are, with a search field. It is the
 * same for everyone: the header leads to the account page whether or not somebody is signed in.
 */
export function noticePageHtml(
  notice: Notice,
  service: ServiceName,
  { siteUrl }: Settings,
): string {
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

/** The notice as the content of a page that needs no script. */
export function noticeHtml({ title, text, ways }: Notice, more = ''): string {
  return `\
<main id="main" class="notice">
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${more}<p class="actions">${ways.map(({ label, href }) => link(href, label, 'button')).join('\n')}</p>
</main>`
}

function meta(kind: 'name' | 'property', name: string, content: string): string {
  return `<meta ${kind}="${name}" content="${escapeHtml(content)}">`
}

function shareTags({ title, description, url, image }: PageHead, siteName: string): string[] {
  return [
    meta('property', 'og:site_name', siteName),
    meta('property', 'og:type', 'website'),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    ...(url === undefined ? [] : [meta('property', 'og:url', url)]),
    ...(image === undefined
      ? [meta('name', 'twitter:card', 'summary')]
      : [
          meta('property', 'og:image', image.url),
          meta('property', 'og:image:type', 'image/png'),
          meta('property', 'og:image:width', '1200'),
          meta('property', 'og:image:height', '630'),
          meta('property', 'og:image:alt', image.alt),
          meta('name', 'twitter:card', 'summary_large_image'),
        ]),
  ]
}

function fileTags({ styles, preloads, script }: EntryFiles): string[] {
  return [
    ...styles.map((file) => `<link rel="stylesheet" href="/${escapeHtml(file)}">`),
    ...preloads.map((file) => `<link rel="modulepreload" href="/${escapeHtml(file)}">`),
    ...(script === null ? [] : [`<script type="module" src="/${escapeHtml(script)}"></script>`]),
  ]
}

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
export function nothingHere(service: ServiceName): Notice {
  return {
    title: 'Page not found',
    text: 'It may have been deleted, or you may not have access to it.',
    ways: [...(service === 'packs' ? [{ label: 'Browse packs', href: '/packs' }] : []), homeward],
  }
}

function link(href: string, label: string, name?: string): string {
  return `<a${name === undefined ? '' : ` class="${name}"`} href="${escapeHtml(href)}">${escapeHtml(label)}</a>`
}

/** Browse's own search. Without a script it is a plain form. */
const searchForm = `<form class="notice-search" role="search" action="/packs">
<label class="sr-only" for="q">Search packs by name, owner or description</label>
<input class="field" id="q" name="q" type="search" placeholder="Search packs" maxlength="200">
<button class="button" type="submit">Search</button>
</form>
`

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as it may stand in an element or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)
}

/** JSON as it may stand in a script element: nothing in it can end the element or open a comment. */
function jsonForScript(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
