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
    description: 'Packs from JavaScript and TypeScript, within the limits by itself.',
  },
  {
    name: 'docs',
    path: '/docs/cli',
    title: 'Command line',
    description: 'Pools between spreadsheets, the tournament client, chats and packs.',
  },
  {
    name: 'docs',
    path: '/docs/formats',
    title: 'Sheets and files',
    description: 'What can be pasted and opened, and which files a pack comes out as.',
  },
  {
    name: 'docs',
    path: '/docs/format-table',
    title: 'Formats compared',
    description: 'What each format carries of a pack, and what it loses.',
  },
  {
    name: 'docs',
    path: '/docs/pack-keys',
    title: 'Pack keys',
    description: 'A whole pool in one line of text: how pack keys are written and read.',
  },
  {
    name: 'reference',
    path: '/docs/reference',
    title: 'API reference',
    description: 'Every call of the API, to read and to try.',
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
      'Map packs for tournaments: build a pool, share it as one line of text, find those of others.',
    hasPinned: true,
  },
  {
    name: 'browse',
    path: '/packs',
    title: 'Browse packs',
    description: 'All public packs, by stars, length, BPM, mods and name.',
    hasPinned: true,
  },
  {
    name: 'open-key',
    path: '/k',
    title: 'Open a pack key',
    description: 'See the pool that a pack key holds. The key stays in your browser.',
  },
  {
    name: 'editor',
    path: '/new',
    title: 'New pack',
    description: 'Build a pool from anything you can paste.',
    isPersonal: true,
  },
  {
    name: 'my-packs',
    path: '/me',
    title: 'My packs',
    description: 'The packs that you have saved.',
    isPersonal: true,
  },
  account,
  {
    name: 'moderation',
    path: '/moderation',
    title: 'Moderation',
    description: 'Packs to look after, and who did what.',
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
