import type { FastifyInstance } from 'fastify'
import type { Language } from '#texts/languages'
import type { BeatmapDetails } from '../../contract/beatmaps.ts'
import type { ForcedMod } from '../../contract/mods.ts'
import type { Round } from '../../contract/rounds.ts'
import type { Tournament } from '../../contract/tournaments.ts'
import { mayReadHistory, versionsFor } from '../../domain/history.ts'
import { isSlug } from '../../domain/keys.ts'
import { SingleFlight } from '../../domain/loading.ts'
import { isPlanned, presentPublic, releasedPlays } from '../../domain/tournament-views.ts'
import type { SavedTournament } from '../../domain/tournaments.ts'
import { type Body, sendDocument, textBody } from '../../door/answer.ts'
import { knownSlotsOf } from '../../operations/beatmap-look.ts'
import { lookedUpSlots, openCache } from '../../operations/known-beatmaps.ts'
import { playedBpm, playedLength, roundHalfUp } from '../../pool/played-values.ts'
import { roundFields } from '../../pool/round-fields.ts'
import { plannedWords } from '../../pool/slot-details.ts'
import { slotLabel } from '../../pool/slots.ts'
import { isolate, withoutDirection } from '../../pool/text.ts'
import { slotsWithBeatmaps } from '../known-slots.ts'
import { askedLanguage, textsIn } from '../language.ts'
import { sendNotFound } from '../pages/send-page.ts'
import { answerCharged } from '../refusals.ts'
import type { SiteContext } from '../site-context.ts'
import { describeChanges, versionId } from './atom.ts'
import { type Entry, feedResponse, feedXml, sendFeed, titleOf } from './feed-xml.ts'

/** What a tournament shows to everybody, for programs that have no key (D-85). */
export function addTournamentFeeds(app: FastifyInstance, context: SiteContext): void {
  const { ports, settings, feeds } = context
  const knownOf = knownSlotsOf(ports, releasedPlays)
  const builds = new SingleFlight<Body>()

  /** Null when there is no such tournament, or it is not public: the same for its staff. */
  async function findOpen(slug: string) {
    const saved = isSlug(slug) ? await ports.tournaments.read(slug) : null
    const shown = saved && presentPublic(saved)
    return saved && shown ? { saved, shown } : null
  }

  async function findJson(slug: string): Promise<Body | null> {
    const open = await findOpen(slug)
    if (open === null) return null
    const beatmaps = await knownOf(open.saved)
    const shows = [open.saved, beatmaps, ...Object.values(settings)]
    const key = `/t/${slug}.json`
    const cached = feeds.get(key, shows)
    if (cached !== undefined) return cached
    const text = JSON.stringify(tournamentJson(open.shown, beatmaps, settings), null, 1)
    return feeds.set(key, shows, textBody(`${text}\n`))
  }

  async function findAtom(slug: string, language: Language): Promise<Body | null> {
    const open = await findOpen(slug)
    if (open === null) return null
    const key = `${language} /t/${slug}.atom`
    const shows = [open.saved, ...Object.values(settings)]
    const build = async (): Promise<Body> =>
      feeds.set(
        key,
        shows,
        textBody(await tournamentXml(ports, open.saved, open.shown, settings, language)),
      )
    return feeds.get(key, shows) ?? builds.run(`${language} ${slug} ${open.saved.updatedAt}`, build)
  }

  app.get('/t/:slug.json', (request, reply) =>
    answerCharged(context, reply, 'page', async () => {
      const { slug } = request.params as { slug: string }
      const body = await findJson(slug)
      if (body === null) return sendNotFound(context, reply)
      const type = 'application/json; charset=utf-8'
      return sendDocument(context.compressed, reply, body, { ...feedResponse, type })
    }),
  )
  app.get('/t/:slug.atom', (request, reply) =>
    answerCharged(context, reply, 'page', async () => {
      const { slug } = request.params as { slug: string }
      const language = askedLanguage(context, request)
      const body = await findAtom(slug, language)
      return body === null ? sendNotFound(context, reply) : sendFeed(context, reply, body, language)
    }),
  )
}

type Settings = SiteContext['settings']
type KnownSlots = Awaited<ReturnType<ReturnType<typeof knownSlotsOf<SavedTournament>>>>

function tournamentJson(shown: Tournament, beatmaps: KnownSlots, { ownUrl, siteUrl }: Settings) {
  const { rounds, upcoming, announceRounds: _, visibility: __, ...facts } = shown
  return {
    tournament: { ...facts, url: `${ownUrl}/t/${facts.slug}` },
    rounds: rounds.map((round) => roundJson(round, beatmaps, siteUrl)),
    ...(upcoming && { upcoming }),
  }
}

function roundJson(round: Round, beatmaps: KnownSlots, siteUrl: string) {
  const { id, name, slots, buckets, packSlug, releasedAt } = round
  return {
    id,
    name,
    ...roundFields.sent(round),
    releasedAt,
    packSlug,
    packUrl: `${siteUrl}/p/${packSlug}`,
    ...(buckets && { buckets }),
    slots: slotsWithBeatmaps({ buckets, slots }, beatmaps).map(({ slot, forced, found }) => ({
      label: slotLabel(slot),
      ...slot,
      ...(forced.length > 0 && { mods: forced }),
      ...(found?.details && { beatmap: beatmapJson(found.details, forced, found) }),
    })),
  }
}

/**
 * Stars, length and BPM are under the mods of the slot; stars and BPM are left out where they are not known. `noRating`: the
 * stars are those without the mods (D-93).
 */
function beatmapJson(
  details: BeatmapDetails,
  forced: readonly ForcedMod[],
  { stars = null, noRating }: Pick<KnownSlots[number], 'stars' | 'noRating'>,
) {
  const { setId, artist, title, difficulty, mapper } = details
  const bpm = playedBpm(details, forced)
  // 0 stands for unknown.
  const known =
    stars === null || stars === 0
      ? {}
      : { stars: roundHalfUp(stars, 2), ...(noRating && { noRating }) }
  return {
    setId,
    artist,
    title,
    difficulty,
    mapper,
    ...known,
    length: playedLength(details, forced),
    ...(bpm !== null && { bpm }),
  }
}

/** An entry for each release, change and withdrawal that everybody may know of, the last one first. */
async function tournamentXml(
  ports: SiteContext['ports'],
  saved: SavedTournament,
  shown: Tournament,
  settings: Settings,
  language: Language,
): Promise<string> {
  const texts = textsIn(language)
  const page = `${settings.ownUrl}/t/${shown.slug}`
  const author = withoutDirection(shown.name)
  const facts = { page, siteUrl: settings.siteUrl, author, language }
  const ofRounds = await Promise.all(
    shown.rounds.map((round) => releaseEntries(ports, round, facts)),
  )
  const withdrawn = saved.rounds.flatMap(({ id, withdrawn }): Entry[] => {
    if (!withdrawn?.wasShown) return []
    const { name, at } = withdrawn
    const title = texts.roundWithdrawn({ round: name })
    const entry = { id: `${page}#r-${id}-withdrawn-${at}`, url: page, title, author }
    return [{ ...entry, publishedAt: at, updatedAt: at, summary: title }]
  })
  const entries = [...ofRounds.flat(), ...withdrawn].toSorted((a, b) => b.updatedAt - a.updatedAt)
  return feedXml({
    url: `${page}.atom`,
    language,
    page,
    title: titleOf(isolate(shown.name), settings.installation),
    author,
    updatedAt: entries[0]?.updatedAt ?? Date.parse(shown.updatedAt),
    entries,
  })
}

/** What all entries of a feed have in common. */
type FeedFacts = {
  /** Of the tournament. */
  readonly page: string
  readonly siteUrl: string
  readonly author: string
  readonly language: Language
}

async function releaseEntries(
  ports: SiteContext['ports'],
  { id, name, packSlug = '', releasedAt = '', slots: released }: Round,
  { page, siteUrl, author, language }: FeedFacts,
): Promise<Entry[]> {
  const texts = textsIn(language)
  const history = await ports.packs.readHistory(packSlug)
  if (history === null || !mayReadHistory(history.pack, '')) return []
  const versions = versionsFor(history, '')
  const cache = openCache(ports.beatmapCache, lookedUpSlots(history.pack))
  const changes = await describeChanges(cache, versions, language)
  const url = `${siteUrl}/p/${packSlug}`
  const entries = versions.map(({ version, savedAt, slots }, at): Entry => {
    const lines = changes[at]
    return {
      id: versionId(`${url}/history?version=${version}`, history.pack),
      url,
      title:
        lines === undefined
          ? texts.roundReleased({ round: name })
          : texts.roundChanged({ round: name }),
      author,
      publishedAt: savedAt,
      updatedAt: savedAt,
      summary: lines?.join('\n') || texts.beatmaps({ n: slots.length }),
    }
  })
  const at = Date.parse(releasedAt)
  if (versions.some(({ savedAt }) => savedAt >= at)) return entries
  // A release that left the pack as it was: planned slots or other fields of the round have changed.
  const planned = released.filter(isPlanned)
  const lines = planned.map((slot) =>
    texts.plannedLine({
      slot: slotLabel(slot),
      planned: plannedWords(slot) || texts.toBeAnnounced,
    }),
  )
  return [
    {
      id: `${page}#r-${id}-released-${at}`,
      url: `${page}#r-${id}`,
      title: texts.roundChanged({ round: name }),
      author,
      publishedAt: at,
      updatedAt: at,
      summary: lines.join('\n') || texts.beatmaps({ n: released.length }),
    },
    ...entries,
  ]
}
