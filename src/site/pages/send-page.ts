import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { refusal, RETRY_AFTER_FAILURE } from '../../contract/errors.ts'
import type { SitePack } from '../../contract/packs.ts'
import type { PageData } from '../../contract/page-data.ts'
import { chooseCoding, matchesTag } from '../../domain/reading/requests.ts'
import { presentViewer } from '../../domain/sessions.ts'
import { sendJsonError } from '../../door/answer.ts'
import { indexCodings } from '../../operations/search-index.ts'
import { encodeOnce, type EntryFiles } from '../assets/assets.ts'
import { SITE_NAME, type SiteContext } from '../site-context.ts'
import {
  homeward,
  nothingHere,
  type Notice,
  noticeHtml,
  noticePageHtml,
  type PageHead,
  pageHtml,
} from './html.ts'

/** What a page holds beside what all pages hold. */
export type PageContent = {
  /** The entry of the browser application. */
  readonly name: string
  readonly head: PageHead
  readonly pinned?: readonly string[]
  readonly pack?: SitePack
}

const noScript = `<noscript>${noticeHtml({
  title: 'This page needs JavaScript',
  text: 'Turn on JavaScript for this site and reload the page. No other site’s scripts are used.',
  ways: [],
})}</noscript>`

const notBuilt: Notice = {
  title: 'The pages have not been built',
  text: 'The service is running, but its pages are missing. Run npm run build and restart the service.',
  ways: [],
}

/** Sends a page of the browser application; a plain sentence where it was not built. */
export async function sendPage(
  context: SiteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  content: PageContent,
): Promise<FastifyReply> {
  const files = context.assets.entries?.get(content.name)
  if (files === undefined) return sendNotice(context, request, reply, 503, notBuilt)
  const data = dataOf(context, request, content)
  const html = pageHtml({
    head: content.head,
    files,
    earlyScript: themeOf(context),
    data,
    body: noScript,
  })
  return request.viewer === null ? sendOpen(request, reply, html) : sendPrivate(reply, html)
}

/** Sends a page that says one thing, the same to everyone. */
export async function sendNotice(
  context: SiteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  notice: Notice,
): Promise<FastifyReply> {
  const html = pageHtml({
    head: { title: notice.title, description: notice.text, isUnlisted: true },
    files: looksOf(context),
    earlyScript: themeOf(context),
    data: dataOf(context, null, { name: 'notice' }),
    body: noticePageHtml(notice, context.service, context.settings),
  })
  if (status === 500) void reply.header('retry-after', String(RETRY_AFTER_FAILURE))
  // A refusal costs less than what was refused.
  return status === 429
    ? sendPrivate(reply.code(status), html)
    : sendOpen(request, reply.code(status), html)
}

/** Answers for what is not there: people get a page, programs what the API would say. */
export async function sendNotFound(
  context: SiteContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  void reply.header('vary', 'Accept')
  return wantsPage(request)
    ? sendNotice(context, request, reply, 404, nothingHere(context.service))
    : sendJsonError(refusal('nothingAtPath'), request, reply)
}

/** Notices need the looks alone, and those are the same on every page. */
function looksOf({ assets }: SiteContext): EntryFiles {
  const [first] = assets.entries?.values() ?? []
  return { script: null, styles: first?.styles ?? [], preloads: [] }
}

/** Sets the theme that the reader chose, so that no page flashes in the other one. */
function themeOf({ assets }: SiteContext): string | undefined {
  return assets.entries?.get('theme')?.script ?? undefined
}

function dataOf(
  { service, settings }: SiteContext,
  request: FastifyRequest | null,
  { name, pinned, pack }: Omit<PageContent, 'head'>,
): PageData {
  return {
    siteName: SITE_NAME,
    page: name,
    service,
    keyPrefix: settings.keyPrefixes[service],
    viewer: request?.viewer ? presentViewer(request.viewer) : null,
    ...(pinned && { pinned }),
    ...(pack && { pack }),
    apiUrl: settings.apiUrl,
    poolsUrl: settings.poolsUrl,
    siteUrl: settings.siteUrl,
    coversUrl: settings.coversUrl,
  }
}

/** A page of a viewer holds their token: it is never stored, and never made small beside it. */
function sendPrivate(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .header('cache-control', 'private, no-store')
    .header('content-type', 'text/html; charset=utf-8')
    .send(html)
}

async function sendOpen(
  request: FastifyRequest,
  reply: FastifyReply,
  html: string,
): Promise<FastifyReply> {
  const coding = chooseCoding(request.headers['accept-encoding'], indexCodings)
  const etag = `"${hash('sha1', html, 'base64url')}-${coding}"`
  const bytes = Buffer.from(html)
  void reply
    .header('cache-control', 'private, no-cache')
    .header('vary', [reply.getHeader('vary') ?? [], 'Accept-Encoding', 'Cookie'].flat().join(', '))
    .header('etag', etag)
  if (reply.statusCode === 200 && matchesTag(request.headers['if-none-match'], etag)) {
    return reply.code(304).send()
  }
  if (coding !== 'identity') void reply.header('content-encoding', coding)
  const body = coding === 'identity' ? bytes : await encodeOnce(bytes, coding)
  return reply.header('content-type', 'text/html; charset=utf-8').send(body)
}

/** The notice for a failure on our side. */
export function failedNotice(requestId: string): Notice {
  return {
    title: 'Something went wrong on our side',
    text: `Nothing was lost. Try again in a moment. If the problem persists, give the operator this request id: ${requestId}.`,
    ways: [homeward],
  }
}

/** Does a person ask, by a browser, and not a program? */
export function wantsPage({ headers, url }: FastifyRequest): boolean {
  return /\btext\/html\b/i.test(headers.accept ?? '') && !/^\/session(?:[/?#]|$)/.test(url)
}
