import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGzip, gunzip } from 'node:zlib'
import { promisify } from 'node:util'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { chooseCoding, fileTag } from '../../domain/reading/requests.ts'
import { SingleFlight } from '../../domain/loading.ts'
import type { CreatedPack, PublicIndex } from '../../ports/search.ts'
import { everyTournament, type TournamentStore } from '../../ports/tournaments.ts'
import { sendFile } from '../assets/asset-routes.ts'
import { escapeHtml } from '../pages/html.ts'
import { pagesOf } from '../pages/page-table.ts'
import { sendNotFound } from '../pages/send-page.ts'
import { answerCharged } from '../refusals.ts'
import type { SiteContext } from '../site-context.ts'
import { VersionCache } from '../version-cache.ts'

const CACHED_BYTES = 16 * 1_024 * 1_024
const codings = ['gzip', 'identity'] as const
const unzip = promisify(gunzip)

/** A sitemap, compressed: one of 50,000 addresses takes half a megabyte then, and six otherwise. */
type File = { readonly hash: string; readonly gzip: Buffer }

/** Adds `/sitemap.xml`, and on the packs site the parts that it names where there are too many packs. */
export function addSitemap(app: FastifyInstance, context: SiteContext): void {
  const { ports, service, settings } = context
  const files = new VersionCache<File>({ maxSize: CACHED_BYTES, sizeOf: ({ gzip }) => gzip.length })
  const writing = new SingleFlight<File | null>()
  const packs = packSitemap(ports.publicIndex)

  async function send(
    reply: FastifyReply,
    name: string,
    version: string | null,
    write: (siteUrl: string) => Promise<AsyncIterable<string> | null>,
  ): Promise<FastifyReply> {
    const siteUrl = settings.ownUrl
    const cached = version === null ? undefined : files.get(name, [version, siteUrl])
    const make = async (): Promise<File | null> => {
      const texts = await write(siteUrl)
      return texts && compress(texts)
    }
    // Without a version, one that another reader waits for may be from before something was hidden.
    const file =
      cached ?? (await (version === null ? make() : writing.run(`${name} ${version}`, make)))
    if (file === null) return sendNotFound(context, reply)
    if (version !== null) files.set(name, [version, siteUrl], file)
    const coding = chooseCoding(reply.request.headers['accept-encoding'], codings)
    void reply.header('vary', 'Accept-Encoding')
    return sendFile(reply, {
      type: 'application/xml; charset=utf-8',
      cache: 'public, max-age=3600',
      etag: fileTag(file.hash, coding === 'gzip' ? coding : ''),
      coding,
      bytes: coding === 'gzip' ? file.gzip : await unzip(file.gzip),
    })
  }

  app.get('/sitemap.xml', (_request, reply) =>
    answerCharged(context, reply, 'page', async () => {
      if (service === 'pools') return send(reply, '', null, async (url) => tournaments(ports, url))
      return send(reply, '', await ports.publicIndex.version(), (url) => packs.whole(url))
    }),
  )
  if (service === 'pools') return
  app.get('/sitemap-:part', (request, reply) =>
    answerCharged(context, reply, 'page', async () => {
      const { part } = request.params as { part: string }
      if (!partPattern.test(part)) return sendNotFound(context, reply)
      return send(reply, part, await ports.publicIndex.version(), (url) => packs.part(part, url))
    }),
  )
}

async function compress(texts: AsyncIterable<string>): Promise<File> {
  const hash = createHash('sha1')
  async function* hashed() {
    for await (const text of texts) {
      hash.update(text)
      yield text
    }
  }
  const gzip = await pipeline(Readable.from(hashed()), createGzip(), (zipped) => buffer(zipped))
  return { hash: hash.digest('base64url'), gzip }
}

/** `pages.xml`, or the packs of a month: `packs-2026-11.xml`, `packs-2026-11-2.xml`. */
const partPattern = /^(?:pages|packs-(\d{4}-(?:0[1-9]|1[0-2]))(?:-([2-9]|[1-9]\d{1,3}))?)\.xml$/

/** Up to so many packs are in one file with the pages. */
const WHOLE_PACKS = 5_000
/** As many addresses as a sitemap may have. */
const PART_PACKS = 50_000
const PORTION = 1_000

/**
 * The sitemap of the packs site. Where one file is too small, each part holds the packs that were created in a
 * month, in the order of creation: a new pack changes the last part only.
 *
 * @param wholePacks how many packs go into one file without parts.
 * @param partPacks how many packs a part has at most.
 */
export function packSitemap(
  publicIndex: Pick<PublicIndex, 'readCreated'>,
  wholePacks = WHOLE_PACKS,
  partPacks = PART_PACKS,
) {
  async function isThere(from: number, before: number, skip: number): Promise<boolean> {
    const after = { createdAt: from, slug: '' }
    return (await publicIndex.readCreated({ after, before, skip, limit: 1 })).length > 0
  }

  async function* read({ from, before, skip }: Stretch, most: number) {
    let after: Pick<CreatedPack, 'createdAt' | 'slug'> = { createdAt: from, slug: '' }
    let left = most
    let toSkip = skip
    while (left > 0) {
      const limit = Math.min(PORTION, left)
      const packs = await publicIndex.readCreated({ after, before, skip: toSkip, limit })
      yield packs
      if (packs.length < limit) return
      left -= packs.length
      toSkip = 0
      after = packs.at(-1)!
    }
  }

  async function* partNames() {
    yield 'pages.xml'
    let from = 0
    for (;;) {
      const after = { createdAt: from, slug: '' }
      const [first] = await publicIndex.readCreated({ after, before: LAST, skip: 0, limit: 1 })
      if (first === undefined) return
      const name = new Date(first.createdAt).toISOString().slice(0, 7)
      const month = monthOf(name)
      for (let part = 1, skip = 0; ; part += 1) {
        yield `packs-${name}${part === 1 ? '' : `-${part}`}.xml`
        skip += partPacks
        if (!(await isThere(month.from, month.before, skip))) break
      }
      from = month.before
    }
  }

  async function* packEntries(siteUrl: string, stretch: Stretch, most: number) {
    for await (const packs of read(stretch, most)) {
      const entries = packs.map(({ slug, updatedAt }) => entry(`${siteUrl}/p/${slug}`, updatedAt))
      yield entries.join('')
    }
  }

  return {
    /** `/sitemap.xml`: everything, or the index of the parts. */
    async whole(siteUrl: string): Promise<AsyncIterable<string>> {
      if (await isThere(0, LAST, wholePacks)) {
        return framed('sitemapindex', partEntries(siteUrl, partNames()))
      }
      const all = { from: 0, before: LAST, skip: 0 }
      return framed('urlset', joined(pageEntries(siteUrl), packEntries(siteUrl, all, wholePacks)))
    },

    /** A part by its name, `packs-2026-11.xml`; null if it has no packs. */
    async part(name: string, siteUrl: string): Promise<AsyncIterable<string> | null> {
      const [, month, number = '1'] = partPattern.exec(name) ?? []
      if (month === undefined) return framed('urlset', [pageEntries(siteUrl)])
      const stretch = { ...monthOf(month), skip: (Number(number) - 1) * partPacks }
      if (!(await isThere(stretch.from, stretch.before, stretch.skip))) return null
      return framed('urlset', packEntries(siteUrl, stretch, partPacks))
    },
  }
}

/** Packs created at `from` or later and before `before`, without the first `skip`. */
type Stretch = { readonly from: number; readonly before: number; readonly skip: number }

const LAST = Number.MAX_SAFE_INTEGER

/** @param name `2026-11`; by UTC. */
function monthOf(name: string): { readonly from: number; readonly before: number } {
  const [year = 0, month = 1] = name.split('-').map(Number)
  return { from: Date.UTC(year, month - 1), before: Date.UTC(year, month) }
}

type Texts = Iterable<string> | AsyncIterable<string>

async function* joined(first: string, others: Texts) {
  yield first
  yield* others
}

async function* framed(kind: 'urlset' | 'sitemapindex', entries: Texts) {
  yield `<?xml version="1.0" encoding="UTF-8"?>
<${kind} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
`
  yield* entries
  yield `</${kind}>\n`
}

async function* partEntries(siteUrl: string, names: AsyncIterable<string>) {
  for await (const name of names) {
    yield `<sitemap><loc>${escapeHtml(`${siteUrl}/sitemap-${name}`)}</loc></sitemap>\n`
  }
}

function pageEntries(siteUrl: string): string {
  const pages = pagesOf.packs.filter(({ isPersonal }) => !isPersonal)
  return pages.map(({ path }) => entry(siteUrl + path)).join('')
}

function entry(url: string, updatedAt?: number): string {
  const changed =
    updatedAt === undefined ? '' : `<lastmod>${new Date(updatedAt).toISOString()}</lastmod>`
  return `<url><loc>${escapeHtml(url)}</loc>${changed}</url>\n`
}

const TOURNAMENTS_READ = 100
/** The newest: far more than there are. */
const MOST_TOURNAMENTS = 10_000

/** The sitemap of the tournament-pools site; what happens to drafts moves no time in it (D-74). */
async function* tournaments(ports: { readonly tournaments: TournamentStore }, siteUrl: string) {
  yield* framed('urlset', entries())

  async function* entries() {
    yield entry(`${siteUrl}/`)
    for (const { path, isPersonal } of pagesOf.pools) if (!isPersonal) yield entry(siteUrl + path)
    for (let page = 1; page <= MOST_TOURNAMENTS / TOURNAMENTS_READ; page += 1) {
      const found = await ports.tournaments.listPublic(everyTournament, page, TOURNAMENTS_READ)
      yield found.rows.map(({ slug, publicAt }) => entry(`${siteUrl}/t/${slug}`, publicAt)).join('')
      if (found.rows.length < TOURNAMENTS_READ) return
    }
  }
}
