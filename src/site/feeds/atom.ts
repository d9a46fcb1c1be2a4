import type { Language } from '#texts/languages'
import type { RoundOfPack } from '../../contract/page-data.ts'
import type { FastifyInstance } from 'fastify'
import {
  mayReadHistory,
  type PackHistory,
  type ReadVersion,
  versionsFor,
} from '../../domain/history.ts'
import { isSlug } from '../../domain/keys.ts'
import { SYSTEM_ACCOUNT_ID } from '../../domain/accounts.ts'
import { ownerNameOf, type SavedPack, startOf } from '../../domain/packs.ts'
import { SingleFlight } from '../../domain/loading.ts'
import { type Body, textBody } from '../../door/answer.ts'
import { type KnownBeatmaps, lookedUpSlots, openCache } from '../../operations/known-beatmaps.ts'
import { roundsOfPacks } from '../../operations/tournament-pages.ts'
import type { PublishedIndexCache } from '../../operations/search-index.ts'
import { comparePacks } from '../../pool/comparison.ts'
import { differenceLine, differenceWords } from '../../pool/difference-words.ts'
import { slotsInPoolOrder } from '../../pool/slots.ts'
import { isolate, withoutDirection } from '../../pool/text.ts'
import { askedLanguage, differenceTextsIn, ownerIn, type SiteTexts, textsIn } from '../language.ts'
import { describePack } from '../pages/page-routes.ts'
import { packsFeed } from '../pages/page-table.ts'
import { sendNotFound } from '../pages/send-page.ts'
import { creditOf } from '../preview/scene.ts'
import { answerCharged } from '../refusals.ts'
import { findIndex } from '../search-index.ts'
import type { SiteContext } from '../site-context.ts'
import { VersionCache } from '../version-cache.ts'
import { type Entry, feedXml, sendFeed, titleOf } from './feed-xml.ts'

const FEED_PACKS = 50
/** Changes of one save that an entry of all packs names. */
const MOST_LINES = 5

/** Adds the Atom feeds, which need no key: of the packs that were updated last, and of a pack's history. */
export function addAtom(
  app: FastifyInstance,
  context: SiteContext,
  indexCache: PublishedIndexCache,
): void {
  const { ports, settings, feeds } = context
  const builds = new SingleFlight<Body>()
  const roundOf = roundsOfPacks(ports)
  const lastChanges = new VersionCache<readonly string[]>({ maxEntries: 4 * FEED_PACKS })

  /** What the last save of a pack changed, if everyone may know; empty if not. */
  async function findLastChanges(pack: SavedPack, language: Language): Promise<readonly string[]> {
    if (!mayReadHistory(pack, '') || pack.version === 1) return []
    // With its stats, the names of its beatmaps become known.
    const shows = [pack.updatedAt, pack.stats?.computedAt]
    const key = `${language} ${pack.slug}`
    const cached = lastChanges.get(key, shows)
    if (cached !== undefined) return cached
    const history = await ports.packs.readHistory(pack.slug)
    const versions = history === null ? [] : versionsFor(history, '')
    const cache = openCache(ports.beatmapCache, lookedUpSlots(pack))
    const [lines = []] = await describeChanges(cache, versions.slice(0, 2), language)
    return lastChanges.set(key, shows, lines)
  }

  let listed: { readonly version: string; readonly packs: readonly SavedPack[] } | null = null
  const lists = new SingleFlight<readonly SavedPack[]>()

  function listAt(version: string): Promise<readonly SavedPack[]> {
    return lists.run(version, async () => {
      if (listed?.version === version) return listed.packs
      const { rows: packs } = await ports.packs.listPublic(1, FEED_PACKS)
      listed = { version, packs }
      return packs
    })
  }

  /** From memory until the search index has another version, or a tournament that it names has changed. */
  async function findPacksFeed(language: Language): Promise<Body> {
    const texts = textsIn(language)
    const key = `${language} ${packsFeed.path}`
    const { version } = await findIndex(indexCache)
    const packs = await listAt(version)
    const rounds = await Promise.all(packs.map(async (pack) => roundOf(pack)))
    const shows = [version, ...rounds, ...Object.values(settings)]
    const build = async (): Promise<Body> => {
      const entries: Entry[] = []
      for (const [at, pack] of packs.entries()) {
        const changes = await findLastChanges(pack, language)
        entries.push(packEntry(pack, changes, rounds[at] ?? null, settings, texts))
      }
      const url = settings.siteUrl + packsFeed.path
      const author = settings.installation.name
      const title = texts.packsFeedOf({ site: author })
      const updatedAt = packs[0]?.updatedAt ?? 0
      const page = `${settings.siteUrl}/packs`
      const xml = feedXml({ url, language, page, title, author, updatedAt, entries })
      return feeds.set(key, shows, textBody(xml))
    }
    return feeds.get(key, shows) ?? builds.run(JSON.stringify([key, version, rounds]), build)
  }

  /** The same for everyone, its owner too; null if there is no such pack, or its history is not open. */
  async function findHistoryFeed(slug: string, language: Language): Promise<Body | null> {
    const pack = isSlug(slug) ? await ports.packs.read(slug) : null
    if (pack === null || !mayReadHistory(pack, '')) return null
    const key = `${language} /p/${slug}`
    const round = await roundOf(pack)
    const shows = [pack, round, ...Object.values(settings)]
    const cached = feeds.get(key, shows)
    if (cached !== undefined) return cached
    const history = await ports.packs.readHistory(slug)
    if (history === null || !mayReadHistory(history.pack, '')) return null
    return feeds.set(
      key,
      shows,
      textBody(await historyXml(ports, history, round, settings, language)),
    )
  }

  app.get(packsFeed.path, (request, reply): void => {
    const language = askedLanguage(context, request)
    findPacksFeed(language)
      .then((body) => sendFeed(context, reply, body, language))
      .catch((error: unknown) => reply.send(error))
  })
  app.get('/p/:slug/history.atom', (request, reply) =>
    answerCharged(context, reply, 'page', async () => {
      const { slug } = request.params as { slug: string }
      const language = askedLanguage(context, request)
      const body = await findHistoryFeed(slug, language)
      return body === null ? sendNotFound(context, reply) : sendFeed(context, reply, body, language)
    }),
  )
}

type Settings = SiteContext['settings']

function packEntry(
  pack: SavedPack,
  changes: readonly string[],
  round: RoundOfPack | null,
  { siteUrl, poolsOwnerName }: Settings,
  texts: SiteTexts,
): Entry {
  const url = `${siteUrl}/p/${pack.slug}`
  const more =
    changes.length > MOST_LINES ? [texts.moreChanges({ n: changes.length - MOST_LINES })] : []
  const lines = [...changes.slice(0, MOST_LINES), ...more]
  const last = lines.length === 0 ? '' : `\n${texts.lastChange({ changes: lines.join('; ') })}`
  return {
    id: url,
    url,
    title: withoutDirection(pack.name),
    author: authorOf(pack, round, poolsOwnerName, texts),
    publishedAt: pack.createdAt,
    updatedAt: pack.updatedAt,
    summary: `${bucketsText(pack, texts)}: ${describePack(pack, poolsOwnerName, texts, { round })}${last}`,
  }
}

/** The owner; of a round of a public tournament, the round and the tournament. */
const authorOf = (
  pack: SavedPack,
  round: RoundOfPack | null,
  poolsOwnerName: string,
  texts: SiteTexts,
): string =>
  round === null
    ? withoutDirection(ownerIn(texts, ownerNameOf(pack, poolsOwnerName)))
    : creditOf(pack, round, poolsOwnerName, texts)

/** An entry for each version that everyone may read. */
async function historyXml(
  ports: Pick<SiteContext['ports'], 'beatmapCache'>,
  history: PackHistory,
  round: RoundOfPack | null,
  { siteUrl, poolsOwnerName, installation }: Settings,
  language: Language,
): Promise<string> {
  const { pack } = history
  const texts = textsIn(language)
  const versions = versionsFor(history, '')
  const cache = openCache(ports.beatmapCache, lookedUpSlots(pack))
  const changes = await describeChanges(cache, versions, language)
  const page = `${siteUrl}/p/${pack.slug}/history`
  const author = authorOf(pack, round, poolsOwnerName, texts)
  const entries = versions.map(({ version, savedAt, slots }, at): Entry => {
    const url = `${page}?version=${version}`
    const lines = changes[at] ?? [texts.firstVersion({ n: slots.length })]
    const [only] = lines
    const n = String(version)
    const title =
      lines.length === 1 && only !== undefined
        ? texts.versionWithChange({ n, change: only })
        : texts.version({ n })
    return {
      id: versionId(url, pack),
      url,
      title,
      author,
      publishedAt: savedAt,
      updatedAt: savedAt,
      summary: lines.join('\n'),
    }
  })
  return feedXml({
    url: `${page}.atom`,
    language,
    page,
    title: titleOf(texts.historyOf({ pack: pack.name }), installation),
    author,
    updatedAt: versions[0]?.savedAt ?? pack.createdAt,
    entries,
  })
}

/**
 * The id of a version's entry. A round that is withdrawn and released again has the same slug for a new pack, whose
 * versions are others of the same number.
 */
export const versionId = (url: string, { ownerId, createdAt }: SavedPack): string =>
  ownerId === SYSTEM_ACCOUNT_ID ? `${url}#${createdAt}` : url

/**
 * What each version, newest first, changed compared with the one after it in the list: a line for each
 * difference, with the names of beatmaps that are known. Nothing for the last.
 */
export async function describeChanges(
  beatmapCache: KnownBeatmaps,
  versions: readonly ReadVersion[],
  language: Language,
): Promise<readonly string[][]> {
  const texts = textsIn(language)
  const pairs = versions.slice(1).map((before, at) => {
    return { before, differences: comparePacks(before, versions[at]!) }
  })
  const ids = new Set(versions.flatMap(({ slots }) => slots.map(({ beatmapId }) => beatmapId)))
  const known = await beatmapCache.readBeatmaps([...ids])
  const nameOf = (id: number): string => {
    const beatmap = known.get(id)?.beatmap ?? 'gone'
    if (beatmap === 'gone') return texts.unnamedBeatmap({ id: String(id) })
    return `${beatmap.artist} – ${beatmap.title} [${beatmap.difficulty}]`
  }
  const shown = (text: string | null) => text && startOf(text)
  const differenceTexts = differenceTextsIn(language)
  return pairs.map(({ before: { slots }, differences }) =>
    differences.map((each) => {
      const { what, from, to } = differenceWords(each, {
        nameOf,
        before: slots,
        texts: differenceTexts,
      })
      return differenceLine({ what, from: shown(from), to: shown(to) }, texts)
    }),
  )
}

/** `NM 6, HD 3, TB 1`. */
function bucketsText(pack: SavedPack, texts: SiteTexts): string {
  const byBucket = Map.groupBy(slotsInPoolOrder(pack), ({ mod }) => mod)
  return [...byBucket]
    .map(([mod, slots]) => `${mod === null ? texts.withoutBucket : isolate(mod)} ${slots.length}`)
    .join(', ')
}
