import type { ServiceName } from '../../contract/services.ts'
import { SITE_NAME } from '../site-context.ts'

/** A page whose head is the same for everyone. */
export type SitePage = {
  /** What the browser application calls it, its entry included. */
  readonly name: string
  readonly path: string
  readonly title: string
  readonly description: string
  /** Nothing for search engines. */
  readonly isPersonal?: true
  /** Shows the pinned row (D-30). */
  readonly hasPinned?: true
  /** Others are told so. */
  readonly forModerators?: true
}

const docs: readonly SitePage[] = [
  {
    name: 'docs',
    path: '/docs',
    title: 'Docs',
    description: 'Guides to packs, pack keys and the API.',
  },
  {
    name: 'docs',
    path: '/docs/api',
    title: 'API guide',
    description: 'How scripts and bots read and manage packs.',
  },
  {
    name: 'docs',
    path: '/docs/client',
    title: 'JavaScript client',
    description: 'Read and manage packs from JavaScript and TypeScript.',
  },
  {
    name: 'docs',
    path: '/docs/cli',
    title: 'Command line',
    description: 'Move pools between spreadsheets, the tournament client and packs.',
  },
  {
    name: 'docs',
    path: '/docs/formats',
    title: 'Sheets and files',
    description: 'What you can paste and open, and which files you can download.',
  },
  {
    name: 'docs',
    path: '/docs/format-table',
    title: 'Formats compared',
    description: 'What each file format keeps of a pack, and what it loses.',
  },
  {
    name: 'docs',
    path: '/docs/pack-keys',
    title: 'Pack keys',
    description: 'The format of pack keys: a whole pool in one line of text.',
  },
  {
    name: 'reference',
    path: '/docs/reference',
    title: 'API reference',
    description: 'Every endpoint of the API. Try them with your own key.',
  },
]

const account: SitePage = {
  name: 'account',
  path: '/account',
  title: 'Account',
  description: 'Your API key and your data.',
  isPersonal: true,
}

const packsPages: readonly SitePage[] = [
  {
    name: 'home',
    path: '/',
    title: SITE_NAME,
    description:
      'Map packs for tournaments: build a pool, share it as one line of text, and browse public packs.',
    hasPinned: true,
  },
  {
    name: 'browse',
    path: '/packs',
    title: 'Browse packs',
    description: 'Search all public packs by stars, length, BPM, mods and name.',
    hasPinned: true,
  },
  {
    name: 'open-key',
    path: '/k',
    title: 'Open a pack key',
    description: 'See the pool in a pack key. The key stays in your browser.',
  },
  {
    name: 'editor',
    path: '/new',
    title: 'New pack',
    description: 'Create a pack from a spreadsheet, a list, links or a pack key.',
    isPersonal: true,
  },
  {
    name: 'my-packs',
    path: '/me',
    title: 'My packs',
    description: 'Your saved packs.',
    isPersonal: true,
  },
  account,
  {
    name: 'moderation',
    path: '/moderation',
    title: 'Moderation',
    description: 'Moderate packs and see the moderation log.',
    isPersonal: true,
    forModerators: true,
  },
  ...docs,
]

const poolsPages: readonly SitePage[] = [
  {
    name: 'account',
    path: '/',
    title: 'Tournament pools',
    description: 'Your API key for the tournament-pools service.',
  },
  account,
  ...docs,
]

/** The pages that are not about one pack. */
export const pagesOf: Readonly<Record<ServiceName, readonly SitePage[]>> = {
  packs: packsPages,
  pools: poolsPages,
}
