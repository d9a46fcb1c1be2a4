import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { buildOpenapi } from '../../contract/openapi/document.ts'
import { SEARCH_INDEX_PATH, type SearchIndex } from '../../contract/search-index.ts'
import { type ServiceName, serviceNames } from '../../contract/services.ts'
import { matchesTag } from '../../domain/reading/requests.ts'
import type { Settings } from '../../door/context.ts'
import type { PublishedIndexCache, PublishedIndex } from '../../operations/search-index.ts'
import { escapeHtml } from '../pages/html.ts'
import { pagesOf } from '../pages/page-table.ts'
import { ground } from '../preview/scene.ts'
import { findIndex } from '../search-index.ts'
import { SITE_NAME, type SiteContext } from '../site-context.ts'

const A_DAY = 'public, max-age=86400'
const AN_HOUR = 'public, max-age=3600'
const ASK_FIRST = 'public, max-age=0, must-revalidate'

const FAVICON_SIZE = 32

/** Adds what browsers and crawlers look for at fixed places. */
export function addStaticFiles(app: FastifyInstance, context: SiteContext): void {
  const { indexCache, settings } = context
  const iconOf = createIcons(context)
  const serve = (
    path: string,
    type: string,
    cache: string,
    write: () => string | Promise<string>,
  ): void => {
    app.get(path, async (request, reply) =>
      sendStatic(request, reply, { type, body: await write(), cache }),
    )
  }
  const sendIcon = async (
    request: FastifyRequest,
    reply: FastifyReply,
    size: number,
    type: string,
    wrap: (png: Buffer) => Buffer,
  ): Promise<FastifyReply> => {
    const png = await iconOf(size)
    return png === null
      ? reply.code(503).header('retry-after', '5').send()
      : sendStatic(request, reply, { type, body: wrap(png), cache: A_DAY })
  }

  serve('/favicon.svg', 'image/svg+xml', A_DAY, () => faviconSvg)
  app.get('/favicon.ico', (request, reply) =>
    sendIcon(request, reply, FAVICON_SIZE, 'image/x-icon', (png) => icoOf(png, FAVICON_SIZE)),
  )
  for (const size of iconSizes) {
    app.get(`/icon-${size}.png`, (request, reply) =>
      sendIcon(request, reply, size, 'image/png', (png) => png),
    )
  }
  const manifestType = 'application/manifest+json; charset=utf-8'
  serve('/manifest.webmanifest', manifestType, A_DAY, () => webManifest)
  serve('/robots.txt', 'text/plain; charset=utf-8', AN_HOUR, () => robotsText(context))
  const documentOf = createDocuments(settings)
  for (const name of serviceNames) {
    const type = 'application/json; charset=utf-8'
    serve(`/docs/openapi/${name}.json`, type, ASK_FIRST, () => documentOf(name))
  }
  if (indexCache !== null) {
    const sitemap = createSitemap(indexCache)
    const type = 'application/xml; charset=utf-8'
    serve('/sitemap.xml', type, AN_HOUR, () => sitemap(settings.siteUrl))
  }
}

/** Sends what is the same for everyone for a while, or says that the client has it already. */
function sendStatic(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, body, cache }: { type: string; body: string | Buffer; cache: string },
): FastifyReply {
  const etag = `"${hash('sha1', body, 'base64url')}"`
  void reply.headers({ 'cache-control': cache, etag })
  if (matchesTag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.header('content-type', type).send(body)
}

/** Pictures of the mark: drawn when first asked for, then kept. */
function createIcons({ renderer }: SiteContext) {
  const drawn = new Map<number, Promise<Buffer>>()
  return (size: number): Promise<Buffer> | null => {
    const icon = drawn.get(size) ?? renderer.draw({ kind: 'icon', size })
    if (icon === null) return null
    drawn.set(size, icon)
    icon.catch(() => drawn.delete(size))
    return icon
  }
}

/** An icon file that holds one PNG. */
function icoOf(png: Buffer, size: number): Buffer {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(size, 6)
  head.writeUInt8(size, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(24, 12)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(22, 18)
  return Buffer.concat([head, png])
}

/** What crawlers are asked to leave alone: what is personal, and what is for programs. */
const offLimits = ['/session', '/sign-in', '/me', '/account', '/moderation', '/new', '/p/*/edit']

/** `robots.txt`. */
function robotsText({ service, settings }: SiteContext): string {
  return [
    'User-agent: *',
    ...offLimits.map((path) => `Disallow: ${path}`),
    `Disallow: ${SEARCH_INDEX_PATH}`,
    'Disallow: /api/',
    ...(service === 'packs' ? ['', `Sitemap: ${settings.siteUrl}/sitemap.xml`] : []),
    '',
  ].join('\n')
}

function urlEntry(address: string, lastModified: string | null): string {
  const date = lastModified === null ? '' : `<lastmod>${escapeHtml(lastModified)}</lastmod>`
  return `<url><loc>${escapeHtml(address)}</loc>${date}</url>`
}

function writeSitemap({ files }: PublishedIndex, siteUrl: string): string {
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
function createSitemap(indexCache: PublishedIndexCache): (siteUrl: string) => Promise<string> {
  const written = new WeakMap<PublishedIndex, string>()
  return async (siteUrl) => {
    const index = await findIndex(indexCache)
    const known = written.get(index)
    if (known !== undefined) return known
    const text = writeSitemap(index, siteUrl)
    written.set(index, text)
    return text
  }
}

/**
 * The OpenAPI documents of both services, the same that each serves itself: a page may read only
 * what its own site serves, and has both to show.
 */
function createDocuments(settings: Settings): (service: ServiceName) => string {
  const written = new Map<ServiceName, string>()
  return (service) => {
    const known = written.get(service)
    if (known !== undefined) return known
    const { siteUrl, keyPrefixes } = settings
    const apiUrl = service === 'packs' ? settings.apiUrl : settings.poolsUrl
    const keyPrefix = keyPrefixes[service]
    const text = JSON.stringify(buildOpenapi(service, { apiUrl, siteUrl, keyPrefix }))
    written.set(service, text)
    return text
  }
}

/** The sizes in which the mark is drawn as a picture, in pixels. */
const iconSizes = [180, 192, 512] as const

/** What a device needs to keep the site as an app. */
const webManifest = JSON.stringify({
  name: SITE_NAME,
  short_name: SITE_NAME,
  description: 'Map packs for tournaments.',
  start_url: '/',
  display: 'standalone',
  background_color: ground,
  theme_color: ground,
  icons: [
    { src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any' },
    ...[192, 512].map((size) => ({
      src: `/icon-${size}.png`,
      type: 'image/png',
      sizes: `${size}x${size}`,
      purpose: 'any maskable',
    })),
  ],
})

/** The mark of the site: three slots in a crate. */
const faviconSvg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
<rect width="64" height="64" rx="14" fill="${ground}"/>
<rect x="14" y="16" width="36" height="8" rx="4" fill="#60a5fa"/>
<rect x="14" y="28" width="27" height="8" rx="4" fill="#f87171"/>
<rect x="14" y="40" width="18" height="8" rx="4" fill="#c084fc"/>
</svg>
`
