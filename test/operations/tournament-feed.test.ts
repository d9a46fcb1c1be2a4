import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { AppError } from '../../src/contract/errors.ts'
import type { RoundSlot } from '../../src/contract/rounds.ts'
import type { TournamentChange } from '../../src/contract/tournament-feed.ts'
import { asOperator } from '../../src/domain/moderation.ts'
import { draftsOf } from '../../src/domain/tournament-access.ts'
import { tournamentChangeFor } from '../../src/domain/tournament-feed.ts'
import {
  presentMember,
  presentReleased,
  presentTournament,
} from '../../src/domain/tournament-views.ts'
import type { SavedTournament } from '../../src/domain/tournaments.ts'
import { ChangeHub } from '../../src/operations/changes.ts'
import { addRemark, propose, removeCandidate, vote } from '../../src/operations/discussion.ts'
import { hidePack, unhidePack } from '../../src/operations/moderation.ts'
import { releaseDue, releaseRound } from '../../src/operations/releases.ts'
import {
  changeSlots,
  createRound,
  deleteRound,
  replaceRounds,
  restoreRound,
} from '../../src/operations/rounds.ts'
import { removeMember, setRole } from '../../src/operations/staff.ts'
import {
  createTournament,
  deleteTournament,
  moderateTournament,
  updateTournament,
} from '../../src/operations/tournaments.ts'
import { aRound } from '../domain/a-tournament.ts'
import { openHouse } from '../support/house.ts'

const atOnce = { waitMs: 0, whenClosed: () => {}, readmit: () => {} }

/** In the order of their game ids; `limited` is on the staff for some rounds (D-81). */
const people = ['host', 'pooler', 'tester', 'limited', 'stranger'] as const

const steps = [
  'patch facts',
  'rename',
  'publish',
  'make private',
  'add round',
  'delete round',
  'restore round',
  'reorder',
  'edit slot',
  'plan slot',
  'fill slot',
  'release',
  'release incomplete',
  'schedule',
  'withdraw',
  'work',
  'hide',
  'show',
  'hide pack',
  'show pack',
  'unpublish',
  'propose',
  'vote',
  'remove candidate',
  'remark',
  'limit',
  'unlimit',
  'remove member',
  'delete tournament',
] as const

const anyStep = fc.record({
  step: fc.constantFrom(...steps),
  at: fc.nat({ max: 2 }),
  by: fc.constantFrom('host', 'pooler', 'tester', 'limited'),
  /** Several in the same millisecond: what is hidden of them moves no time of the others. */
  ms: fc.constantFrom(0, 0, 1_000),
})

/** Of these, a vote goes with its voter, and a later change says nothing of it. */
const votesThatLeave = (
  [
    ['propose', 'host'],
    ['vote', 'tester'],
    ['vote', 'pooler'],
    ['remove member', 'tester'],
    ['patch facts', 'host'],
  ] as const
).map(([step, by]) => ({ step, by, at: 0, ms: 0 }) as const)

/** What somebody reads of a tournament in parts, without times that always move; what is not there is left out. */
type View = Map<string, string>

const plain = (value: unknown): string =>
  JSON.stringify(value, (name, part: unknown) => (name === 'updatedAt' ? undefined : part))

const open = async () => {
  const house = await openHouse()
  onTestFinished(house.close)
  const { ports, clock } = house
  const gameIds = new Map(people.map((person, at) => [person as string, 100 + at]))
  for (const [person, gameId] of gameIds) {
    await ports.accounts.ensurePlayer({ gameId, username: person }, person, clock.now())
  }
  const elsewhere = await house.again()
  onTestFinished(() => elsewhere.care.close())
  const hubs = [ports.tournamentChanges, elsewhere.tournamentChanges].map(
    (feed) => new ChangeHub({ feed, changeFor: tournamentChangeFor, clock }, () => () => {}),
  )
  let asked = 0
  /** What has come after a cursor, of whichever process is asked. */
  const readAfter = async (accountId: string, after: string | null) => {
    const hub = hubs[(asked += 1) % 2]!
    return (await hub.read({ ...atOnce, accountId, after })).page
  }

  const viewOf = async (slug: string, accountId: string): Promise<View> => {
    const saved = await ports.tournaments.read(slug)
    return saved === null ? new Map() : partsOf(saved, accountId)
  }

  async function partsOf(saved: SavedTournament, accountId: string): Promise<View> {
    let seen
    try {
      seen = presentTournament(saved, accountId)
    } catch (error) {
      if (error instanceof AppError) return new Map()
      throw error
    }
    const { rounds, ...facts } = seen
    // What limits and roles the reader has is of the staff, as they read it.
    const { role, limitedTo, ...rest } = facts
    const view: View = new Map([
      ['facts', plain(rest)],
      ['order', plain(rounds.map(({ id }) => id))],
    ])
    for (const round of rounds) view.set(`round ${round.id}`, plain(round))
    if (role === undefined) return view
    const drafts = draftsOf(saved, accountId)
    const known = drafts.map(({ id }) => id)
    const staff = saved.staff.map((member) => presentMember(member, known))
    view.set('staff', plain({ staff, role, limitedTo }))
    for (const draft of drafts) {
      const { id } = draft
      // Its pack is for everybody to read, or hidden, also while the tournament is private.
      view.set(`round ${id}`, plain([view.get(`round ${id}`), presentReleased(draft)]))
      const { candidates, remarks } = await ports.discussion.read({ slug: saved.slug, roundId: id })
      view.set(`candidate ${id}`, plain(candidates))
      view.set(`remark ${id}`, plain(remarks))
    }
    return view
  }
  return { ...house, gameIds, readAfter, viewOf }
}

/** What a reader who reads again what a change names knows after it. */
function heed(known: View, now: View, { kind, round }: TournamentChange, accountId: string): View {
  const isAll = kind === 'shown' || kind === 'hidden' || now.get('staff') === undefined
  if (isAll || (kind === 'staff' && placeIn(known, accountId) !== placeIn(now, accountId))) {
    return new Map(now)
  }
  const next = new Map(known)
  const take = (part: string): void => {
    const text = now.get(part)
    if (text === undefined) next.delete(part)
    else next.set(part, text)
  }
  if (kind === 'staff') take('staff')
  else if (kind === 'candidate' || kind === 'remark') take(`${kind} ${round}`)
  else {
    take('facts')
    take('order')
    if (round !== undefined)
      for (const of of ['round', 'candidate', 'remark']) take(`${of} ${round}`)
  }
  return next
}

const placeIn = (view: View, accountId: string): string | undefined => {
  const staff = view.get('staff')
  if (staff === undefined) return undefined
  const { role, limitedTo } = JSON.parse(staff) as { role: string; limitedTo?: string[] }
  return JSON.stringify([accountId, role, limitedTo])
}

const isSame = (one: View, other: View): boolean =>
  one.size === other.size && [...one].every(([part, text]) => other.get(part) === text)

test('whoever reads again what their changes name knows what they would by polling, and hears of nothing else (D-89, D-60, D-81)', async () => {
  const { ports, clock, gameIds, readAfter, viewOf } = await open()
  const made: string[] = []
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 8, maxLength: 40 }), async (sequence) => {
      for (const last of made.splice(0)) {
        await ports.tournaments.changeWithPacks(last, null, clock.now(), () => ({
          content: null,
          packs: [],
        }))
      }
      const { slug } = await createTournament(ports, 'host', { name: 'Harbour Lights Cup' })
      made.push(slug)
      const ids: string[] = []
      const add = async (by: string) => {
        const input = aRound({ name: `Round ${ids.length}` })
        ids.push((await createRound(ports, by, slug, input)).round.id)
      }
      for (const _ of [0, 1]) await add('host')
      const join = (person: string, role: 'pooler' | 'tester', rounds?: string[]) =>
        setRole(ports, 'host', slug, gameIds.get(person)!, { role, ...(rounds && { rounds }) })
      await join('pooler', 'pooler')
      await join('tester', 'tester')
      await join('limited', 'pooler', [ids[0]!])
      const readers = await Promise.all(
        people.map(async (person) => ({
          person,
          cursor: (await readAfter(person, null)).cursor,
          known: await viewOf(slug, person),
        })),
      )
      const deleted: string[] = []
      let candidate = ''
      for (const { step, at, by, ms } of sequence) {
        clock.advance(ms)
        const id = ids[at % ids.length] ?? 'AAAAAAAAAA'
        const place = { slug, roundId: id }
        const saved = await ports.tournaments.read(slug)
        const round = saved?.rounds.find((each) => each.id === id)
        const first: RoundSlot = round?.slots[0] ?? { mod: 'NM', index: 1 }
        const slot = (to: object | null) =>
          changeSlots(ports, by, slug, id, {
            changes: [{ mod: first.mod, index: first.index, from: fromOf(first), to }],
          })
        const fromOf = (slot: typeof first) => {
          const { mod: _, index: __, ...content } = slot
          return (Object.keys(content).length === 0 ? null : content) as null
        }
        const packSlug = round?.released?.packSlug ?? 'AAAAAAAAAA'
        const release = (input: { at: string | null; incomplete?: boolean }) =>
          releaseRound(ports, 'host', slug, id, input)
        const acts: Record<(typeof steps)[number], () => Promise<unknown>> = {
          'patch facts': () => updateTournament(ports, 'host', slug, { year: 2020 + at }),
          rename: () => updateTournament(ports, 'host', slug, { announceRounds: at === 1 }),
          publish: () => updateTournament(ports, 'host', slug, { visibility: 'public' }),
          'make private': () => updateTournament(ports, 'host', slug, { visibility: 'private' }),
          'add round': () => add(by),
          'delete round': async () => {
            await deleteRound(ports, by, slug, id, () => {})
            deleted.push(id)
          },
          'restore round': () => restoreRound(ports, by, slug, deleted.at(-1) ?? id),
          reorder: () => {
            const rounds = saved!.rounds.toReversed().map((each) => ({
              id: each.id,
              name: each.name,
              slots: [...each.slots],
            }))
            return replaceRounds(ports, by, slug, { rounds }, () => {})
          },
          'edit slot': () => slot({ beatmapId: 500 + at }),
          'plan slot': () => slot({ placeholder: `planned ${at}` }),
          'fill slot': () => slot({ beatmapId: 600 + at }),
          release: () => release({ at: 'now' }),
          'release incomplete': () => release({ at: 'now', incomplete: true }),
          schedule: () => release({ at: new Date(clock.now() + 500).toISOString() }),
          withdraw: () => release({ at: null }),
          work: async () => releaseDue(ports, { slug, roundId: id }),
          hide: () => moderateTournament(ports, slug, 'hide', asOperator()),
          show: () => moderateTournament(ports, slug, 'unhide', asOperator()),
          'hide pack': () => hidePack(ports, packSlug),
          'show pack': () => unhidePack(ports, packSlug),
          unpublish: async () => ports.packs.remove(packSlug, 'tournament-pools', clock.now()),
          propose: async () => {
            const proposal = { mod: first.mod, index: first.index, beatmapId: 900 + at }
            candidate = (await propose(ports, by, place, proposal)).id
          },
          vote: () => vote(ports, by, place, candidate, at === 1 ? 1 : -1),
          'remove candidate': () => removeCandidate(ports, by, place, candidate),
          remark: () => addRemark(ports, by, place, { text: 'too hard' }),
          limit: () => join('limited', 'pooler', [id]),
          unlimit: () => join('limited', 'tester'),
          'remove member': () => removeMember(ports, 'host', slug, gameIds.get(by)!),
          // Seldom: nothing comes after it.
          'delete tournament': async () =>
            at === 2 ? deleteTournament(ports, 'host', slug) : undefined,
        }
        const isRefused = await acts[step]().then(
          () => false,
          (error: unknown) => {
            if (error instanceof AppError) return true
            throw error
          },
        )
        for (const reader of readers) {
          const about = `${step}${isRefused ? ' (refused)' : ''}, heard by ${reader.person}`
          const now = await viewOf(slug, reader.person)
          const page = await readAfter(reader.person, reader.cursor)
          const before = reader.known
          for (const change of page.changes) {
            expect(change, about).toMatchObject({
              at: new Date(clock.now()).toISOString(),
              tournament: slug,
            })
            reader.known = heed(reader.known, now, change, reader.person)
          }
          const differs = [...now.keys(), ...reader.known.keys()].filter(
            (part) => now.get(part) !== reader.known.get(part),
          )
          expect(differs, about).toEqual([])
          const named = page.changes.map(({ kind, round }) => `${kind} ${round}`)
          expect(new Set(named).size, about).toBe(named.length)
          // The same vote again is said, too.
          const isVote = page.changes.some(({ kind }) => kind === 'candidate')
          if (isSame(before, now) && !isVote) {
            expect(page, about).toEqual({ changes: [], cursor: reader.cursor, more: false })
            expect((await readAfter(reader.person, null)).cursor, about).toBe(reader.cursor)
          }
          reader.cursor = page.cursor
        }
        if ((await ports.tournaments.read(slug)) === null) return
      }
    }),
    { numRuns: 40, examples: [[votesThatLeave]] },
  )
})

test('what is left of an account that is deleted, and its votes, are told and marked for workspaces (D-45, D-89)', async () => {
  const { ports, clock, gameIds, readAfter } = await open()
  const { slug } = await createTournament(ports, 'host', { name: 'Harbour Lights Cup' })
  const roundOf = async (name: string) =>
    (await createRound(ports, 'host', slug, aRound({ name }))).round.id
  const [voted, remarked, other] = [
    await roundOf('Finals'),
    await roundOf('Semifinals'),
    await roundOf('Quarterfinals'),
  ]
  await setRole(ports, 'host', slug, gameIds.get('tester')!, { role: 'tester' })
  const place = { slug, roundId: voted }
  const { id } = await propose(ports, 'host', place, { mod: 'NM', index: 1, beatmapId: 900 })
  await vote(ports, 'tester', place, id, 1)
  await addRemark(ports, 'tester', { slug, roundId: remarked }, { text: 'too hard' })
  const { cursor } = await readAfter('host', null)
  const marks = async () => (await ports.workspaces.read([slug], clock.now())).get(slug)!.discussion
  const before = await marks()
  await ports.accounts.remove('tester', clock.now())
  const { changes } = await readAfter('host', cursor)
  const told = changes.flatMap(({ kind, round }) => (round ? [`${kind} ${round}`] : []))
  expect(told.toSorted()).toEqual([`candidate ${voted}`, `remark ${remarked}`].toSorted())
  const after = await marks()
  expect(after[voted]).not.toBe(before[voted])
  expect(after[remarked]).not.toBe(before[remarked])
  expect(after[other]).toBe(before[other])
})
