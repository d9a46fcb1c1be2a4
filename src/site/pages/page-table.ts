import type { Language } from '#texts/languages'
import type { ServiceName } from '../../contract/services.ts'
import type { Settings } from '../../door/context.ts'
import { languagesOfGuide } from '../guides.ts'
import type { SiteTexts } from '../language.ts'
import type { PageHead } from './html.ts'

/** The Atom feed of the packs that were updated last. */
export const packsFeed = { path: '/packs.atom' } as const

/** A page whose head is the same for everyone. */
export type SitePage = {
  /** The page's entry of the browser application. */
  readonly name: string
  readonly path: string
  /** Of its head; an empty title is that of the site. */
  readonly head: (texts: SiteTexts) => Pick<PageHead, 'title' | 'description'>
  /** Not for search engines. */
  readonly isPersonal?: true
  /** It begins with packs (`browse-routes.ts`). */
  readonly beginsWithPacks?: true
  readonly forModerators?: true
  /** Path of the same text as Markdown. */
  readonly markdown?: string
  /** Those that what it shows is in; left out: all. */
  readonly languages?: readonly Language[]
}

/** The texts of each guide's head, by what their names begin with. */
const guides = {
  '/docs': 'docs',
  '/docs/into-the-game': 'intoTheGame',
  '/docs/api': 'api',
  '/docs/client': 'client',
  '/docs/cli': 'cli',
  '/docs/tournaments': 'runTournament',
  '/docs/history': 'history',
  '/docs/formats': 'formats',
  '/docs/format-table': 'formatTable',
  '/docs/pack-keys': 'packKeys',
} as const

/** The docs, as they are listed; all but the overview are also there as Markdown. */
export const guidePages: readonly SitePage[] = Object.entries(guides).map(([path, texts]) => {
  if (path === '/docs') return page('docs', path, texts)
  const inLanguages = languagesOfGuide(path.slice('/docs/'.length))
  return page('docs', path, texts, { markdown: `${path}.md`, languages: inLanguages })
})

const onBothSites = [
  page('moderation', '/moderation', 'moderation', {
    isPersonal: true,
    forModerators: true,
    languages: ['en'],
  }),
  page('account', '/account', 'account', { isPersonal: true }),
  ...guidePages,
  page('reference', '/docs/reference', 'reference', { languages: ['en'] }),
]

const home: SitePage = {
  name: 'home',
  path: '/',
  head: ({ siteDescription }) => ({ title: '', description: siteDescription }),
  beginsWithPacks: true,
}

/** The pages that are neither about one pack nor about tournaments (`tournament-routes.ts`). */
export const pagesOf: Readonly<Record<ServiceName, readonly SitePage[]>> = {
  packs: [
    home,
    page('browse', '/packs', 'browse', { beginsWithPacks: true }),
    page('maps', '/maps', 'maps', { beginsWithPacks: true }),
    page('open-key', '/k', 'openKey'),
    page('editor', '/new', 'newPack', { isPersonal: true }),
    page('my-packs', '/me', 'myPacks', { isPersonal: true }),
    ...onBothSites,
  ],
  pools: onBothSites,
}

/** Paths of the pages on both sites that are in English in place of a language. */
export const englishPagesIn = (language: Language): string[] =>
  onBothSites
    .filter(({ languages }) => languages?.includes(language) === false)
    .map(({ path }) => path)

/** A page with a title and a description in the catalogue: `browseTitle`, `browseDescription`. */
type PageTexts = {
  [K in keyof SiteTexts]: K extends `${infer N}Description`
    ? `${N}Title` extends keyof SiteTexts
      ? N
      : never
    : never
}[keyof SiteTexts]

function page(
  name: string,
  path: string,
  texts: PageTexts,
  more: Omit<SitePage, 'name' | 'path' | 'head'> = {},
): SitePage {
  return { name, path, head: headIn(texts), ...more }
}

/** The head of a page in each language. */
export function headIn(name: PageTexts): SitePage['head'] {
  return (texts) => ({ title: texts[`${name}Title`], description: texts[`${name}Description`] })
}

/** The picture of a site, for pages that have none of their own. */
export function sitePicture(
  { ownUrl, installation }: Pick<Settings, 'ownUrl' | 'installation'>,
  texts: SiteTexts,
) {
  const alt = texts.sitePicture({ site: installation.name })
  return { url: `${ownUrl}/preview.png`, alt }
}
