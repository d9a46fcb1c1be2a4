import type { ServiceName } from '../../contract/services.ts'
import type { Settings } from '../../door/context.ts'
import { isolate } from '../../pool/text.ts'

/** The Atom feed of the packs that were updated last. */
export const packsFeed = { title: 'Public packs', path: '/packs.atom' } as const

/** A page whose head is the same for everyone. */
export type SitePage = {
  /** The page's entry of the browser application. */
  readonly name: string
  readonly path: string
  /** Empty: that of the site. */
  readonly title: string
  readonly description: string
  /** Not for search engines. */
  readonly isPersonal?: true
  /** It begins with packs (`browse-routes.ts`). */
  readonly beginsWithPacks?: true
  readonly forModerators?: true
  /** Path of the same text as Markdown. */
  readonly markdown?: string
}

const guides: Readonly<Record<string, readonly [title: string, description: string]>> = {
  '/docs': ['Docs', 'Guides to packs, pack keys and the API.'],
  '/docs/into-the-game': [
    'Get a pool into the game',
    'All maps of a pool as one file, links into the game, and collections, with pictures.',
  ],
  '/docs/api': ['API guide', 'How scripts and bots read and manage packs.'],
  '/docs/client': ['JavaScript client', 'Read and manage packs from JavaScript and TypeScript.'],
  '/docs/cli': [
    'Command line',
    'Move pools between spreadsheets, the tournament client and packs.',
  ],
  '/docs/tournaments': [
    'Run your tournament',
    'Draft the rounds of a tournament together, check them and release them.',
  ],
  '/docs/history': ['History', 'What changed in a pack, and how to restore and follow it.'],
  '/docs/formats': [
    'Sheets and files',
    'What you can paste and open, and which files you can download.',
  ],
  '/docs/format-table': [
    'Formats compared',
    'What each file format keeps of a pack, and what it loses.',
  ],
  '/docs/pack-keys': ['Pack keys', 'The format of pack keys: a whole pool in one line of text.'],
}

/** The docs, as they are listed; all but the overview are also there as Markdown. */
export const guidePages: readonly SitePage[] = Object.entries(guides).map(
  ([path, [title, description]]) =>
    page('docs', path, title, { description, ...(path !== '/docs' && { markdown: `${path}.md` }) }),
)

const onBothSites = [
  page('moderation', '/moderation', 'Moderation', {
    description: 'Moderate packs, tournaments and players, and see the moderation log.',
    isPersonal: true,
    forModerators: true,
  }),
  page('account', '/account', 'Account', {
    description: 'Your API key and your data.',
    isPersonal: true,
  }),
  ...guidePages,
  page('reference', '/docs/reference', 'API reference', {
    description: 'Every endpoint of the API. Try them with your own key.',
  }),
]

/** The pages that are neither about one pack nor about tournaments (`tournament-routes.ts`). */
export const pagesOf: Readonly<Record<ServiceName, readonly SitePage[]>> = {
  packs: [
    page('home', '/', '', {
      description:
        'Map packs for tournaments: build a pool, share it as one line of text, and browse public packs.',
      beginsWithPacks: true,
    }),
    page('browse', '/packs', 'Browse packs', {
      description: 'Search all public packs by stars, length, BPM, mods and name.',
      beginsWithPacks: true,
    }),
    page('maps', '/maps', 'Maps', {
      description: 'Find where a beatmap was pooled, by its song, its mapper, its id or a link.',
      beginsWithPacks: true,
    }),
    page('open-key', '/k', 'Open a pack key', {
      description: 'See the pool in a pack key. The key stays in your browser.',
    }),
    page('editor', '/new', 'New pack', {
      description: 'Create a pack from a spreadsheet, a list, links or a pack key.',
      isPersonal: true,
    }),
    page('my-packs', '/me', 'My packs', { description: 'Your saved packs.', isPersonal: true }),
    ...onBothSites,
  ],
  pools: onBothSites,
}

function page(
  name: string,
  path: string,
  title: string,
  more: Omit<SitePage, 'name' | 'path' | 'title'>,
): SitePage {
  return { name, path, title, ...more }
}

/** The picture of a site, for pages that have none of their own. */
export function sitePicture({ ownUrl, installation }: Pick<Settings, 'ownUrl' | 'installation'>) {
  const alt = `${isolate(installation.name)}: map packs for tournaments, drawn as a plot of star ratings`
  return { url: `${ownUrl}/preview.png`, alt }
}
