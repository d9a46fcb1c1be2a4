import type { Language } from '#texts/languages'
import type { Viewer } from '../../contract/accounts.ts'
import { PAGE_DATA_ID, type PageData } from '../../contract/page-data.ts'
import { directionOf, localeOf } from '../../domain/language.ts'
import type { Settings } from '../../door/context.ts'
import type { OperatorState } from '../../ports/store.ts'
import type { EntryFiles, InlineFiles } from '../page-files.ts'
import { asking, inLanguage, type SiteTexts, textsIn } from '../language.ts'
import type { StructuredData } from './structured-data.ts'

/**
 * The head of a page, for browsers, search engines and chat programs. It is in the language of what the page shows, which may
 * be English where the page around it is not (D-108).
 */
export type PageHead = {
  /** Empty: that of the site. */
  readonly title: string
  readonly description: string
  /** The page's own address; left out where sharing it makes no sense. */
  readonly url?: string
  /** 1200 × 630. */
  readonly image?: { readonly url: string; readonly alt: string }
  /** The Atom feed of what the page shows. */
  readonly feed?: { readonly title: string; readonly url: string }
  /** The address of the same as JSON. */
  readonly json?: string
  /** Path of the same text as Markdown. */
  readonly markdown?: string
  /** Those that what it shows is in, of those of the site; left out: all. */
  readonly languages?: readonly string[]
  /** What the page shows, for search engines; where it names `url`, the page puts in its address in its language. */
  readonly structured?: readonly StructuredData[]
  /** Search engines are asked to leave the page out. */
  readonly isUnlisted?: boolean
}

type Page = {
  readonly head: PageHead
  readonly files: EntryFiles
  /** A classic script that runs before anything is painted. */
  readonly earlyScript?: string | undefined
  /** In place of the files of `earlyScript` and of the styles. */
  readonly inlined?: InlineFiles | undefined
  /** What stands above each page. */
  readonly operator: OperatorState
  /** Those that the same page is in. */
  readonly languages: readonly string[]
  /** Whether the page's address names its language. */
  readonly isAsked: boolean
  /** With `viewer` last and null: see `pageEnd`. */
  readonly data: PageData
  /** HTML that is shown until the browser application has started, or if it does not start. */
  readonly body: string
}

/** The HTML of a page in three parts, up to its end: see `pageEnd`. */
export type PageText = {
  readonly before: string
  /** The same object for all pages of its kind. */
  readonly fixed: FixedText
  readonly after: string
}

export type FixedText = { readonly text: string }

/** The HTML of a page. All text from people is escaped in this file. */
export function pageHtml(page: Page): PageText {
  const { head, operator, data, body } = page
  const { siteName } = data
  const [shownIn, own] = [shownLanguage(page), canonicalOf(page)]
  const inOwnAddress = (value: unknown): unknown => (value === head.url ? own : value)
  const title = head.title === '' ? siteName : `${head.title} – ${siteName}`
  const lines = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title${shownIn === data.language ? '' : ` lang="${shownIn}"`}>${escapeHtml(title)}</title>`,
    meta('name', 'description', head.description),
    '<meta name="color-scheme" content="light dark">',
    ...(head.isUnlisted ? ['<meta name="robots" content="noindex">'] : []),
    ...addressTags(page),
    ...(head.feed === undefined ? [] : [feedLink(head.feed, data.language)]),
    ...(head.json === undefined
      ? []
      : [`<link rel="alternate" type="application/json" href="${escapeHtml(head.json)}">`]),
    ...(head.markdown === undefined ? [] : [markdownLink(head.markdown, page)]),
    ...shareTags(page),
    ...(head.structured ?? []).map(
      (about) => `<script type="application/ld+json">${json(about, inOwnAddress)}</script>`,
    ),
  ]
  const texts = textsIn(data.language as Language)
  const shown = `${operatorHtml(operator, texts)}<div id="app">${body}</div>
<p class="script-failed" role="alert" hidden>${escapeHtml(texts.scriptFailed)}</p>
<script type="application/json" id="${PAGE_DATA_ID}">`
  return {
    before: `<!doctype html>
<html lang="${data.language}"${directionOf(data.language) === 'rtl' ? ' dir="rtl"' : ''}>
<head>
${lines.join('\n')}
`,
    fixed: fixedText(page),
    after: shown + json(data).slice(0, -'null}'.length),
  }
}

/** Those that what the page shows is in: one may be in English for everybody. */
const languagesOf = ({ head, languages }: Pick<Page, 'head' | 'languages'>): readonly string[] =>
  head.languages?.filter((each) => languages.includes(each)) ?? languages

/** That of what the page shows. */
const shownLanguage = (page: Page): string =>
  languagesOf(page).includes(page.data.language) ? page.data.language : 'en'

/** The one address of a page for search engines: with the language where that was asked for by its address (D-106). */
function canonicalOf(page: Page): string | undefined {
  const { head, data, isAsked } = page
  const isOwn = isAsked && shownLanguage(page) === data.language
  return isOwn && head.url !== undefined ? asking(data.language, head.url) : head.url
}

/** The page's own address, and those of the same page in each language. */
function addressTags(page: Page): string[] {
  const { url, isUnlisted } = page.head
  if (url === undefined) return []
  const all = languagesOf(page)
  const link = (rel: string, href: string): string => `<link ${rel} href="${escapeHtml(href)}">`
  const others = isUnlisted || all.length < 2 ? [] : all
  return [
    link('rel="canonical"', canonicalOf(page) ?? url),
    ...others.map((each) => link(`rel="alternate" hreflang="${each}"`, asking(each, url))),
    ...(others.length === 0 ? [] : [link('rel="alternate" hreflang="x-default"', url)]),
  ]
}

const knownFixed = new WeakMap<EntryFiles | InlineFiles, FixedText>()

/** The rest of the head. It comes last, because some chat programs read only the beginning of a page. */
function fixedText({ files, earlyScript, inlined, data }: Page): FixedText {
  const known = knownFixed.get(inlined ?? files)
  if (known !== undefined) return known
  const { preloads, script } = files
  const { logo, language } = data
  const lines = [
    logo === undefined
      ? '<link rel="icon" href="/favicon.svg" type="image/svg+xml">'
      : `<link rel="icon" href="${escapeHtml(logo)}">`,
    '<link rel="apple-touch-icon" href="/icon-180.png">',
    `<link rel="manifest" href="${escapeHtml(inLanguage(language, '/manifest.webmanifest'))}">`,
    ...(inlined === undefined ? linkTags(files, earlyScript) : inlineTags(files, inlined)),
    ...preloads.map((file) => `<link rel="modulepreload" href="/${escapeHtml(file)}">`),
    ...(script === null ? [] : [`<script type="module" src="/${escapeHtml(script)}"></script>`]),
  ]
  const fixed = { text: `${lines.join('\n')}\n</head>\n<body>\n` }
  knownFixed.set(inlined ?? files, fixed)
  return fixed
}

/**
 * Outside of what the script renders, so that it is there with and without one. Without links: the one to the content
 * is the first on each page.
 */
function operatorHtml({ notice, readOnly }: OperatorState, texts: SiteTexts): string {
  const lines = [
    ...(readOnly === null
      ? []
      : [
          `<strong>${escapeHtml(texts.nothingChanges)}</strong> ${escapeHtml(readOnly.reason ?? '')}`,
        ]),
    ...(notice === null ? [] : [escapeHtml(notice.text)]),
  ]
  if (lines.length === 0) return ''
  const paragraphs = lines.map((line) => `<p dir="auto">${line.trim()}</p>`)
  return `<aside class="site-notice" aria-label="${escapeHtml(texts.notice)}">${paragraphs.join('')}</aside>\n`
}

function linkTags({ styles }: EntryFiles, earlyScript: string | undefined): string[] {
  return [
    ...(earlyScript === undefined ? [] : [`<script src="/${escapeHtml(earlyScript)}"></script>`]),
    ...styles.map((file) => `<link rel="stylesheet" href="/${escapeHtml(file)}">`),
  ]
}

function inlineTags({ styles }: EntryFiles, { style, earlyScript }: InlineFiles): string[] {
  return [
    `<script>${earlyScript}</script>`,
    `<style>${style}</style>`,
    // Found by what the script imports later, which would load these files again otherwise: their rules would
    // come last, and override others. Disabled, they are not loaded; for no medium, not even ahead of the parser.
    ...styles.map(
      (file) => `<link rel="stylesheet" href="/${escapeHtml(file)}" media="not all" disabled>`,
    ),
  ]
}

/**
 * The content security policy: pages load only the site's own files, the covers of beatmaps and sets from the configured
 * mirrors, and hold only those scripts and styles that `inlined` allows by their hashes.
 */
export function contentSecurityPolicy(
  { coversUrl, mirrors }: Pick<Settings, 'coversUrl' | 'mirrors'>,
  inlined?: InlineFiles['sources'],
): string {
  const mirrorOrigins = new Set(mirrors.map((mirror) => new URL(mirror).origin))
  const own = (hashed: string | undefined): string =>
    hashed === undefined ? "'self'" : `'self' ${hashed}`
  return [
    "default-src 'none'",
    `script-src ${own(inlined?.script)}`,
    "worker-src 'self'",
    `style-src ${own(inlined?.style)}`,
    `img-src 'self' ${new URL(coversUrl).origin} data:`,
    ["connect-src 'self'", ...mirrorOrigins].join(' '),
    "font-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    // No string becomes markup or script, except by web/trusted-types.ts.
    "require-trusted-types-for 'script'",
    'trusted-types mapcrate',
  ].join('; ')
}

/** That of a page; undefined for that of every answer. */
export function policyOf(
  { coversUrl, mirrors = [] }: PageData,
  sources: InlineFiles['sources'] | undefined,
): string | undefined {
  if (sources === undefined && mirrors.length === 0) return undefined
  return contentSecurityPolicy({ coversUrl, mirrors }, sources)
}

const END = `</script>
</body>
</html>
`

/** The end of each page: what stands in it of its viewer, and nothing else of them. */
export const pageEnd = (viewer: Viewer | null): Buffer =>
  Buffer.from(`${viewer === null ? 'null' : json(viewer)}}${END}`)

/** That of pages for viewers who are not signed in. */
export const ANYBODYS_END = pageEnd(null)

/** Nothing in it can end the script element or open a comment. */
function json(
  data: PageData | Viewer | StructuredData,
  written = (value: unknown): unknown => value,
): string {
  return JSON.stringify(data, (_name, value) => written(value)).replaceAll('<', '\\u003c')
}

function meta(kind: 'name' | 'property', name: string, content: string): string {
  return `<meta ${kind}="${name}" content="${escapeHtml(content)}">`
}

function feedLink({ title, url }: NonNullable<PageHead['feed']>, language: string): string {
  const [name, href] = [escapeHtml(title), escapeHtml(inLanguage(language, url))]
  return `<link rel="alternate" type="application/atom+xml" title="${name}" href="${href}">`
}

function markdownLink(path: string, page: Page): string {
  const href = escapeHtml(inLanguage(shownLanguage(page), path))
  return `<link rel="alternate" type="text/markdown" href="${href}">`
}

function shareTags(page: Page): string[] {
  const { title, description, image } = page.head
  const [shownIn, url] = [shownLanguage(page), canonicalOf(page)]
  const openGraph: Readonly<Record<string, string>> = {
    site_name: page.data.siteName,
    type: 'website',
    title: title || page.data.siteName,
    description,
    locale: localeOf(shownIn),
    ...(url !== undefined && { url }),
    ...(image && {
      image: inLanguage(shownIn, image.url),
      'image:type': 'image/png',
      'image:width': '1200',
      'image:height': '630',
      'image:alt': image.alt,
    }),
  }
  const others = url === undefined ? [] : languagesOf(page).filter((each) => each !== shownIn)
  return [
    ...Object.entries(openGraph).map(([name, text]) => meta('property', `og:${name}`, text)),
    ...others.map((each) => meta('property', 'og:locale:alternate', localeOf(each))),
    meta('name', 'twitter:card', image ? 'summary_large_image' : 'summary'),
  ]
}

const entities = new Map(
  Object.entries({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }),
)

/** For an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities.get(sign)!)
}
