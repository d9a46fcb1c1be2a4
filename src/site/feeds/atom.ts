import type { FastifyInstance } from 'fastify'
import { ownerNameOf, type SavedPack } from '../../domain/packs.ts'
import { SingleFlight } from '../../domain/single-flight.ts'
import { timestamp } from '../../domain/time.ts'
import { type Body, sendPublic, textBody } from '../../door/answer.ts'
import type { PublishedIndexCache } from '../../operations/search-index.ts'
import { slotsInPoolOrder } from '../../pool/slots.ts'
import { isolate, withoutDirection } from '../../pool/text.ts'
import { escapeHtml } from '../pages/html.ts'
import { describePack } from '../pages/page-routes.ts'
import { packsFeed } from '../pages/page-table.ts'
import { findIndex } from '../search-index.ts'
import { SITE_NAME, type SiteContext } from '../site-context.ts'

const FEED_PACKS = 50

/** Adds the Atom feed of the packs that were updated last, which needs no key. */
export function addAtom(
  app: FastifyInstance,
  context: SiteContext,
  indexCache: PublishedIndexCache,
): void {
  const { ports, settings, feeds } = context
  const builds = new SingleFlight<Body>()

  /** From memory until the search index has another version: it shows all that the feed does. */
  async function findPacksFeed(): Promise<Body> {
    const { version } = await findIndex(indexCache)
    const shows = [version, ...Object.values(settings)]
    const build = async (): Promise<Body> => {
      const { packs } = await ports.packs.listPublic(1, FEED_PACKS)
      const body = textBody(
        feedXml({
          url: settings.siteUrl + packsFeed.path,
          page: `${settings.siteUrl}/packs`,
          title: `${packsFeed.title} – ${SITE_NAME}`,
          author: SITE_NAME,
          updatedAt: packs[0]?.updatedAt ?? 0,
          entries: packs.map((pack) => packEntry(pack, settings)),
        }),
      )
      return feeds.set(packsFeed.path, shows, body)
    }
    return feeds.get(packsFeed.path, shows) ?? builds.run(version, build)
  }

  app.get(packsFeed.path, (_request, reply): void => {
    findPacksFeed()
      .then((body) => sendPublic(context.compressed, reply, body, feedResponse))
      .catch((error: unknown) => reply.send(error))
  })
}

const feedResponse = {
  status: 200,
  type: 'application/atom+xml; charset=utf-8',
  vary: 'Accept-Encoding',
  cache: 'public, max-age=0, must-revalidate',
} as const

function packEntry(pack: SavedPack, { siteUrl, poolsOwnerName }: SiteContext['settings']): Entry {
  const url = `${siteUrl}/p/${pack.slug}`
  return {
    id: url,
    url,
    title: withoutDirection(pack.name),
    author: withoutDirection(ownerNameOf(pack, poolsOwnerName)),
    publishedAt: pack.createdAt,
    updatedAt: pack.updatedAt,
    summary: `${bucketsText(pack)}: ${describePack(pack, poolsOwnerName)}`,
  }
}

/** `NM 6, HD 3, TB 1`. */
function bucketsText(pack: SavedPack): string {
  const byBucket = Map.groupBy(slotsInPoolOrder(pack), ({ mod }) => mod)
  return [...byBucket]
    .map(([mod, slots]) => `${mod === null ? 'without bucket' : isolate(mod)} ${slots.length}`)
    .join(', ')
}

/** Times are ms since the epoch; ids never change. */
type Entry = {
  readonly id: string
  readonly url: string
  readonly title: string
  readonly author: string
  readonly publishedAt: number
  readonly updatedAt: number
  readonly summary: string
}

type Feed = {
  /** Its own address, which is its id, too. */
  readonly url: string
  /** The page that shows the same. */
  readonly page: string
  readonly title: string
  readonly author: string
  readonly updatedAt: number
  readonly entries: readonly Entry[]
}

/** Atom 1.0 (RFC 4287). */
function feedXml({ url, page, title, author, updatedAt, entries }: Feed): string {
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    element('id', url),
    element('title', title),
    element('updated', timestamp(updatedAt)),
    authorXml(author),
    `<link rel="self" type="application/atom+xml" href="${xmlText(url)}"/>`,
    `<link rel="alternate" type="text/html" href="${xmlText(page)}"/>`,
    ...entries.map(entryXml),
    '</feed>',
    '',
  ].join('\n')
}

function entryXml({ id, url, title, author, publishedAt, updatedAt, summary }: Entry): string {
  return [
    '<entry>',
    element('id', id),
    element('title', title),
    element('published', timestamp(publishedAt)),
    element('updated', timestamp(updatedAt)),
    authorXml(author),
    `<link rel="alternate" type="text/html" href="${xmlText(url)}"/>`,
    element('summary', summary),
    '</entry>',
  ].join('\n')
}

function authorXml(name: string): string {
  return `<author>${element('name', name)}</author>`
}

function element(name: string, text: string): string {
  return `<${name}>${xmlText(text)}</${name}>`
}

/** Without the characters that XML 1.0 cannot hold, such as controls, however they are escaped. */
function xmlText(text: string): string {
  const held = text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
  return escapeHtml(held)
}
