import { PAGE_SIZE, pageNumbers } from '../contract/bounds.ts'
import type { Stats } from '../contract/packs.ts'
import type { Highlights, MyTournaments, PackChanges, RoundOfPack } from '../contract/page-data.ts'
import type { Tournament, TournamentPage } from '../contract/tournaments.ts'
import { SYSTEM_ACCOUNT_ID } from '../domain/accounts.ts'
import { changedSlots, countChanges, mayReadHistory } from '../domain/history.ts'
import { type Awaitable, BoundedMap, SingleFlight, whenKnown } from '../domain/loading.ts'
import type { SavedPack } from '../domain/packs.ts'
import { refusal } from '../contract/errors.ts'
import type { PackViewer } from '../domain/sessions.ts'
import { draftsOf } from '../domain/tournament-access.ts'
import { nextRelease, placeOf, presentPublic, presentSummary } from '../domain/tournament-views.ts'
import type { SavedTournament } from '../domain/tournaments.ts'
import type { Ports } from '../ports/ports.ts'
import type { Page } from '../ports/store.ts'
import {
  everyTournament,
  type PublicTournament,
  type TournamentFilter,
} from '../ports/tournaments.ts'
import type { TournamentReadPorts } from './tournaments.ts'

/** What is new in public tournaments, and the first page of them all. */
type News = { readonly highlights: Highlights; readonly tournaments: TournamentPage }

/** How many rounds are shown of those that were released, and of those to come. */
const SHOWN_ROUNDS = 5
/** The tournaments that changed last for strangers: rounds that were released last are among theirs. */
const RECENT_TOURNAMENTS = 12
/** Scheduled rounds of one tournament that are read; later ones follow when these are released. */
const SCHEDULED_ROUNDS = 24
/** How long the list of coming rounds is cached; whether strangers may see them is checked each time. */
const COMING_LASTS_MS = 2_000

/**
 * Returns a function that reads what the front page shows to strangers; the same object as long as nothing of it has
 * changed. Rounds that were scheduled since may be missing for two seconds.
 */
export function newsReader({
  tournaments,
  clock,
}: TournamentReadPorts & Pick<Ports, 'clock'>): () => Promise<News> {
  let coming: { readonly slugs: readonly string[]; readonly at: number } | null = null
  let known: {
    readonly news: News
    readonly text: string
    readonly of: readonly unknown[]
  } | null = null
  const readings = new SingleFlight<readonly string[]>()

  function readComing(): Awaitable<readonly string[]> {
    const age = coming === null ? Infinity : clock.now() - coming.at
    if (coming !== null && age >= 0 && age < COMING_LASTS_MS) return coming.slugs
    return readings.run('', async () => {
      const at = clock.now()
      const slugs = await tournaments.listComing(SCHEDULED_ROUNDS)
      coming = { slugs, at }
      return slugs
    })
  }

  return async () => {
    const listed = await tournaments.listPublic(everyTournament, 1, PAGE_SIZE)
    const recent = listed.rows.slice(0, RECENT_TOURNAMENTS).map(({ slug }) => slug)
    const scheduled = [...new Set(await readComing())]
    const [released, planned] = [
      await readAll(tournaments, recent),
      await readAll(tournaments, scheduled),
    ]
    const of = [listed, ...released, ...planned]
    if (known?.of.length === of.length && of.every((each, at) => each === known?.of[at])) {
      return known.news
    }
    const found = newsOf(listed, openAmong(released), openAmong(planned))
    const text = JSON.stringify(found)
    known = { news: known?.text === text ? known.news : found, text, of }
    return known.news
  }
}

const readAll = (
  tournaments: TournamentReadPorts['tournaments'],
  slugs: readonly string[],
): Promise<readonly (SavedTournament | null)[]> =>
  Promise.all(slugs.map(async (slug) => tournaments.read(slug)))

function newsOf(
  { rows, total }: Page<PublicTournament>,
  released: readonly OpenTournament[],
  coming: readonly OpenTournament[],
): News {
  return {
    highlights: {
      released: released
        .flatMap(recentRounds)
        .toSorted((a, b) => compare(b.releasedAt, a.releasedAt))
        .slice(0, SHOWN_ROUNDS),
      coming: coming
        .flatMap(comingRounds)
        .toSorted((a, b) => compare(a.releaseAt, b.releaseAt))
        .slice(0, SHOWN_ROUNDS),
    },
    tournaments: pageOf(rows, total, 1),
  }
}

/** A page of the public tournaments that a filter leaves. */
export async function listTournaments(
  { tournaments }: TournamentReadPorts,
  filter: TournamentFilter,
  page: number,
): Promise<TournamentPage> {
  const { rows: listed, total } = await tournaments.listPublic(filter, page, PAGE_SIZE)
  return pageOf(listed, total, page)
}

const pageOf = (
  listed: readonly PublicTournament[],
  total: number,
  page: number,
): TournamentPage => ({
  tournaments: listed.map((each) => presentSummary(each, null)),
  ...pageNumbers(page, total),
})

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

type OpenTournament = { readonly saved: SavedTournament; readonly shown: Tournament }

/** Only what strangers may see now: the lists may be a moment older. */
const openAmong = (found: readonly (SavedTournament | null)[]): OpenTournament[] =>
  found.flatMap((saved) => {
    const shown = saved && presentPublic(saved)
    return saved && shown ? { saved, shown } : []
  })

function recentRounds({ saved, shown }: OpenTournament): Highlights['released'] {
  const stats = roundStats(saved, shown)
  return shown.rounds.map(({ id, name, slots, releasedAt = '' }) => {
    const { srMin = null, srMax = null } = stats[id] ?? {}
    return {
      tournament: nameOf(shown),
      id,
      name,
      releasedAt,
      maps: slots.length,
      ...(srMin !== null && srMax !== null && { stars: [srMin, srMax] as const }),
    }
  })
}

function comingRounds({ shown }: OpenTournament): Highlights['coming'] {
  return (shown.upcoming ?? []).flatMap(({ name, releaseAt }) =>
    releaseAt === undefined ? [] : { tournament: nameOf(shown), name, releaseAt },
  )
}

const nameOf = ({ slug, name, shortName }: Tournament): RoundOfPack['tournament'] => ({
  slug,
  name,
  ...(shortName !== undefined && { shortName }),
})

/** The stats of the packs of the rounds that are shown, by the ids of the rounds; of packs that have some. */
export function roundStats(
  saved: SavedTournament,
  shown: Tournament,
): Readonly<Record<string, Stats>> {
  const ids = new Set(shown.rounds.map(({ id }) => id))
  return Object.fromEntries(
    saved.rounds.flatMap(({ id, released }) => {
      const stats = released?.pack?.stats ?? null
      return stats === null || !ids.has(id) ? [] : [[id, stats]]
    }),
  )
}

/**
 * Returns a function for what has changed of a pack, for those who may read its history; undefined for others. The store
 * is asked once after each save.
 */
export function changesOfPacks({ packs }: Pick<Ports, 'packs'>) {
  const known = new BoundedMap<string, PackChanges>({ maxEntries: KNOWN_PACKS })
  const reading = new SingleFlight<PackChanges>()
  const keyOf = ({ slug, updatedAt }: SavedPack): string => `${slug} ${updatedAt}`

  async function read({ slug }: SavedPack): Promise<PackChanges> {
    const history = await packs.readHistory(slug)
    if (history === null) throw refusal('packNotFound')
    // Of what was released the page says which slots are others since.
    const isRelease = history.pack.ownerId === SYSTEM_ACCOUNT_ID
    const slots = isRelease ? changedSlots(history).slice(0, MOST_CHANGED_SLOTS) : []
    const changes = { count: countChanges(history), slots }
    known.set(keyOf(history.pack), changes)
    return changes
  }

  return (pack: SavedPack, viewer: PackViewer | null): Awaitable<PackChanges | undefined> => {
    if (!mayReadHistory(pack, viewer?.accountId ?? '')) return undefined
    if (pack.version === 1) return noChanges
    return known.get(keyOf(pack)) ?? reading.run(keyOf(pack), () => read(pack))
  }
}

/** A page names so many. */
const MOST_CHANGED_SLOTS = 8
const noChanges: PackChanges = { count: 0, slots: [] }

type RoundChanges = Readonly<Record<string, PackChanges>>

/**
 * Returns a function for what has changed of the rounds of a tournament since their release, by their ids (D-80). The
 * same object as long as the tournament is the same.
 */
export function changesOfRounds(ports: Pick<Ports, 'packs'>) {
  const changesOf = changesOfPacks(ports)
  const known = new WeakMap<SavedTournament, RoundChanges>()

  async function read(saved: SavedTournament): Promise<RoundChanges> {
    const found = saved.rounds.map(async ({ id, released }) => {
      const changes = released?.pack ? await changesOf(released.pack, null) : undefined
      return changes === undefined || changes.count === 0 ? [] : [[id, changes] as const]
    })
    const changes = Object.fromEntries((await Promise.all(found)).flat())
    known.set(saved, changes)
    return changes
  }

  return (saved: SavedTournament): Awaitable<RoundChanges> => known.get(saved) ?? read(saved)
}

/** The tournaments that an account is on the staff of, with what is released of each and what comes next. */
export async function listMine(
  { tournaments }: TournamentReadPorts,
  accountId: string,
  page: number,
): Promise<MyTournaments> {
  const { rows: listed, total } = await tournaments.listOfMember(accountId, page, PAGE_SIZE)
  const whole = await Promise.all(listed.map(async ({ slug }) => tournaments.read(slug)))
  return {
    tournaments: listed.map((each, at) => {
      const tournament = whole[at] ?? null
      const rounds = tournament === null ? [] : draftsOf(tournament, accountId)
      const next = nextRelease(rounds)
      return {
        ...presentSummary(each, each.role),
        rounds: rounds.length,
        released: rounds.filter(({ released }) => released?.pack).length,
        ...(next && { next }),
      }
    }),
    ...pageNumbers(page, total),
  }
}

/** Packs of which it is known what changed, and whether a tournament released them. */
const KNOWN_PACKS = 10_000

/**
 * Returns a function that finds where a pack belongs that a round of a public tournament made; null for others.
 * The same object as long as the tournament is the same. The store is asked for the tournament of a pack once
 * after each save of the pack.
 */
export function roundsOfPacks({ tournaments }: TournamentReadPorts) {
  const slugs = new BoundedMap<string, string | null>({ maxEntries: KNOWN_PACKS })
  const finding = new SingleFlight<string | null>()
  const places = new WeakMap<SavedTournament, Map<string, RoundOfPack | null>>()

  async function find(key: string, packSlug: string): Promise<string | null> {
    const slug = await tournaments.findByPack(packSlug)
    slugs.set(key, slug)
    return slug
  }

  function place(tournament: SavedTournament, packSlug: string): RoundOfPack | null {
    const known = places.get(tournament) ?? new Map<string, RoundOfPack | null>()
    places.set(tournament, known)
    if (!known.has(packSlug)) known.set(packSlug, placeOf(tournament, packSlug))
    return known.get(packSlug) ?? null
  }

  return ({ ownerId, slug, updatedAt }: SavedPack): Awaitable<RoundOfPack | null> => {
    if (ownerId !== SYSTEM_ACCOUNT_ID) return null
    const key = `${slug} ${updatedAt}`
    const found = slugs.get(key)
    return whenKnown(found === undefined ? finding.run(key, () => find(key, slug)) : found, (of) =>
      of === null
        ? null
        : whenKnown(tournaments.read(of), (tournament) => tournament && place(tournament, slug)),
    )
  }
}
