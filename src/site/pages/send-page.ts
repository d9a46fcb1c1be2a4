import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { refusal, RETRY_AFTER_FAILURE } from '../../contract/errors.ts'
import type { PageData } from '../../contract/page-data.ts'
import type { Awaitable } from '../../domain/loading.ts'
import { presentViewer } from '../../domain/sessions.ts'
import { sendJsonError, sendPrivate, sendPublic, textBody } from '../../door/answer.ts'
import { EARLY_SCRIPT, type EntryFiles, type InlineFiles } from '../assets/assets.ts'
import { type CachedPage, SITE_NAME, type SiteContext } from '../site-context.ts'
import {
  contentSecurityPolicy,
  nothingHere,
  type Notice,
  noticeHtml,
  noticePageHtml,
  type PageHead,
  pageHtml,
  withViewer,
} from './html.ts'

/** What is on this page, but not on all of them. */
type Made = Pick<
  PageData,
  | 'pinned'
  | 'pack'
  | 'changes'
  | 'round'
  | 'tournament'
  | 'roundStats'
  | 'roundChanges'
  | 'tournaments'
  | 'highlights'
  | 'myTournaments'
  | 'beatmaps'
  | 'found'
  | 'map'
  | 'owner'
> & {
  readonly head: PageHead
  /** Left out: the path of the page's own address. */
  readonly address?: string
}

type PageContent = {
  /** The page's entry of the browser application. */
  readonly name: string
  /**
   * Distinguishes pages that may be cached at the same time: by what they show and to whom. null: it is
   * for one viewer alone, and not cached.
   */
  readonly key: string | null
  /** What it is made from, apart from the settings. */
  readonly shows: readonly unknown[]
  /** Must not depend on the viewer beyond `key`. */
  readonly make: () => Made
}

/** A whole page, and its content security policy if that is not the one of every response. */
type Html = { readonly text: string; readonly policy?: string }

/** What a page shows without a script, and what of its files is part of its HTML. */
type Shown = { readonly body: string; readonly inlined?: InlineFiles | undefined }

const HTML_TYPE = 'text/html; charset=utf-8'
const htmlPage = { type: HTML_TYPE, vary: 'Accept-Encoding, Cookie' }

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
export function sendPage(
  context: SiteContext,
  reply: FastifyReply,
  content: PageContent,
): FastifyReply {
  return context.ports.work.measure(() => renderAndSend(context, reply, content))
}

function renderAndSend(
  context: SiteContext,
  reply: FastifyReply,
  content: PageContent,
): FastifyReply {
  const { assets, compressed } = context
  const { name, key, shows, make } = content
  const files = assets.entries?.get(name)
  if (files === undefined) return sendNotice(context, reply, 503, notBuilt)
  const { viewer } = reply.request
  const { log } = reply.server
  const render = () => {
    const made = { name, ...make() }
    return htmlOf(context, files, made, (data) => renderBody(context, data, log))
  }
  const body =
    key === null
      ? ({ ...bodyOf(render()), effort: 'fast' } as const)
      : findPage(context, key, shows, render)
  if (body.policy !== undefined) void reply.header('content-security-policy', body.policy)
  if (viewer === null) return sendPublic(compressed, reply, body, { ...htmlPage, status: 200 })
  // It contains the viewer's token.
  void reply.header('cache-control', 'private, no-store')
  return sendPrivate(reply, 200, HTML_TYPE, withViewer(body.payload, presentViewer(viewer)))
}

/** Answers with what is there, at once if it is. Not an async handler: Fastify would watch a promise. */
export function answer<T>(
  reply: FastifyReply,
  found: Awaitable<T>,
  send: (found: T) => unknown,
): void {
  if (!(found instanceof Promise)) send(found)
  else found.then((known) => void send(known)).catch((error: unknown) => reply.send(error))
}

/** Sends a page with a notice, the same to everyone. */
export function sendNotice(
  context: SiteContext,
  reply: FastifyReply,
  status: number,
  notice: Notice,
  vary = htmlPage.vary,
): FastifyReply {
  if (status === 500) void reply.header('retry-after', String(RETRY_AFTER_FAILURE))
  // A refusal costs less than what was refused: it is not compressed.
  if (status === 429)
    return sendPrivate(reply, status, HTML_TYPE, noticeHtmlOf(context, notice).text)
  const shows = [notice.text, ...notice.ways.map(({ href }) => href)]
  // Not by its text: that may contain the id of a request.
  const body = findPage(context, `notice ${notice.title}`, shows, () =>
    noticeHtmlOf(context, notice),
  )
  return sendPublic(context.compressed, reply, body, { ...htmlPage, status, vary })
}

/** Answers that there is nothing: browsers get a page, programs a JSON error. */
export function sendNotFound(
  context: SiteContext,
  reply: FastifyReply,
  notice: Notice = nothingHere(context.service),
): FastifyReply {
  if (wantsPage(reply.request)) {
    return sendNotice(context, reply, 404, notice, `Accept, ${htmlPage.vary}`)
  }
  void reply.header('vary', 'Accept')
  return sendJsonError(refusal('nothingAtPath'), reply.request, reply)
}

/**
 * @param shows what the page is rendered from, apart from the settings.
 * @param render is kept: it must hold no request.
 */
function findPage(
  { pages, payloads, settings }: SiteContext,
  key: string,
  shows: readonly unknown[],
  render: () => Html,
): CachedPage {
  const all = [...shows, ...Object.values(settings)]
  const cached = pages.get(key, all)
  if (cached !== undefined) return cached
  const { payload, ...rest } = bodyOf(render())
  const { etag } = rest
  payloads.set(key, [etag], payload)
  return pages.set(key, all, {
    ...rest,
    get payload() {
      return payloads.get(key, [etag]) ?? payloads.set(key, [etag], bodyOf(render()).payload)
    },
  })
}

function noticeHtmlOf(context: SiteContext, notice: Notice): Html {
  const { assets, service } = context
  const { title, text: description } = notice
  const content = { name: 'notice', head: { title, description, isUnlisted: true } }
  // The styles are the same on every page.
  const [{ styles } = { styles: [] }] = assets.entries?.values() ?? []
  const files = { script: null, styles, preloads: [] }
  return htmlOf(context, files, content, () => ({ body: noticePageHtml(notice, service) }))
}

/** The page for viewers who are not signed in. */
function htmlOf(
  context: SiteContext,
  files: EntryFiles,
  { name, head, ...shown }: Made & { readonly name: string },
  show: (data: PageData) => Shown,
): Html {
  const { assets, service, settings } = context
  const { keyPrefixes, apiUrl, poolsUrl, siteUrl, coversUrl } = settings
  const data: PageData = {
    siteName: SITE_NAME,
    page: name,
    address: head.url === undefined ? '/' : new URL(head.url).pathname,
    service,
    keyPrefix: keyPrefixes[service],
    ...shown,
    apiUrl,
    poolsUrl,
    siteUrl,
    coversUrl,
    viewer: null,
  }
  // Sets the theme that the reader chose, so that no page flashes in the other one.
  const earlyScript = assets.entries?.get(EARLY_SCRIPT)?.script ?? undefined
  const { body, inlined } = show(data)
  const text = pageHtml({ head, files, earlyScript, inlined, data, body })
  if (inlined === undefined) return { text }
  return { text, policy: contentSecurityPolicy(coversUrl, inlined.sources) }
}

function bodyOf({ text, policy }: Html): CachedPage {
  return { ...textBody(text), policy }
}

/**
 * What `#app` holds before a script runs. A page that cannot be rendered is left to the script, and has nothing
 * to paint without it.
 */
function renderBody({ assets }: SiteContext, data: PageData, log: FastifyBaseLogger): Shown {
  try {
    const body = assets.render?.(data) ?? null
    if (body !== null) return { body, inlined: assets.inlined.get(data.page) }
  } catch (error) {
    log.error({ err: error, page: data.page }, 'a page cannot be rendered')
  }
  return { body: noScript }
}

/** Whether the request comes from a person's browser, not from a program. */
export function wantsPage({ headers, url }: FastifyRequest): boolean {
  return /\btext\/html\b/i.test(headers.accept ?? '') && !/^\/session(?:[/?#]|$)/.test(url)
}
