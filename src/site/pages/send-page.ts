import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { refusal, RETRY_AFTER_FAILURE } from '../../contract/errors.ts'
import type { SitePack } from '../../contract/packs.ts'
import type { PageData } from '../../contract/page-data.ts'
import { matchesTag } from '../../domain/reading/requests.ts'
import { presentViewer, type Session } from '../../domain/sessions.ts'
import { sendJsonError } from '../../door/answer.ts'
import { codingFor } from '../assets/asset-routes.ts'
import { encode, type EntryFiles } from '../assets/assets.ts'
import { SITE_NAME, type SiteContext } from '../site-context.ts'
import {
  nothingHere,
  type Notice,
  noticeHtml,
  noticePageHtml,
  type PageHead,
  pageHtml,
} from './html.ts'

type PageContent = {
  /** The page's entry of the browser application. */
  readonly name: string
  readonly head: PageHead
  readonly pinned?: readonly string[]
  readonly pack?: SitePack
}

const HTML_TYPE = 'text/html; charset=utf-8'

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

/** Sends a page of the browser application, or a notice if it has not been built. */
export async function sendPage(context: SiteContext, reply: FastifyReply, content: PageContent) {
  const files = context.assets.entries?.get(content.name)
  if (files === undefined) return sendNotice(context, reply, 503, notBuilt)
  const { viewer } = reply.request
  const html = htmlOf(context, files, viewer, content, noScript)
  return viewer === null ? sendOpen(reply, html) : sendPrivate(reply, html)
}

/** Sends a page with a notice, the same to everyone. */
export async function sendNotice(
  context: SiteContext,
  reply: FastifyReply,
  status: number,
  notice: Notice,
): Promise<FastifyReply> {
  const { assets, service, settings } = context
  const { title, text: description } = notice
  const content = { name: 'notice', head: { title, description, isUnlisted: true } }
  // The styles are the same on every page.
  const [{ styles } = { styles: [] }] = assets.entries?.values() ?? []
  const files = { script: null, styles, preloads: [] }
  const body = noticePageHtml(notice, service, settings)
  const html = htmlOf(context, files, null, content, body)
  void reply.code(status)
  if (status === 500) void reply.header('retry-after', String(RETRY_AFTER_FAILURE))
  // A refusal costs less than what was refused: it is not compressed.
  return status === 429 ? sendPrivate(reply, html) : sendOpen(reply, html)
}

/** Answers that there is nothing: browsers get a page, programs a JSON error. */
export async function sendNotFound(context: SiteContext, reply: FastifyReply) {
  void reply.header('vary', 'Accept')
  return wantsPage(reply.request)
    ? sendNotice(context, reply, 404, nothingHere(context.service))
    : sendJsonError(refusal('nothingAtPath'), reply.request, reply)
}

function htmlOf(
  { assets, service, settings }: SiteContext,
  files: EntryFiles,
  viewer: Session | null,
  { name, head, pinned, pack }: PageContent,
  body: string,
): string {
  const { keyPrefixes, apiUrl, poolsUrl, siteUrl, coversUrl } = settings
  const data: PageData = {
    siteName: SITE_NAME,
    page: name,
    service,
    keyPrefix: keyPrefixes[service],
    viewer: viewer && presentViewer(viewer),
    ...(pinned && { pinned }),
    ...(pack && { pack }),
    apiUrl,
    poolsUrl,
    siteUrl,
    coversUrl,
  }
  // Sets the theme that the reader chose, so that no page flashes in the other one.
  const earlyScript = assets.entries?.get('theme')?.script ?? undefined
  return pageHtml({ head, files, earlyScript, data, body })
}

/** A viewer's page contains their token: it is never cached and never compressed. */
function sendPrivate(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .headers({ 'cache-control': 'private, no-store', 'content-type': HTML_TYPE })
    .send(html)
}

async function sendOpen(reply: FastifyReply, html: string): Promise<FastifyReply> {
  const coding = codingFor(reply.request)
  const etag = `"${hash('sha1', html, 'base64url')}-${coding}"`
  const vary = [reply.getHeader('vary') ?? [], 'Accept-Encoding', 'Cookie'].flat().join(', ')
  void reply.headers({ 'cache-control': 'private, no-cache', vary, etag })
  if (reply.statusCode === 200 && matchesTag(reply.request.headers['if-none-match'], etag)) {
    return reply.code(304).send()
  }
  void reply.header('content-type', HTML_TYPE)
  if (coding === 'identity') return reply.send(html)
  void reply.header('content-encoding', coding)
  return reply.send(await encode(Buffer.from(html), coding, 'fast'))
}

/** Whether the request comes from a person's browser, not from a program. */
export function wantsPage({ headers, url }: FastifyRequest): boolean {
  return /\btext\/html\b/i.test(headers.accept ?? '') && !/^\/session(?:[/?#]|$)/.test(url)
}
