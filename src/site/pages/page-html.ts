import { PAGE_DATA_ID, type PageData } from '../../contract/page-data.ts'
import type { EntryFiles } from '../assets/build-manifest.ts'
import { escapeHtml, jsonForScript } from './escape-html.ts'

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
export type Page = {
  readonly head: PageHead
  readonly files: EntryFiles
  /** A classic script that runs before anything is painted; left out where there is none. */
  readonly earlyScript?: string | undefined
  readonly data: PageData
  /** HTML shown until the browser application takes over, or for good where it does not. */
  readonly body: string
}

const meta = (kind: 'name' | 'property', name: string, content: string): string =>
  `<meta ${kind}="${name}" content="${escapeHtml(content)}">`

const shareTags = ({ title, description, url, image }: PageHead, siteName: string): string[] => [
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

const fileTags = ({ styles, preloads, script }: EntryFiles): string[] => [
  ...styles.map((file) => `<link rel="stylesheet" href="/${escapeHtml(file)}">`),
  ...preloads.map((file) => `<link rel="modulepreload" href="/${escapeHtml(file)}">`),
  ...(script === null ? [] : [`<script type="module" src="/${escapeHtml(script)}"></script>`]),
]

/** Writes a page down. Everything that comes from people is escaped here and nowhere else. */
export const pageHtml = ({ head, files, earlyScript, data, body }: Page): string => {
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
