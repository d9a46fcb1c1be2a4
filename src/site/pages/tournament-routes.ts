import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Language } from '#texts/languages'
import { SEARCH_LENGTH } from '../../contract/bounds.ts'
import { rulesets } from '../../contract/mods.ts'
import type { Round } from '../../contract/rounds.ts'
import type { Tournament } from '../../contract/tournaments.ts'
import { type Awaitable, whenKnown } from '../../domain/loading.ts'
import { isSlug } from '../../domain/keys.ts'
import { pageIn } from '../../domain/reading/requests.ts'
import { assertMay, standingOf } from '../../domain/tournament-access.ts'
import { presentPage, releasedPlays } from '../../domain/tournament-views.ts'
import type { SavedTournament } from '../../domain/tournaments.ts'
import { knownSlotsOf } from '../../operations/beatmap-look.ts'
import {
  changesOfRounds,
  listMine,
  listTournaments,
  newsReader,
  roundStats,
} from '../../operations/tournament-pages.ts'
import { getTournament } from '../../operations/tournaments.ts'
import { isolate } from '../../pool/text.ts'
import type { SiteContext } from '../site-context.ts'
import type { SiteTexts } from '../language.ts'
import type { PageHead } from './html.ts'
import { headIn, type SitePage, sitePicture } from './page-table.ts'
import { answer, sendPage } from './send-page.ts'
import { breadcrumbs, tournamentData } from './structured-data.ts'

/** Adds the pages of tournaments, on the tournament-pools site. */
export function addTournamentPages(app: FastifyInstance, context: SiteContext): void {
  const { ports, settings } = context
  const readNews = newsReader(ports)
  const knownOf = knownSlotsOf(ports, releasedPlays)
  const changesOf = changesOfRounds(ports)

  function openWithBeatmaps(request: FastifyRequest) {
    return whenKnown(openPage(context, request), (saved) =>
      whenKnown(knownOf(saved), (beatmaps) =>
        whenKnown(changesOf(saved), (changes) => ({ saved, beatmaps, changes })),
      ),
    )
  }

  app.get('/', ({ query }, reply): void => {
    const { ownUrl } = settings
    const headFor = (texts: SiteTexts) => ({
      ...frontPage(texts),
      url: `${ownUrl}/`,
      image: sitePicture(settings, texts),
    })
    const asked = readAsked(query)
    if (asked === null) {
      answer(reply, readNews(), (news) => {
        const make = (texts: SiteTexts) => ({ head: headFor(texts), ...news })
        return sendPage(context, reply, { name: 'tournaments', key: '/', shows: [news], make })
      })
      return
    }
    const { filter, page, address } = asked
    const found = whenKnown(readNews(), async (news) => ({
      ...news,
      tournaments: await listTournaments(ports, filter, page),
    }))
    answer(reply, found, (shown) => {
      const make = (texts: SiteTexts) => ({
        head: { ...headFor(texts), isUnlisted: true },
        address,
        ...shown,
      })
      // What people look for is theirs: kept pages would be many, and each seldom asked for again.
      return sendPage(context, reply, { name: 'tournaments', key: null, shows: [], make })
    })
  })

  app.get('/my', (request, reply): void => {
    const { viewer, query } = request
    const mine = viewer && listMine(ports, viewer.accountId, pageIn(query))
    answer(reply, mine, (myTournaments) => {
      const make = (texts: SiteTexts) => ({
        head: { ...headIn('myTournaments')(texts), url: `${settings.ownUrl}/my`, isUnlisted: true },
        ...(myTournaments && { myTournaments }),
      })
      const key = myTournaments ? null : '/my'
      return sendPage(context, reply, { name: 'my-tournaments', key, shows: [], make })
    })
  })

  app.get('/t/:slug', (request, reply): void =>
    answer(reply, openWithBeatmaps(request), ({ saved, beatmaps, changes }) => {
      const { viewer } = request
      const standing = standingOf(saved, viewer?.accountId ?? '')
      const key = `tournament ${saved.slug} ${standing} ${viewer?.isModerator === true}`
      const make = (texts: SiteTexts, language: Language) => {
        const tournament = presentPage(saved, viewer)
        const stats = roundStats(saved, tournament)
        const head = headOf(tournament, stats, context, texts, language)
        return { head, tournament, roundStats: stats, roundChanges: changes, beatmaps }
      }
      return sendPage(context, reply, {
        name: 'tournament',
        key,
        shows: [saved, beatmaps, changes],
        make,
      })
    }),
  )

  for (const [name, path, head] of staffPages) {
    app.get(path, (request, reply): void => {
      // Who is not signed in is asked to, whatever is there.
      const found = request.viewer === null ? null : openTournament(context, request, true)
      answer(reply, found, () => sendSame(reply, name, head))
    })
  }
  app.get('/invite/:token', (_request, reply) => sendSame(reply, 'invite', headIn('invite')))

  /** A page that is the same of every tournament: it reads what it shows itself. */
  function sendSame(reply: FastifyReply, name: string, head: SitePage['head']): FastifyReply {
    const make = (texts: SiteTexts) => ({ head: { ...head(texts), isUnlisted: true } })
    return sendPage(context, reply, { name, key: name, shows: [], make })
  }
}

const staffPages = [
  ['workspace', '/t/:slug/edit', headIn('workspace')],
  ['staff', '/t/:slug/staff', headIn('staff')],
] as const

const frontPage = headIn('tournaments')

/** What the address asks the list of tournaments for, as `find-tournaments.ts` reads and writes it; null: for all. */
function readAsked(query: unknown) {
  const given = query as Readonly<Record<string, unknown>>
  const text = (name: string, pattern: RegExp): string => {
    const value = given[name]
    return typeof value === 'string' && pattern.test(value) && value.isWellFormed() ? value : ''
  }
  const search = text('search', /^\P{Cc}*$/u)
    .slice(0, SEARCH_LENGTH)
    .trim()
  const ruleset = rulesets.find((each) => each === given['ruleset']) ?? null
  const rank = text('rank', /^[1-9]\d{0,7}$/)
  const year = text('year', /^[12]\d{3}$/)
  const page = pageIn(query)
  const named = { search, ruleset: ruleset ?? '', rank, year, page: page === 1 ? '' : String(page) }
  const entries = Object.entries(named).filter(([, value]) => value !== '')
  if (entries.length === 0) return null
  const filter = { search, ruleset, rank: numberIn(rank), year: numberIn(year) }
  return { filter, page, address: `/?${new URLSearchParams(entries).toString()}` }
}

const numberIn = (digits: string): number | null => (digits === '' ? null : Number(digits))

/**
 * The tournament that the address names, as far as the viewer may see it. Throws `not_found` otherwise, so that
 * the page is the same whether it is private, hidden or not there (D-60).
 *
 * @param isForStaff others are refused even where the tournament is public.
 */
function openTournament(
  { ports }: SiteContext,
  { viewer, params }: FastifyRequest,
  isForStaff = false,
): Awaitable<SavedTournament> {
  const accountId = viewer?.accountId ?? ''
  const { slug } = params as { slug: string }
  return whenKnown(getTournament(ports, accountId, slug), (saved) => {
    if (isForStaff) assertMay(saved, accountId, 'readDrafts')
    return saved
  })
}

/** As `openTournament`; moderators also open one that is hidden, to show it again. */
function openPage(context: SiteContext, request: FastifyRequest): Awaitable<SavedTournament> {
  const { slug } = request.params as { slug: string }
  if (request.viewer?.isModerator !== true || !isSlug(slug)) return openTournament(context, request)
  return whenKnown(context.ports.tournaments.read(slug), (saved) =>
    saved?.visibility === 'public' ? saved : openTournament(context, request),
  )
}

type RoundStats = ReturnType<typeof roundStats>

/** The head of a tournament's page; its picture is that of the pack that was released last. */
function headOf(
  tournament: Tournament,
  stats: RoundStats,
  { settings }: SiteContext,
  texts: SiteTexts,
  language: Language,
): PageHead {
  const { slug, name, visibility, hiddenAt, rounds } = tournament
  const [last] = rounds.toSorted((a, b) => ((a.releasedAt ?? '') < (b.releasedAt ?? '') ? 1 : -1))
  const url = `${settings.ownUrl}/t/${slug}`
  const isUnlisted = visibility !== 'public' || hiddenAt !== undefined
  return {
    title: isolate(name),
    description: describe(tournament, texts),
    url,
    isUnlisted,
    ...(!isUnlisted && {
      feed: { title: texts.releasesFeed, url: `${url}.atom` },
      json: `${url}.json`,
      structured: [
        tournamentData(tournament, url, settings.siteUrl, language),
        breadcrumbs(settings, [isolate(name), url]),
      ],
    }),
    ...(last?.packSlug !== undefined && {
      image: {
        url: `${settings.siteUrl}/p/${last.packSlug}/preview.png?v=${versionOf(last, stats)}`,
        alt: texts.packPicture({ pack: last.name }),
      },
    }),
  }
}

/** As on the page of the pack: programs cache a picture by its address. */
function versionOf({ id, updatedAt }: Round, stats: RoundStats): string {
  const computedAt = Date.parse(stats[id]?.computedAt ?? '1970-01-01')
  return (Date.parse(updatedAt) + computedAt).toString(36)
}

/** `3 rounds released. The host's description.` */
function describe({ rounds, description = '' }: Tournament, texts: SiteTexts): string {
  const released =
    rounds.length === 0 ? texts.noRoundsReleased : texts.roundsReleased({ n: rounds.length })
  const words = description.replace(/\s+/g, ' ').trim()
  return `${released} ${words && isolate(words)}`.trim()
}
