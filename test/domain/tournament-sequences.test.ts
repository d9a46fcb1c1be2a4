import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { AppError } from '../../src/contract/errors.ts'
import {
  Round,
  type RoundInput,
  type RoundSlot,
  type SlotChanges,
} from '../../src/contract/rounds.ts'
import { staffRoles, Tournament } from '../../src/contract/tournaments.ts'
import { problemFinder } from '../../src/domain/reading/schema.ts'
import {
  assertReleasable,
  roundContentOf,
  sheetOf,
  slotChangesOf,
} from '../../src/domain/rounds.ts'
import * as releases from '../../src/domain/releases.ts'
import * as staffChanges from '../../src/domain/staff-changes.ts'
import * as changes from '../../src/domain/tournament-changes.ts'
import { presentRound, presentTournament, seesRound } from '../../src/domain/tournament-views.ts'
import type {
  SavedRound,
  SavedTournament,
  TournamentContent,
} from '../../src/domain/tournaments.ts'
import { anyAccount, aTournament, thrown } from './a-tournament.ts'

// Everything that a draft says is marked: names and placeholders have a number of their own, and so have beatmaps.
// What strangers read is then compared with the marks of what was released.

let marks = 0
const mark = (): number => (marks += 1)
const MARK = /(?<=draft-)[0-9]+|(?<="beatmapId":)[0-9]+/g
const ID = /id-[0-9]{7}/g
const marksIn = (value: unknown): Set<string> => marksInText(JSON.stringify(value))
const marksInText = (text: string): Set<string> => new Set(text.match(MARK))
const newId = (): string => `id-${String(mark()).padStart(7, '0')}`

/** What a draft looks like: for each slot whether it has a beatmap, a placeholder or nothing. */
const anyShape = fc.record({
  slots: fc.array(
    fc.constantFrom('beatmap', 'beatmap', 'beatmap', 'placeholder', 'details', 'empty'),
    { maxLength: 4 },
  ),
  custom: fc.boolean(),
  isNameKept: fc.boolean(),
  targets: fc.boolean(),
})
type Shape = { slots: string[]; custom: boolean; isNameKept: boolean; targets: boolean }

function fillingOf(kind: string) {
  if (kind === 'beatmap') return { beatmapId: mark() }
  if (kind === 'details') return { details: { title: `draft-${mark()}` } }
  return kind === 'placeholder' ? { placeholder: `draft-${mark()} planned` } : {}
}

/** A draft with marks of its own. */
function inputOf({ slots, custom, isNameKept, targets }: Shape, name: string | null): RoundInput {
  return {
    name: isNameKept && name !== null ? name : `draft-${mark()}`,
    slots: slots.map((kind, at) => ({
      mod: custom && at % 2 ? 'RC' : 'NM',
      index: at + 1,
      ...fillingOf(kind),
    })),
    ...(targets && { targets: { stars: { max: 6.5 } }, bestOf: 9 }),
  }
}

/** The pack that a release makes is named after the draft, too: its name is never in a round. */
const anyStep = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), shape: anyShape }),
  fc.record({ kind: fc.constant('edit' as const), at: fc.nat(5), shape: anyShape }),
  fc.record({ kind: fc.constant('rename' as const), at: fc.nat(5), like: fc.nat(5) }),
  fc.record({ kind: fc.constant('slots' as const), at: fc.nat(5), fill: fc.boolean() }),
  fc.record({
    kind: fc.constant('sheet' as const),
    keep: fc.array(fc.record({ at: fc.nat(5), byId: fc.boolean(), shape: anyShape }), {
      maxLength: 4,
    }),
  }),
  fc.record({ kind: fc.constant('remove' as const), at: fc.nat(5) }),
  fc.record({ kind: fc.constant('links' as const), at: fc.nat(5), isSet: fc.boolean() }),
  fc.record({
    kind: fc.constant('schedule' as const),
    at: fc.nat(5),
    after: fc.nat(50),
    incomplete: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('release' as const), at: fc.nat(5), incomplete: fc.boolean() }),
  fc.record({ kind: fc.constant('due' as const), at: fc.nat(5) }),
  fc.record({ kind: fc.constant('withdraw' as const), at: fc.nat(5) }),
  fc.record({ kind: fc.constant('pack' as const), at: fc.nat(5), isHidden: fc.boolean() }),
  fc.record({
    kind: fc.constant('facts' as const),
    patch: fc.oneof(
      fc.record({ visibility: fc.constantFrom('public' as const, 'private' as const) }),
      fc.record({ announceRounds: fc.boolean() }),
      fc.record({ shortName: fc.constantFrom('HLC', null) }),
    ),
  }),
  fc.record({
    kind: fc.constant('role' as const),
    who: fc.nat(6),
    role: fc.constantFrom(...staffRoles),
  }),
  fc.record({ kind: fc.constant('leave' as const), who: fc.nat(6) }),
  fc.record({ kind: fc.constant('hide' as const), isHidden: fc.boolean() }),
)
type Step = typeof anyStep extends fc.Arbitrary<infer S> ? S : never

/** The next state; undefined when there is nothing that the step could change. */
function take(saved: SavedTournament, step: Step, now: number): TournamentContent | undefined {
  const round = 'at' in step ? saved.rounds[step.at] : undefined
  switch (step.kind) {
    case 'add':
      return changes.addRound(saved, roundContentOf(inputOf(step.shape, null)), newId(), now)
    case 'sheet': {
      const kept = new Set(step.keep.map(({ at }) => saved.rounds[at]))
      const sheet = step.keep.map(({ at, byId, shape }) => {
        const is = saved.rounds[at]
        const input = inputOf({ ...shape, isNameKept: !byId }, is?.name ?? null)
        return byId && is ? { id: is.id, ...input } : input
      })
      // Those that must not be missing, mostly.
      const must = saved.rounds.filter(
        (each) => !kept.has(each) && (each.releaseAt ?? each.released) !== null && now % 3,
      )
      const rest = must.map((each) => ({ ...inputOf(stays, each.name), id: each.id }))
      return changes.replaceRounds(saved, sheetOf({ rounds: [...sheet, ...rest] }), newId, now)
    }
    case 'facts':
      return changes.updateFacts(saved, step.patch, now)
    case 'role':
      return staffChanges.setRole(saved, anyAccount(step.who), step.role, null, now)
    case 'leave': {
      const member = saved.staff.find(({ gameId }) => gameId === step.who)
      return member && staffChanges.removeMember(saved, member, now)
    }
    case 'hide':
      return step.isHidden ? changes.hide(saved, 'spam', now) : changes.unhide(saved, now)
    default:
      return round && takeInRound(saved, round, step, now)
  }
}
const stays: Shape = { slots: ['beatmap'], custom: false, isNameKept: true, targets: false }

function takeInRound(saved: SavedTournament, round: SavedRound, step: Step, now: number) {
  switch (step.kind) {
    case 'edit':
      return changes.replaceRound(
        saved,
        round,
        roundContentOf(inputOf(step.shape, round.name)),
        now,
      )
    case 'rename': {
      const name = saved.rounds[step.like]?.name.toUpperCase().replace('DRAFT', 'draft')
      return name === undefined
        ? undefined
        : changes.replaceRound(saved, round, { ...round, name }, now)
    }
    case 'slots':
      return changes.changeSlots(saved, round, [...fillAll(round, step.fill)], now)
    case 'remove':
      return changes.removeRound(saved, round, now).content
    case 'links': {
      const mapPackUrl = step.isSet ? `https://files.example/draft-${mark()}` : null
      return changes.replaceRound(saved, round, { ...round, mapPackUrl }, now)
    }
    case 'schedule':
      return releases.schedule(saved, round, now + step.after, step.incomplete, now)
    case 'release':
      return releases.release(saved, round, step.incomplete, slugOf(round), now).content
    case 'due':
      return releases.releaseIfDue(saved, round.id, slugOf(round), now)?.content
    case 'withdraw':
      return releases.withdraw(saved, round, now).content
    default:
      return undefined
  }
}

/** A withdrawn round is released under the same slug (D-63). */
const slugOf =
  ({ id }: SavedRound): releases.ChooseSlug =>
  (before) =>
    before ?? `pack-${id.slice(-5)}`

function fillAll({ slots }: SavedRound, fill: boolean) {
  const changed = slots.map(({ mod, index, ...from }) => ({
    mod,
    index,
    from,
    to: fill ? { beatmapId: mark() } : fillingOf('placeholder'),
  }))
  return changed.length > 0 ? changed : [{ mod: 'NM', index: 7, from: undefined, to: {} }]
}

/** A moderator hides or shows the pack, or the operator removes it: the tournament hears of it as it is read. */
function withPack(saved: SavedTournament, at: number, isHidden: boolean): SavedTournament {
  const rounds = saved.rounds.map((round, position) => {
    const pack = round.released?.pack
    if (position !== at || !round.released || !pack) return round
    return {
      ...round,
      released: { ...round.released, pack: { ...pack, hiddenAt: isHidden ? 1 : null } },
    }
  })
  return { ...saved, rounds }
}

/**
 * What strangers may read of a round as long as its pack is shown: what it said when it was released, and of slots that
 * had no beatmap then, what they hold since (D-78).
 */
type Shown = {
  readonly name: string
  readonly slots: readonly RoundSlot[]
  readonly isHidden: boolean
}
const isAt = (a: RoundSlot, b: RoundSlot): boolean => a.mod === b.mod && a.index === b.index

/** The releases that a step makes of those before it, said without the code under test. */
function nextShown(
  shown: ReadonlyMap<string, Shown>,
  before: SavedTournament,
  after: SavedTournament,
  step: Step,
  now: number,
): Map<string, Shown> {
  const next = new Map(shown)
  for (const { id } of before.rounds) {
    if (!after.rounds.some((round) => round.id === id)) next.delete(id)
  }
  const round = 'at' in step ? before.rounds[step.at] : undefined
  if (round === undefined) return next
  const isDue = step.kind === 'due' && round.releaseAt !== null && round.releaseAt <= now
  if (step.kind === 'release' || isDue) {
    const { name, slots } = round
    next.set(round.id, { name, slots, isHidden: shown.get(round.id)?.isHidden ?? false })
  } else if (step.kind === 'due') {
    const was = shown.get(round.id)
    const slots = was?.slots.map((slot) => {
      const now = round.slots.find((each) => isAt(each, slot))
      return slot.beatmapId === undefined && now?.beatmapId !== undefined ? now : slot
    })
    if (was && slots) next.set(round.id, { ...was, slots })
  }
  if (step.kind === 'withdraw' && round.releaseAt === null) next.delete(round.id)
  const is = next.get(round.id)
  if (step.kind === 'pack' && is) next.set(round.id, { ...is, isHidden: step.isHidden })
  return next
}

const findInTournament = problemFinder(Tournament)
const findInRound = problemFinder(Round)

function expectSound(saved: SavedTournament): void {
  expect(saved.staff.filter(({ role }) => role === 'host').length).toBeGreaterThan(0)
  expect(new Set(saved.staff.map(({ accountId }) => accountId)).size).toBe(saved.staff.length)
  const ranks = saved.staff.map(({ role }) => staffRoles.indexOf(role))
  expect(ranks).toEqual(ranks.toSorted((a, b) => a - b))
  expect(saved.rounds.length).toBeLessThanOrEqual(16)
  expect(new Set(saved.rounds.map(({ name }) => name.toLowerCase())).size).toBe(saved.rounds.length)
  expect(new Set(saved.rounds.map(({ id }) => id)).size).toBe(saved.rounds.length)
  for (const round of saved.rounds) {
    if (round.releaseAt !== null) assertReleasable(saved, round, round.releaseIncomplete)
    expect(findInRound(presentRound(saved, round, saved.staff[0]!.accountId), '')).toEqual([])
  }
  expect(findInTournament(presentTournament(saved, saved.staff[0]!.accountId), '')).toEqual([])
}

const draftText = ({ name, bestOf, bans, packName, targets, slots, buckets }: SavedRound) =>
  JSON.stringify([name, bestOf, bans, packName, targets, slots, buckets])

/** Times and versions after a change that was made. */
function expectMoved(before: SavedTournament, after: SavedTournament): void {
  expect(after.updatedAt).toBeGreaterThan(before.updatedAt)
  for (const round of after.rounds) {
    const was = before.rounds.find(({ id }) => id === round.id)
    if (was === undefined) {
      expect(round.version).toBe(1)
      continue
    }
    const isRedrafted = draftText(was) !== draftText(round)
    expect(round.version - was.version).toBe(isRedrafted ? 1 : 0)
    const hasChanged = JSON.stringify(was) !== JSON.stringify(round)
    if (hasChanged) expect(round.updatedAt).toBeGreaterThan(was.updatedAt)
  }
}

/** What somebody outside reads, without the time of it; null for the 404. */
function readOutside(saved: SavedTournament): string | null {
  if (thrown(() => presentTournament(saved, 'stranger')) !== undefined) return null
  return JSON.stringify({ ...presentTournament(saved, 'stranger'), updatedAt: '' })
}

function expectNoLeak(saved: SavedTournament, shown: ReadonlyMap<string, Shown>): void {
  const isOpen = saved.visibility === 'public' && saved.hiddenAt === null
  const open = saved.rounds.filter(({ id }) => isOpen && shown.get(id)?.isHidden === false)
  for (const round of saved.rounds) {
    const sees = open.includes(round)
    expect(seesRound(saved, round, 'stranger')).toBe(sees)
    if (!sees) {
      expect(thrown(() => presentRound(saved, round, 'stranger'))).toMatchObject({
        code: 'not_found',
      })
      continue
    }
    const view = presentRound(saved, round, 'stranger')
    expect(findInRound(view, '')).toEqual([])
    const { name, slots } = shown.get(round.id)!
    expect(view).toMatchObject({ name, slots })
    expect(view.mapPackUrl ?? null, 'as it is now (D-85)').toBe(round.mapPackUrl)
    expect(marksIn({ ...view, mapPackUrl: '' })).toEqual(marksIn({ name, slots }))
    expect(view).not.toHaveProperty('targets')
  }
  const text = readOutside(saved)
  if (text === null) return expect(isOpen).toBe(false)
  expect(isOpen).toBe(true)
  expect(findInTournament(presentTournament(saved, 'stranger'), '')).toEqual([])
  expect(text.match(ID) ?? []).toEqual(open.map(({ id }) => id))
  const toCome = saved.announceRounds ? saved.rounds.filter(({ id }) => !shown.has(id)) : []
  const allowed = [
    ...open.flatMap(({ id, mapPackUrl }) => [...marksIn({ ...shown.get(id)!, mapPackUrl })]),
    ...marksIn(toCome.map(({ name }) => name)),
  ]
  expect(marksInText(text)).toEqual(new Set(allowed))
}

/** Nothing below may change what it was given: stores return the same object again. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null)
    Object.values(Object.freeze(value)).forEach(frozen)
  return value
}

test('D-60 to D-63, D-78, D-85: whatever is done in whatever order, a tournament stays sound and leaks no draft', () => {
  let refused = 0
  let done = 0
  fc.assert(
    fc.property(
      fc.array(fc.record({ step: anyStep, elapsed: fc.integer({ min: -5, max: 30 }) }), {
        maxLength: 40,
        size: 'max',
      }),
      (steps) => {
        let now = 10_000
        let saved = frozen(
          aTournament({
            staff: [{ ...anyAccount(1), role: 'host', rounds: null, since: 1, seenAt: null }],
          }),
        )
        let shown = new Map<string, Shown>()
        for (const { step, elapsed } of steps) {
          now += elapsed
          const before = saved
          try {
            const content =
              step.kind === 'pack'
                ? withPack(saved, step.at, step.isHidden)
                : take(saved, step, now)
            if (content === undefined || content === saved) continue
            saved = frozen({ ...before, ...content })
          } catch (error) {
            if (!(error instanceof AppError)) throw error
            expect(['conflict', 'bad_request', 'not_found']).toContain(error.code)
            refused += 1
            continue
          }
          done += 1
          shown = nextShown(shown, before, saved, step, now)
          expectSound(saved)
          expectNoLeak(saved, shown)
          if (step.kind === 'pack') continue
          expectMoved(before, saved)
          const isSeen = readOutside(before) !== readOutside(saved)
          expect(saved.publicAt > before.publicAt).toBe(isSeen)
        }
      },
    ),
    { numRuns: 300 },
  )
  expect(done, 'steps that were taken').toBeGreaterThan(1000)
  expect(refused, 'steps that were refused').toBeGreaterThan(100)
})

type Filling = SlotChanges['changes'][number]['to']
const PLACES = [
  { mod: 'NM', index: 1 },
  { mod: 'NM', index: 2 },
  { mod: 'RC', index: 1 },
  { mod: null, index: 1 },
] as const
const anyDetails = fc.record(
  {
    details: fc.record({ title: fc.constantFrom('Tidal Clock', 'Reef') }),
    link: fc.constantFrom('https://files.example/1', 'https://files.example/2'),
  },
  { requiredKeys: [] },
)
const anyFilling: fc.Arbitrary<Filling> = fc.oneof(
  fc
    .tuple(fc.record({ beatmapId: fc.integer({ min: 1, max: 3 }) }), anyDetails)
    .map(([filling, details]) => ({ ...filling, ...details })),
  fc
    .tuple(fc.record({ placeholder: fc.constantFrom('due Sunday', 'due Monday', '1') }), anyDetails)
    .map(([filling, details]) => ({ ...filling, ...details })),
  fc.constant(null),
  fc.constant('none'),
)
/** As the round has it: nothing where there is no slot. */
const slotOf = (place: (typeof PLACES)[number], filling: Filling) =>
  filling === 'none' ? [] : [{ ...place, ...filling }]
/** Each of three editors looks, or changes some places from what they saw last. */
const anyTurn = fc.record({
  editor: fc.nat(2),
  to: fc.option(
    fc.uniqueArray(fc.record({ place: fc.nat(PLACES.length - 1), filling: anyFilling }), {
      minLength: 1,
      maxLength: 3,
      selector: ({ place }) => place,
    }),
  ),
})

test('D-62, D-77, D-79: editors who changed what they saw never overwrite one another, and lose nothing', () => {
  let made = 0
  let stale = 0
  fc.assert(
    fc.property(fc.array(anyTurn, { maxLength: 30, size: 'max' }), (turns) => {
      const content = { ...roundContentOf({ name: 'Finals' }), slots: [] }
      let saved = changes.addRound(aTournament(), content, 'round-0001', 2000)
      let truth: readonly Filling[] = PLACES.map(() => 'none')
      const seen = [truth, truth, truth]
      for (const { editor, to } of turns) {
        if (to === null) {
          seen[editor] = truth
          continue
        }
        const sent = to.map(({ place, filling }) => ({
          ...PLACES[place]!,
          from: seen[editor]![place]!,
          to: filling,
        }))
        const differing = to.filter(
          ({ place }) => JSON.stringify(seen[editor]![place]) !== JSON.stringify(truth[place]),
        )
        const round = saved.rounds[0]!
        const error = thrown(() => {
          saved = changes.changeSlots(saved, round, slotChangesOf({ changes: sent }), 2000)
        })
        if (differing.length > 0) {
          stale += 1
          const slots = differing.flatMap(({ place }) => slotOf(PLACES[place]!, truth[place]!))
          const isMissing = differing.some(({ place }) => truth[place] === 'none')
          const reason = isMissing ? 'no_such_slot' : 'slot_changed'
          expect(error).toMatchObject({ code: 'conflict', reason, details: { slots } })
          expect(saved.rounds[0]).toBe(round)
          continue
        }
        made += 1
        expect(error).toBeUndefined()
        for (const { place, filling } of to) truth = truth.with(place, filling)
        for (const [place, filling] of truth.entries()) {
          const { mod, index } = PLACES[place]!
          const is = saved.rounds[0]!.slots.filter(
            (each) => each.mod === mod && each.index === index,
          )
          expect(is).toEqual(slotOf(PLACES[place]!, filling))
        }
        // An editor sees what they changed.
        seen[editor] = seen[editor]!.map((was, place) =>
          to.some((each) => each.place === place) ? truth[place]! : was,
        )
      }
    }),
    { numRuns: 500 },
  )
  expect(made).toBeGreaterThan(500)
  expect(stale).toBeGreaterThan(500)
})
