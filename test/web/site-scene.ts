import type { Browser as Chromium, BrowserContextOptions, Page } from 'playwright-core'
import type { ServiceName } from '../../src/contract/services.ts'
import { pagesOf } from '../../src/site/pages/page-table.ts'
import { nordlicht } from '../support/an-installation.ts'
import type { Browser } from '../support/browser.ts'
import { catchUp } from '../support/catch-up.ts'
import { openTournament } from '../support/public-tournament.ts'
import { openRealPage } from '../support/real-page.ts'
import { setStaff } from '../support/sample-tournament.ts'
import { everyKind, openPoolHouse, readPack, savePack, settleStats } from './pool-page.ts'

const HOST = 7001
const MODERATOR = 7003
const SUSPENDED = 7002

export type Viewer = 'nobody' | 'host' | 'moderator'

/**
 * Both sites with something on every page, under a name of their own, and who looks at them.
 *
 * @param after what all that people have written ends with.
 */
export const openSiteScene = async ({
  isPseudo = false,
  name = nordlicht.name,
  after = '',
} = {}) => {
  const installation = { ...nordlicht, name }
  const house = await openPoolHouse({ mirrors: 'own', installation, isPseudo })
  house.clock.set(new Date().toISOString())
  const { ports } = house
  if (after !== '') await house.rename(HOST, `Peridot${after}`)
  await ports.accounts.setModerator(MODERATOR, true, 0)
  const signIn = async (service: ServiceName) => ({
    nobody: null,
    host: await house.signedIn(HOST, service),
    moderator: await house.signedIn(MODERATOR, service),
  })
  const viewers: Record<ServiceName, Record<Viewer, Browser | null>> = {
    packs: await signIn('packs'),
    pools: await signIn('pools'),
  }
  const suspend = `/session/moderation/players/${SUSPENDED}/suspend`
  await viewers.packs.moderator!.ask('POST', suspend, { reason: 'Advertising in five packs' })
  const owner = viewers.packs.host!
  const pack = await savePack(house, owner, {
    name: `Harbour Cup${after}`,
    description: `First line.${after}`,
  })
  for (let at = 1; at < 24; at += 1)
    await savePack(house, owner, { name: `Harbour Cup ${at}${after}` })
  const hidden = await savePack(house, owner, { name: `Harbour Cup 24${after}` })
  await viewers.packs.moderator!.ask('POST', `/session/moderation/packs/${hidden}/hide`, {
    reason: `Copied from elsewhere${after}`,
  })
  const { packKey, updatedAt } = await readPack(owner, pack)
  const renamed = { pack: { ...everyKind, name: `Harbour Cup again${after}` }, basedOn: updatedAt }
  const { status } = await owner.ask('PUT', `/session/packs/${pack}`, renamed)
  if (status !== 200) throw new Error(`a pack cannot be renamed: ${status}`)
  const later = new Date(Date.now() + 90 * 60_000).toISOString()
  const pool = { buckets: everyKind.buckets ?? [], slots: everyKind.slots }
  const planned = [...everyKind.slots, { mod: 'HD', index: 2, placeholder: `custom map${after}` }]
  const cup = await openTournament(
    ports,
    viewers.pools.host!.viewer?.id ?? '',
    {
      name: `Harbour Lights Cup${after}`,
      announceRounds: true,
      description: `Two on two.${after}`,
    },
    [
      { name: `Qualifiers${after}`, ...pool, mapPackUrl: 'https://files.example/q.zip', at: 'now' },
      { name: `Round of 16${after}`, ...pool, at: 'now' },
      { name: `Semifinals${after}`, ...pool, at: later },
      { name: `Finals${after}`, ...pool, slots: planned },
    ],
  )
  // Who may read its drafts and change nothing.
  const watched = await openTournament(
    ports,
    viewers.pools.host!.viewer?.id ?? '',
    { name: `Nine Rivers Cup${after}` },
    [{ name: 'Finals', ...pool, slots: planned }],
  )
  await setStaff(ports, watched.slug, viewers.pools.moderator!.viewer!.id, 'referee')
  const invitations = `/session/tournaments/${cup.slug}/invitations`
  const { json } = await viewers.pools.host!.ask('POST', invitations, { role: 'pooler' })
  const invitation = new URL(json.url).pathname.split('/').at(-1)!
  const finals = `/session/tournaments/${cup.slug}/rounds/${cup.rounds[3]!.id}`
  const place = { mod: 'NM', index: 1 }
  await viewers.pools.host!.ask('POST', `${finals}/candidates`, { ...place, beatmapId: 102 })
  await viewers.pools.host!.ask('POST', `${finals}/remarks`, {
    ...place,
    text: `Too long?${after}`,
  })
  await settleStats(house)
  await catchUp(ports)
  await house.publishIndex()
  const released = cup.rounds[0]!.packSlug
  const names: Readonly<Record<string, string>> = {
    pack,
    packKey,
    hidden,
    released,
    cup: cup.slug,
    watched: watched.slug,
    owner: owner.viewer!.username,
    invitation,
  }
  /** A path with what stands in braces in it. */
  const filled = (path: string): string =>
    path.replace(/\{(\w+)\}/, (_, name: string) => names[name] ?? '')
  return { house, viewers, filled }
}

export type Place = readonly [path: string, service: ServiceName, viewer: Viewer]

type Scene = Awaited<ReturnType<typeof openSiteScene>>

/** Opens a page of the scene in a language. */
export const openPlace = async (
  chromium: Chromium,
  { house, viewers, filled }: Scene,
  [path, service, viewer]: Place,
  language: string,
  look: BrowserContextOptions = {},
): Promise<Page> => {
  const asking = `${path.includes('?') ? '&' : '?'}lang=${language}`
  const { page } = await openRealPage(chromium, house, {
    from: viewers[service][viewer],
    service,
    path: filled(path).replace(/#|$/, (end) => asking + end),
    look,
  })
  await page.waitForLoadState('load')
  return page
}

/** Every page of both sites, before everybody to whom it looks otherwise. */
export const places: readonly Place[] = [
  ['/', 'packs', 'nobody'],
  ['/packs', 'packs', 'host'],
  ['/packs?q=harbour', 'packs', 'nobody'],
  ['/packs?q=nothing-like-it', 'packs', 'nobody'],
  ['/p/{pack}', 'packs', 'nobody'],
  ['/p/{pack}', 'packs', 'moderator'],
  ['/p/{released}', 'packs', 'nobody'],
  ['/p/{hidden}', 'packs', 'host'],
  ['/p/{pack}/edit', 'packs', 'host'],
  ['/p/{pack}/history', 'packs', 'host'],
  ['/p/AAAAAAAAAA', 'packs', 'nobody'],
  ['/u/{owner}', 'packs', 'nobody'],
  ['/maps', 'packs', 'nobody'],
  ['/maps/101', 'packs', 'nobody'],
  ['/k', 'packs', 'nobody'],
  ['/k#{packKey}', 'packs', 'nobody'],
  ['/new', 'packs', 'host'],
  ['/new', 'packs', 'nobody'],
  ['/me', 'packs', 'host'],
  ['/me', 'packs', 'nobody'],
  ['/account', 'packs', 'host'],
  ['/account', 'packs', 'nobody'],
  ['/moderation', 'packs', 'moderator'],
  ['/moderation?view=players', 'packs', 'moderator'],
  ['/moderation?view=log', 'packs', 'moderator'],
  ['/moderation', 'packs', 'host'],
  ['/', 'pools', 'nobody'],
  ['/my', 'pools', 'host'],
  ['/my', 'pools', 'nobody'],
  ['/t/{cup}', 'pools', 'nobody'],
  ['/t/{cup}', 'pools', 'host'],
  ['/t/{cup}', 'pools', 'moderator'],
  ['/t/{cup}/edit', 'pools', 'host'],
  ['/t/{watched}/edit', 'pools', 'moderator'],
  ['/t/{cup}/staff', 'pools', 'host'],
  ['/t/AAAAAAAAAA', 'pools', 'nobody'],
  ['/invite/{invitation}', 'pools', 'moderator'],
  ['/account', 'pools', 'host'],
  ['/moderation', 'pools', 'moderator'],
  ['/docs/reference#getPack', 'packs', 'nobody'],
  ...pagesOf.packs
    .filter(({ path }) => path.startsWith('/docs'))
    .map(({ path }): Place => [path, 'packs', 'nobody']),
]
