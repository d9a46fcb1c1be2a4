import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { Language } from '#texts/languages'
import { SEARCH_INDEX_PATH } from '../../contract/search-index.ts'
import { LANGUAGE_PARAMETER } from '../../contract/visitor.ts'
import { type Body, sendDocument, textBody } from '../../door/answer.ts'
import type { Settings } from '../../door/context.ts'
import { guidePages, packsFeed } from '../pages/page-table.ts'
import { guideFile } from '../guides.ts'
import { askedLanguage, textsIn } from '../language.ts'
import type { SiteContext } from '../site-context.ts'

const AN_HOUR = 'public, max-age=3600'

/** Adds what programs read of the site: `robots.txt`, `llms.txt` and the guides as Markdown. */
export function addTexts(app: FastifyInstance, context: SiteContext): void {
  function serve(
    path: string,
    type: string,
    write: (language: Language) => string,
    languageOf?: (asked: Language) => Language,
  ): void {
    const bodies = new Map<Language, Body>()
    app.get(path, async (request, reply) => {
      const language = languageOf?.(askedLanguage(context, request))
      if (language !== undefined) void reply.header('content-language', language)
      const key = language ?? 'en'
      const body = bodies.get(key) ?? textBody(write(key))
      bodies.set(key, body)
      return sendDocument(context.compressed, reply, body, {
        status: 200,
        type: `${type}; charset=utf-8`,
        vary: 'Accept-Encoding',
        cache: AN_HOUR,
      })
    })
  }

  serve('/robots.txt', 'text/plain', () => robotsText(context))
  serve(
    '/llms.txt',
    'text/markdown',
    () => llmsText(context),
    () => 'en',
  )
  for (const { path, markdown, languages = [] } of guidePages) {
    if (markdown === undefined) continue
    const read = (language: Language) => readGuide(path.slice('/docs/'.length), language)
    serve(
      markdown,
      'text/markdown',
      (language) => withAddresses(read(language), context.settings),
      (asked) => (languages.includes(asked) ? asked : 'en'),
    )
  }
}

/** Its Markdown, with links to where the site has other guides, in each language. */
function readGuide(name: string, language: Language): string {
  const source = readFileSync(guideFile(name, language), 'utf8')
  return language === 'en'
    ? source
    : source
        .replaceAll(/\]\(([\w-]+\.md)/g, `]($1?${LANGUAGE_PARAMETER}=${language}`)
        .replaceAll('](../', '](')
}

/** Pages for one person, and the API: nothing that a page for everyone loads. */
const offLimits = [
  '/session',
  '/sign-in',
  '/account',
  '/api/',
  '/p/*/edit',
  '/t/*/edit',
  '/t/*/staff',
  '/me',
  '/my',
  '/new',
  '/moderation',
  '/invite/',
]

/** What pages for everyone read of the session endpoints. The longer path counts (RFC 9309). */
const allowed = ['/session/search', '/session/beatmaps']

function robotsText({ settings }: SiteContext): string {
  return [
    'User-agent: *',
    ...allowed.map((path) => `Allow: ${path}`),
    ...offLimits.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${settings.ownUrl}/sitemap.xml`,
    '',
  ].join('\n')
}

/** The addresses in the guides (web/docs/guide.ts), which each installation replaces by its own. */
const SAMPLE_SITE = 'https://mapcrate.test'
const SAMPLE_POOLS = 'https://pools.mapcrate.test'

function withAddresses(markdown: string, { apiUrl, siteUrl, poolsUrl }: Settings): string {
  return (
    markdown
      .replaceAll(/^<!--[^]*?-->\n+/gm, '')
      // What a picture shows, in words.
      .replaceAll(/^!\[([^\]]*)\]\([^)]*\)$/gm, '_$1_')
      .replaceAll(`${SAMPLE_SITE}/api/`, () => `${apiUrl}/api/`)
      .replaceAll(SAMPLE_SITE, () => siteUrl)
      .replaceAll(SAMPLE_POOLS, () => poolsUrl)
  )
}

/** What the site is and where its texts for programs are, as llmstxt.org describes. */
function llmsText({ service, settings }: SiteContext): string {
  const { ownUrl, siteUrl, poolsUrl, installation } = settings
  const { name, contact } = installation
  const packs = [
    line('Search index', siteUrl + SEARCH_INDEX_PATH, 'public packs as JSON, without a key'),
    line('Feed', siteUrl + packsFeed.path, 'the most recently updated public packs, as Atom'),
    line('Sitemap', `${siteUrl}/sitemap.xml`, 'the pages of all public packs'),
  ]
  const pools = [
    line('Tournaments', `${poolsUrl}/`, 'public tournaments, round by round'),
    line('Sitemap', `${poolsUrl}/sitemap.xml`, 'the pages of all public tournaments'),
  ]
  return [
    `# ${service === 'packs' ? name : `${name} tournament pools`}`,
    '',
    '> An open, self-hosted map-pack service for rhythm-game tournaments. A pack is a pool of beatmaps in slots such as NM1 or DT2. Hosts save packs, bots read and write them over a JSON API, and players browse them.',
    '',
    '## Guides',
    '',
    ...guidePages.flatMap(({ markdown, head }) => {
      const { title, description } = head(textsIn('en'))
      return markdown === undefined ? [] : line(title, ownUrl + markdown, description)
    }),
    '',
    '## API',
    '',
    line('Packs', `${ownUrl}/docs/openapi/packs.json`, 'OpenAPI document of the packs service'),
    line(
      'Tournament pools',
      `${ownUrl}/docs/openapi/pools.json`,
      'OpenAPI document of the tournament-pools service',
    ),
    '',
    ...(service === 'packs' ? ['## Packs', '', ...packs] : ['## Tournaments', '', ...pools]),
    '',
    '## Optional',
    '',
    ...(contact === null ? [] : [line('Contact', contact, 'the people who run this site')]),
    ...(service === 'packs'
      ? [line('Tournament pools', `${poolsUrl}/llms.txt`, 'the site of tournaments')]
      : [line('Packs', `${siteUrl}/llms.txt`, 'the site of packs')]),
    '',
  ].join('\n')
}

function line(name: string, url: string, about: string): string {
  return `- [${name}](${url}): ${about}`
}
