import type { Language } from '#texts/languages'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { refusal, RETRY_AFTER_FAILURE } from '../../contract/errors.ts'
import type { OwnSite } from '../../contract/own-site.ts'
import type { PageData } from '../../contract/page-data.ts'
import { type Awaitable, whenKnown } from '../../domain/loading.ts'
import { namedKind } from '../../domain/reading/requests.ts'
import { presentViewer } from '../../domain/sessions.ts'
import { type Installation, SOFTWARE_NAME } from '../../domain/installation.ts'
import type { OperatorState } from '../../ports/store.ts'
import { HTML_TYPE, sendDocument, sendPrivate } from '../../door/answer.ts'
import { sendJsonError } from '../../door/failures.ts'
import type { JointBody } from '../../operations/compression.ts'
import { isolate } from '../../pool/text.ts'
import type { AssetStore } from '../assets/assets.ts'
import type { PageJob } from '../assets/page-thread.ts'
import { keepLanguage, type Choice, languageOf, type SiteTexts, textsIn } from '../language.ts'
import { EARLY_SCRIPT, type EntryFiles, type InlineFiles, type PageBuild } from '../page-files.ts'
import type { PageFacts, SiteContext } from '../site-context.ts'
import { ANYBODYS_END, pageEnd, type PageHead, pageHtml, type PageText, policyOf } from './html.ts'
import { type Notice, noticePageHtml, nothingHere } from './notice-html.ts'
import { packPage, type PackedPage } from './page-bytes.ts'

type AddressName = 'apiUrl' | 'poolsUrl' | 'siteUrl' | 'isAlone' | 'coversUrl' | 'mirrors'

/** What is on this page, but not on all of them. */
type Made = Omit<
  Partial<PageData>,
  keyof OwnSite | 'page' | 'address' | 'language' | 'service' | 'keyPrefix' | 'viewer' | AddressName
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
  readonly make: (texts: SiteTexts, language: Language) => Made
}

/** A whole page, and its content security policy if that is not the one of every response. */
type Html = { readonly text: PageText; readonly policy?: string | undefined }

/** What a page shows without a script, and what of its files is part of its HTML. */
type Shown = { readonly body: string; readonly inlined?: InlineFiles | undefined }

const OWN_CACHE = 'private, no-store'
const htmlPage = { type: HTML_TYPE, vary: 'Accept-Encoding, Accept-Language, Cookie' }
/** Of a page where a program gets JSON. */
export const noticeVary = `Accept, ${htmlPage.vary}`

function noScript(data: PageData): string {
  const texts = textsIn(data.language as Language)
  const { needsScript: title, needsScriptText: text } = texts
  const { ways } = nothingHere(data.service)(texts)
  return `<noscript>${noticePageHtml({ title, text, ways }, data, texts)}</noscript>`
}

const notBuilt = ({ notBuilt: title, notBuiltText: text }: SiteTexts): Notice => ({
  title,
  text,
  ways: [],
})

/** The build of a page's language. */
const buildIn = (assets: AssetStore, language: string): PageBuild =>
  assets.translated.get(language) ?? assets

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
  const choice = languageOf(context, reply.request)
  const files = buildIn(assets, choice.language).entries?.get(name)
  if (files === undefined) return sendNotice(context, reply, 503, notBuilt)
  const { viewer, server } = reply.request
  const render: Render = (operator) => {
    const { language } = choice
    const made = { name, ...make(textsIn(language), language) }
    const job = jobOf(context, made, choice, operator)
    const inPlace = (): Page =>
      pageOf(htmlOf(context, files, job, renderBody(context, job.data, server.log)))
    return makeApart(context, job, server.log, inPlace) ?? inPlace()
  }
  const { current } = context.operator
  const found =
    key === null ? render(current) : findPage(context, keyIn(choice, key), shows, render)
  answer(reply, found, (page) => {
    if (page.policy !== undefined) void reply.header('content-security-policy', page.policy)
    void reply.header('content-language', choice.language)
    if (choice.isAsked) keepLanguage(reply, context.settings, choice.language)
    if (viewer === null) {
      // A cache would give others the cookie.
      const cache = choice.isAsked ? { cache: 'private, no-cache' } : {}
      return sendDocument(compressed, reply, page, { ...htmlPage, status: 200, ...cache })
    }
    const own = { ...page, end: pageEnd(presentViewer(viewer)) }
    const cache = OWN_CACHE
    if (key !== null) {
      const answered = { ...htmlPage, status: 200, cache, isOwn: true }
      return sendDocument(compressed, reply, own, answered)
    }
    // What it shows is as secret as a token, and may be next to text of others: it is not compressed (D-52).
    void reply.header('cache-control', cache)
    return whenKnown(compressed.encode(own, 'identity'), (bytes) =>
      sendPrivate(reply, 200, Buffer.from(bytes).toString()),
    )
  })
  return reply
}

/** The page as the maker makes it, off this thread; null when it does not. */
function makeApart(
  { assets, ports }: SiteContext,
  job: PageJob,
  log: FastifyBaseLogger,
  inPlace: () => Page,
): Promise<Page> | null {
  const making = assets.maker?.make(job, { log, charge: (ms) => ports.work.add(ms) }) ?? null
  const { language, page } = job.data
  const sources = buildIn(assets, language).inlined.get(page)?.sources
  return (
    making &&
    making.then((made) => (made === null ? inPlace() : pageFrom(made, policyOf(job.data, sources))))
  )
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

/** Sends a page with a notice, the same to everyone but for the viewer's name in the header. */
export function sendNotice(
  context: SiteContext,
  reply: FastifyReply,
  status: number,
  say: (texts: SiteTexts) => Notice,
  vary = htmlPage.vary,
): FastifyReply {
  const choice = languageOf(context, reply.request)
  const notice = say(textsIn(choice.language))
  void reply.header('content-language', choice.language)
  if (choice.isAsked) keepLanguage(reply, context.settings, choice.language)
  if (status === 500) void reply.header('retry-after', String(RETRY_AFTER_FAILURE))
  // A refusal costs less than what was refused: it is not compressed.
  const { viewer } = reply.request
  if (status === 429) {
    const { before, fixed, after } = noticeHtmlOf(
      context,
      notice,
      choice,
      context.operator.current,
    ).text
    const end = pageEnd(viewer && presentViewer(viewer)).toString()
    void reply.header('vary', vary)
    return sendPrivate(reply, status, before + fixed.text + after + end)
  }
  const shows = [notice.text, notice.again, ...notice.ways.map(({ href }) => href)]
  // Not by its text: that may contain the id of a request.
  const found = findPage(context, keyIn(choice, `notice ${notice.title}`), shows, (operator) =>
    pageOf(noticeHtmlOf(context, notice, choice, operator)),
  )
  answer(reply, found, (page) => {
    const to = { ...htmlPage, status, vary, ...(choice.isAsked && { cache: OWN_CACHE }) }
    if (viewer === null) return sendDocument(context.compressed, reply, page, to)
    const own = { ...page, end: pageEnd(presentViewer(viewer)) }
    const answered = { ...to, cache: OWN_CACHE, isOwn: true }
    return sendDocument(context.compressed, reply, own, answered)
  })
  return reply
}

/** Answers that there is nothing: browsers get a page, programs a JSON error. */
export function sendNotFound(
  context: SiteContext,
  reply: FastifyReply,
  notice = nothingHere(context.service),
): FastifyReply {
  if (wantsPage(reply.request)) {
    return sendNotice(context, reply, 404, notice, noticeVary)
  }
  void reply.header('vary', 'Accept')
  return sendJsonError(refusal('nothingAtPath'), reply.request, reply)
}

/** What distinguishes a page in one language, whose canonical address names it if that asks for it. */
const keyIn = ({ language, isAsked }: Choice, key: string): string =>
  `${language}${isAsked ? ' asked' : ''} ${key}`

/** Must hold no request: it is kept. */
type Render = (operator: OperatorState) => Awaitable<Page>

type Page = JointBody & Pick<PageFacts, 'policy'>

/** @param shows what the page is rendered from, apart from the settings and what the operator has decided. */
function findPage(
  { pages, settings, operator: { current } }: SiteContext,
  key: string,
  shows: readonly unknown[],
  render: Render,
): Awaitable<Page> {
  const all = [...Object.values(settings), current]
  const known = pages.get(key, all, shows)
  if (known !== undefined) {
    const front = () => whenKnown(render(current), (page) => page.front())
    return { ...known, front, end: ANYBODYS_END }
  }
  return whenKnown(render(current), (page) => {
    const { length, etag, policy } = page
    pages.set(key, all, { length, etag, policy }, shows)
    return page
  })
}

const pageOf = ({ text, policy }: Html): Page => pageFrom(packPage(text), policy)

function pageFrom({ etag, length, front }: PackedPage, policy: string | undefined): Page {
  return { length, etag, policy, front: () => front, end: ANYBODYS_END }
}

function noticeHtmlOf(
  context: SiteContext,
  notice: Notice,
  choice: Choice,
  operator: OperatorState,
): Html {
  const { entries, render } = buildIn(context.assets, choice.language)
  const { title, text: description } = notice
  const content = { name: 'notice', head: { title, description, isUnlisted: true }, notice }
  const job = jobOf(context, content, choice, operator)
  const entry = entries?.get('notice')
  const body = (entry && render?.(job.data)) ?? null
  if (entry !== undefined && body !== null) return htmlOf(context, entry, job, { body })
  // The styles are the same on every page.
  const [{ styles } = { styles: [] }] = entries?.values() ?? []
  const files = { script: null, styles, preloads: [] }
  return htmlOf(context, files, job, {
    body: noticePageHtml(notice, job.data, textsIn(choice.language)),
  })
}

/** The pages that load sets from mirrors: the content security policy of others has none. */
const loadsSets = new Set(['pack', 'open-key', 'tournament'])

/** What the page is made from, for viewers who are not signed in. */
function jobOf(
  { service, settings, languages, englishPages }: SiteContext,
  { name, head, ...shown }: Made & { readonly name: string },
  { language, isAsked }: Choice,
  operator: OperatorState,
): PageJob {
  const { keyPrefixes, apiUrl, poolsUrl, siteUrl, isAlone, coversUrl, mirrors } = settings
  const data: PageData = {
    ...ownSiteOf(settings.installation),
    page: name,
    address: head.url === undefined ? '/' : new URL(head.url).pathname,
    language,
    ...(language !== 'en' && { englishPages: englishPages.get(language) ?? [] }),
    service,
    keyPrefix: keyPrefixes[service],
    ...shown,
    apiUrl,
    poolsUrl,
    siteUrl,
    ...(isAlone && { isAlone }),
    coversUrl,
    ...(mirrors.length > 0 && loadsSets.has(name) && { mirrors }),
    viewer: null,
  }
  return { head, data, operator, languages, isAsked }
}

function ownSiteOf({ name, logo, contact }: Installation): OwnSite {
  return {
    siteName: isolate(name),
    ...(logo && { logo: `/${logo.path}` }),
    ...(contact !== null && { contact }),
    ...(name !== SOFTWARE_NAME && { poweredBy: SOFTWARE_NAME }),
  }
}

function htmlOf(
  { assets }: SiteContext,
  files: EntryFiles,
  job: PageJob,
  { body, inlined }: Shown,
): Html {
  // Sets the theme that the reader chose, so that no page flashes in the other one.
  const { entries } = buildIn(assets, job.data.language)
  const earlyScript = entries?.get(EARLY_SCRIPT)?.script ?? undefined
  const text = pageHtml({ ...job, files, earlyScript, inlined, body })
  return { text, policy: policyOf(job.data, inlined?.sources) }
}

/**
 * What `#app` holds before a script runs. A page that cannot be rendered is left to the script, and has nothing
 * to paint without it.
 */
function renderBody({ assets }: SiteContext, data: PageData, log: FastifyBaseLogger): Shown {
  try {
    const { render, inlined } = buildIn(assets, data.language)
    const body = render?.(data) ?? null
    if (body !== null) return { body, inlined: inlined.get(data.page) }
  } catch (error) {
    log.error({ err: error, page: data.page }, 'a page cannot be rendered')
  }
  return { body: noScript(data) }
}

/** Whether the request comes from a person's browser, not from a program. */
export function wantsPage({ headers, url }: FastifyRequest): boolean {
  return namedKind(headers.accept) === 'page' && !/^\/session(?:[/?#]|$)/.test(url)
}
