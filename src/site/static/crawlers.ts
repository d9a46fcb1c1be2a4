import { SEARCH_INDEX_PATH, type SearchIndex } from '../../contract/search-index.ts'
import type { IndexShelf, PublishedIndex } from '../../operations/published-index.ts'
import { findIndex } from '../find-index.ts'
import { escapeHtml } from '../pages/escape-html.ts'
import { pagesOf } from '../pages/page-table.ts'
import type { SiteContext } from '../site-context.ts'

/** What crawlers are asked to leave alone: what is personal, and what is for programs. */
const offLimits = ['/session', '/sign-in', '/me', '/account', '/moderation', '/new', '/p/*/edit']

/** `robots.txt`. */
export const robotsText = ({ service, settings }: SiteContext): string =>
  [
    'User-agent: *',
    ...offLimits.map((path) => `Disallow: ${path}`),
    `Disallow: ${SEARCH_INDEX_PATH}`,
    'Disallow: /api/',
    ...(service === 'packs' ? ['', `Sitemap: ${settings.siteUrl}/sitemap.xml`] : []),
    '',
  ].join('\n')

const urlEntry = (address: string, lastModified: string | null): string => {
  const date = lastModified === null ? '' : `<lastmod>${escapeHtml(lastModified)}</lastmod>`
  return `<url><loc>${escapeHtml(address)}</loc>${date}</url>`
}

const writeSitemap = ({ files }: PublishedIndex, siteUrl: string): string => {
  const { packs } = JSON.parse(Buffer.from(files.identity.bytes).toString()) as SearchIndex
  const pages = pagesOf.packs.filter(({ isPersonal }) => !isPersonal)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...pages.map(({ path }) => urlEntry(siteUrl + path, null)),
    ...packs.map(({ s, u }) => urlEntry(`${siteUrl}/p/${s}`, u)),
    '</urlset>',
    '',
  ].join('\n')
}

/** `sitemap.xml`: all packs of the search index, written down once for each of its versions. */
export const createSitemap = (shelf: IndexShelf): ((siteUrl: string) => Promise<string>) => {
  const written = new WeakMap<PublishedIndex, string>()
  return async (siteUrl) => {
    const index = await findIndex(shelf)
    const known = written.get(index)
    if (known !== undefined) return known
    const text = writeSitemap(index, siteUrl)
    written.set(index, text)
    return text
  }
}
