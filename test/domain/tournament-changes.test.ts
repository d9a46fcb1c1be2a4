import { describe, expect, test } from 'vitest'
import { rulesetNames, rulesets } from '../../src/contract/mods.ts'
import type { RoundTargets, SlotChanges } from '../../src/contract/rounds.ts'
import { roundContentOf, sheetOf, slotChangesOf } from '../../src/domain/rounds.ts'
import { slurs } from '../../src/domain/slurs/slurs.ts'
import {
  addRound,
  changeSlots,
  hide,
  removals,
  removeRound,
  replaceRound,
  replaceRounds,
  restoreRound,
  unhide,
  updateFacts,
} from '../../src/domain/tournament-changes.ts'
import { removeMember, setRole } from '../../src/domain/staff-changes.ts'
import { release, releaseIfDue, schedule, withdraw } from '../../src/domain/releases.ts'
import type { SavedRound, SavedTournament } from '../../src/domain/tournaments.ts'
import {
  anyAccount,
  aMember,
  aRelease,
  aRound,
  aRoundPack,
  aSavedRound,
  aTournament,
  thrown,
} from './a-tournament.ts'

const conflict = (message: string) => ({ code: 'conflict', message })
const slur = slurs[0]!.stem.replaceAll('*', '')
const input = (name: string) => roundContentOf(aRound({ name }))
const withRounds = (...rounds: SavedRound[]): SavedTournament => aTournament({ rounds })
const manyRounds = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    aSavedRound({ id: `round-${String(at).padStart(4, '0')}`, input: { name: `Round ${at}` } }),
  )
const planned = [{ mod: 'NM', index: 1, placeholder: 'due Sunday' }]

describe('D-26, D-60: the times of a tournament', () => {
  test('updatedAt always moves, whatever the clock does', () => {
    const saved = aTournament({ updatedAt: 5000 })
    expect(updateFacts(saved, { year: 2026 }, 9000).updatedAt).toBe(9000)
    expect(updateFacts(saved, { year: 2026 }, 4000).updatedAt).toBe(5001)
    const round = aSavedRound({ updatedAt: 5000 })
    const edited = replaceRound(withRounds(round), round, input('Other'), 4000)
    expect(edited.rounds[0]?.updatedAt).toBe(5001)
  })

  test('seenAt of a member who drafts some rounds moves with these, and with what everybody sees (D-81)', () => {
    const [own, other] = manyRounds(2) as [SavedRound, SavedRound]
    const member = { ...aMember('pooler', 2), rounds: [own.id], seenAt: 1000 }
    const saved = aTournament({ rounds: [own, other], staff: [aMember('host', 1), member] })
    const seenAt = ({ staff }: SavedTournament) => staff[1]?.seenAt
    expect(seenAt(replaceRound(saved, own, input('Mine'), 2000))).toBe(2000)
    expect(seenAt(replaceRound(saved, other, input('Theirs'), 2000))).toBe(1000)
    expect(seenAt(updateFacts(saved, { year: 2026 }, 2000))).toBe(2000)
  })

  test('publicAt moves only with what strangers see', () => {
    const saved = aTournament()
    expect(updateFacts(saved, { year: 2026 }, 9000).publicAt).toBe(9000)
    expect(updateFacts(saved, {}, 9000).publicAt).toBe(1000)
    const added = addRound(saved, input('Finals'), 'round-0002', 9000)
    expect(added).toMatchObject({ updatedAt: 9000, publicAt: 1000 })
    const [round] = added.rounds
    expect(release(added, round!, false, () => 'pack-00001', 9500).content.publicAt).toBe(9500)
    const hidden = aTournament({ visibility: 'private' })
    expect(updateFacts(hidden, { year: 2026 }, 9000).publicAt).toBe(1000)
    expect(updateFacts(hidden, { visibility: 'public' }, 9000).publicAt).toBe(9000)
    const announcing = aTournament({ announceRounds: true })
    expect(addRound(announcing, input('Finals'), 'round-0002', 9000).publicAt).toBe(9000)
  })
})

describe('rounds', () => {
  test('a new one comes after the others, as the first version of its draft', () => {
    const first = aSavedRound()
    const { rounds } = addRound(withRounds(first), input('Finals'), 'round-0002', 2000)
    expect(rounds).toEqual([
      first,
      {
        ...input('Finals'),
        id: 'round-0002',
        releaseAt: null,
        releaseIncomplete: false,
        withdrawn: null,
        released: null,
        hiddenPack: null,
        version: 1,
        createdAt: 2000,
        updatedAt: 2000,
      },
    ])
  })

  test('at most 16, their names unique in any case', () => {
    const full = withRounds(...manyRounds(16))
    expect(thrown(() => addRound(full, input('One more'), 'round-9999', 2000))).toMatchObject(
      conflict('the tournament already has 16 rounds; delete one first'),
    )
    const saved = withRounds(...manyRounds(2))
    const taken = conflict(
      'name is taken: another round is called Round 1 already; take another name, or rename that round first',
    )
    expect(thrown(() => addRound(saved, input('ROUND 1'), 'round-9999', 2000))).toMatchObject(taken)
    const [first] = saved.rounds
    expect(thrown(() => replaceRound(saved, first!, input('ROUND 1'), 2000))).toMatchObject({
      code: 'conflict',
    })
    expect(replaceRound(saved, first!, input('ROUND 0'), 2000).rounds[0]?.name).toBe('ROUND 0')
  })

  test('rounds that were saved with one name can be changed, released and told apart', () => {
    const [first, second] = manyRounds(2)
    const saved = withRounds(first!, { ...second!, name: 'ROUND 0' })
    expect(replaceRound(saved, first!, input('Round 0'), 2000)).toBe(saved)
    const { rounds } = changeSlots(
      saved,
      first!,
      slotChangesOf({ changes: [{ mod: 'TB', index: 9, from: 'none', to: { beatmapId: 75 } }] }),
      2000,
    )
    expect(rounds[0]?.slots.length).toBe(first!.slots.length + 1)
    expect(removeRound(saved, first!, 2000).content.rounds).toEqual([saved.rounds[1]])
    expect(thrown(() => addRound(saved, input('round 0'), 'round-9999', 2000))).toMatchObject({
      code: 'conflict',
    })
    expect(replaceRound(saved, first!, input('Final'), 2000).rounds[0]?.name).toBe('Final')
  })

  test.each(rulesets)(
    'keys are targets in mania alone, whichever way they come (%s)',
    (ruleset) => {
      const content = (keys?: RoundTargets['keys']) =>
        roundContentOf(aRound({ targets: { ...(keys && { keys }), stars: { min: 5 } } }))
      const keys = { min: 4, max: 7 }
      const plain = aTournament({ ruleset })
      const round = { ...aSavedRound(), ...content() }
      const own = { ...round, ...content(keys) }
      const holding = (each: SavedRound) => aTournament({ ruleset, rounds: [each] })
      const newId = () => 'round-0009'
      const ways = {
        'targets.keys': [
          () => addRound(plain, content(keys), 'round-0002', 2000),
          () => replaceRound(holding(round), round, content(keys), 2000),
          () => replaceRound(holding(own), own, content({ max: 7 }), 2000),
        ],
        'rounds[0].targets.keys': [
          () => replaceRounds(plain, [{ id: null, content: content(keys) }], newId, 2000),
          () => replaceRounds(holding(round), [{ id: null, content: content(keys) }], newId, 2000),
          () =>
            replaceRounds(holding(round), [{ id: round.id, content: content(keys) }], newId, 2000),
        ],
      }
      const message =
        `is for Mania, and the tournament plays ${rulesetNames[ruleset]}: leave it out, ` +
        'or change the ruleset of the tournament first'
      for (const [place, all] of Object.entries(ways)) {
        for (const way of all) {
          if (ruleset === 'mania') expect(way().rounds[0]?.targets?.keys?.max).toBe(7)
          else {
            const refused = { code: 'bad_request', message: `${place} ${message}` }
            expect(thrown(way)).toMatchObject(refused)
          }
        }
      }
      // The ruleset was another one: what is there stays, and may be sent again, or removed.
      const renamed = { ...content(keys), name: 'Finals' }
      expect(replaceRound(holding(own), own, renamed, 2000).rounds[0]).toMatchObject(renamed)
      const sheet = [{ id: null, content: content(keys) }]
      expect(replaceRounds(holding(own), sheet, newId, 2000).rounds[0]?.targets).toEqual(
        own.targets,
      )
      expect(restoreRound(plain, own, 2000).rounds[0]?.targets).toEqual(own.targets)
      expect(
        replaceRound(holding(own), own, content(), 2000).rounds[0]?.targets?.keys,
      ).toBeUndefined()
    },
  )

  test('another draft is another version; the same one is the same round (D-86)', () => {
    const round = aSavedRound({ version: 7 })
    const saved = withRounds(round)
    expect(replaceRound(saved, round, roundContentOf(aRound()), 2000)).toBe(saved)
    for (const changes of [
      { name: 'Finals' },
      { bestOf: 9 },
      { bans: 0 },
      { packName: 'Pack' },
      { targets: { bpm: { min: 1 } } },
      { slots: [] },
      { buckets: [{ code: 'RC', color: 1 }] },
    ]) {
      const content = roundContentOf(aRound(changes))
      const next = replaceRound(saved, round, content, 2000).rounds[0]
      expect(next).toEqual({ ...round, ...content, version: 8, updatedAt: 2000 })
    }
  })

  test('removing one removes its pack, if that is there', () => {
    const [first, second] = manyRounds(2) as [SavedRound, SavedRound]
    const released = { ...first, released: aRelease() }
    const removed = removeRound(withRounds(released, second), released, 2000)
    expect(removed.content.rounds).toEqual([second])
    expect(removed.packs).toEqual([{ kind: 'remove', slug: 'pack-00001' }])
    expect(removeRound(withRounds(first, second), second, 2000).packs).toEqual([])
    const gone = { ...first, released: aRelease({ pack: null }) }
    expect(removals([gone, released, second])).toEqual([{ kind: 'remove', slug: 'pack-00001' }])
  })
})

describe('a whole sheet', () => {
  const ids = () => {
    let made = 0
    return () => `new-round-${(made += 1)}`
  }
  const replaced = (saved: SavedTournament, ...rounds: Parameters<typeof sheetOf>[0]['rounds']) =>
    replaceRounds(saved, sheetOf({ rounds }), ids(), 2000)

  test('replaces by id, then by name, adds what is new, removes the rest, in its order', () => {
    const [a, b, c] = manyRounds(3) as [SavedRound, SavedRound, SavedRound]
    const { rounds } = replaced(
      withRounds(a, b, c),
      aRound({ name: 'Brand new' }),
      { id: b.id, ...aRound({ name: 'Renamed' }) },
      aRound({ name: 'ROUND 0', slots: [] }),
    )
    expect(rounds).toMatchObject([
      { id: 'new-round-1', name: 'Brand new', version: 1, createdAt: 2000 },
      { id: b.id, name: 'Renamed', version: 2, createdAt: 1000 },
      { id: a.id, name: 'ROUND 0', version: 2, slots: [], updatedAt: 2000 },
    ])
    expect(rounds).toHaveLength(3)
  })

  test('a name goes to a new round when an id has claimed the one of that name', () => {
    const [a] = manyRounds(1) as [SavedRound]
    const { rounds } = replaced(withRounds(a), aRound({ name: 'Round 0' }), {
      id: a.id,
      ...aRound({ name: 'Renamed' }),
    })
    expect(rounds).toMatchObject([
      { id: 'new-round-1', name: 'Round 0' },
      { id: a.id, name: 'Renamed' },
    ])
  })

  test('rounds that are as in the sheet stay as they are', () => {
    const [a, b] = manyRounds(2) as [SavedRound, SavedRound]
    const { rounds } = replaced(
      withRounds(a, b),
      aRound({ name: 'Round 1' }),
      aRound({ name: 'Round 0' }),
    )
    expect(rounds).toEqual([b, a])
  })

  test('an id that no round has is refused by its place', () => {
    const other = { id: 'aaaaaaaaaa', ...aRound() }
    expect(thrown(() => replaced(withRounds(), aRound({ name: 'One' }), other))).toMatchObject({
      code: 'bad_request',
      message: 'rounds[1].id must be that of a round of the tournament; leave it out for a new one',
    })
  })

  test('a scheduled or released round must be in it', () => {
    const [a, b] = manyRounds(2) as [SavedRound, SavedRound]
    const released = { ...a, released: aRelease() }
    expect(thrown(() => replaced(withRounds(released, b), aRound()))).toMatchObject(
      conflict('Round 0 is released: keep it in the list, or delete it by itself'),
    )
    const scheduled = { ...a, releaseAt: 9000 }
    expect(thrown(() => replaced(withRounds(scheduled, b)))).toMatchObject(
      conflict('Round 0 is scheduled: keep it in the list, or delete it by itself'),
    )
    const kept = replaced(withRounds(released, b), aRound({ name: 'Round 0' })).rounds
    expect(kept).toEqual([released])
  })

  test('an empty one removes all drafts; 17 rounds are too many for the contract already', () => {
    expect(replaced(withRounds(...manyRounds(3))).rounds).toEqual([])
  })
})

describe('D-62: slots are compared, then changed', () => {
  const saved = (...slots: SavedRound['slots'][number][]) => {
    const round = aSavedRound({ input: { slots } })
    return { round, tournament: withRounds(round) }
  }
  const changed = (
    { round, tournament }: ReturnType<typeof saved>,
    ...changes: SlotChanges['changes']
  ) => changeSlots(tournament, round, slotChangesOf({ changes }), 2000).rounds[0]
  const nm1 = { mod: 'NM', index: 1, beatmapId: 5 }
  const nm2 = { mod: 'NM', index: 2, placeholder: 'due Sunday' }
  const hd1 = { mod: 'HD', index: 1 }

  test('a beatmap, a placeholder and nothing can each become each', () => {
    const to = [null, { beatmapId: 7 }, { placeholder: 'a map' }]
    for (const [slot, from] of [
      [nm1, { beatmapId: 5 }],
      [nm2, { placeholder: 'due Sunday' }],
      [hd1, null],
    ] as const) {
      for (const filling of to) {
        const { mod, index } = slot
        const round = changed(saved(nm1, nm2, hd1), { mod, index, from, to: filling })
        expect(round?.slots).toEqual(
          [nm1, nm2, hd1].map((each) => (each === slot ? { mod, index, ...filling } : each)),
        )
        const isSame = JSON.stringify(from) === JSON.stringify(filling)
        expect(round?.updatedAt).toBe(isSame ? 1000 : 2000)
      }
    }
  })

  test('a slot that is not there is added at the end, with its bucket', () => {
    const round = changed(
      saved(nm1),
      { mod: 'RC', index: 1, from: 'none', to: { beatmapId: 7 } },
      { mod: null, index: 4, from: 'none', to: null },
    )
    expect(round?.slots).toEqual([
      nm1,
      { mod: 'RC', index: 1, beatmapId: 7 },
      { mod: null, index: 4 },
    ])
    expect(round?.buckets?.map(({ code }) => code)).toEqual([
      'NM',
      'HD',
      'HR',
      'DT',
      'FM',
      'RC',
      'TB',
    ])
    expect(round?.version).toBe(2)
  })

  test('a bucket A1 has a slot 1, and a bucket A a slot 11: these are two slots', () => {
    const [a11, a1] = [
      { mod: 'A', index: 11, beatmapId: 5 },
      { mod: 'A1', index: 1, beatmapId: 6 },
    ]
    const to = { beatmapId: 7 }
    const round = changed(saved(a11, a1), { mod: 'A1', index: 1, from: { beatmapId: 6 }, to })
    expect(round?.slots).toEqual([a11, { ...a1, ...to }])
  })

  test('one that differs refuses all, and every one that differs is shown as it is', () => {
    const state = saved(nm1, nm2, hd1)
    const error = thrown(() =>
      changed(
        state,
        { mod: 'NM', index: 1, from: { beatmapId: 6 }, to: { beatmapId: 7 } },
        { mod: 'NM', index: 2, from: { placeholder: 'due Sunday' }, to: null },
        { mod: 'HD', index: 1, from: { beatmapId: 6 }, to: null },
        { mod: 'HR', index: 1, from: 'none', to: null },
      ),
    )
    expect(error).toMatchObject({
      ...conflict(
        'NM1 and HD1 changed meanwhile, so nothing was changed; slots shows what is there now',
      ),
      reason: 'slot_changed',
      details: { slots: [nm1, hd1] },
    })
    expect(state.round.slots).toEqual([nm1, nm2, hd1])
  })

  test('which of them are not there, and which hold something else, is said of each', () => {
    const error = thrown(() =>
      changed(
        saved(nm1, nm2, hd1),
        { mod: 'NM', index: 1, from: { beatmapId: 9 }, to: null },
        { mod: 'HR', index: 1, from: null, to: 'none' },
        { mod: 'HD', index: 1, from: 'none', to: null },
        { mod: 'HR', index: 2, from: { beatmapId: 9 }, to: null },
      ),
    )
    expect(error).toMatchObject({
      ...conflict(
        'there is no HR1 and HR2 in the round, and NM1 and HD1 changed meanwhile, so nothing was changed; ' +
          'send from as "none" to add HR1 and HR2; slots shows what is there now',
      ),
      reason: 'no_such_slot',
      details: { slots: [nm1, hd1] },
    })
  })

  test.each([
    [nm1, null],
    [nm1, { placeholder: '5' }],
    [nm2, { beatmapId: 5 }],
    [nm2, { placeholder: 'due sunday' }],
    [nm2, null],
    [hd1, { beatmapId: 5 }],
  ])('%j is not %j', (slot, from) => {
    const { mod, index } = slot
    expect(
      thrown(() => changed(saved(nm1, nm2, hd1), { mod, index, from, to: null })),
    ).toMatchObject({ code: 'conflict', reason: 'slot_changed', details: { slots: [slot] } })
  })

  test('what the round cannot take is a conflict without slots', () => {
    const many = Array.from({ length: 64 }, (_, at) => ({ mod: null, index: at + 1 }))
    const add = (mod: string) => ({ mod, index: 1, from: 'none', to: null }) as const
    const why = (message: string) => ({ ...conflict(message), details: {} })
    expect(thrown(() => changed(saved(...many), add('NM')))).toMatchObject(
      why('slots of the round must hold at most 64 slots'),
    )
    const custom = Array.from({ length: 8 }, (_, at) => ({ mod: `X${at}`, index: 1 }))
    expect(thrown(() => changed(saved(...custom), add('Y')))).toMatchObject(
      why(
        'slots[8].mod of the round must be the code of a bucket there is: Y would be one custom bucket more than the 8 allowed',
      ),
    )
    expect(thrown(() => changed(saved(...custom), add('x0')))).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('must be spelled X0'),
    })
  })
})

describe('D-63: releases', () => {
  const round = aSavedRound({ input: { bestOf: 9, bans: 2 } })

  test('the first one makes a public pack of the system account', () => {
    const saved = withRounds(round)
    const { content, packs } = release(saved, round, false, () => 'new-pack-1', 2000)
    const [made] = packs
    expect(made).toMatchObject({
      kind: 'create',
      pack: {
        slug: 'new-pack-1',
        ownerId: 'tournament-pools',
        name: 'Harbour Lights Cup Quarterfinals',
        visibility: 'public',
        slots: round.slots,
        version: 1,
        createdAt: 2000,
        updatedAt: 2000,
      },
    })
    expect(content.rounds[0]).toEqual({
      ...round,
      updatedAt: 2000,
      released: {
        name: 'Quarterfinals',
        bestOf: 9,
        bans: 2,
        packSlug: 'new-pack-1',
        scheduledFor: null,
        at: 2000,
        slots: null,
        pack: { ...(made as { pack: object }).pack, ownerUsername: null },
      },
    })
  })

  test('a later one replaces the pack as any save does; what it hid stays hidden', () => {
    const released = {
      ...round,
      releaseAt: 3000,
      released: aRelease({ pack: aRoundPack({ hiddenAt: 1700, updatedAt: 9000 }) }),
    }
    const { content, packs } = release(
      withRounds(released),
      released,
      false,
      () => 'unused-001',
      2000,
    )
    expect(packs).toMatchObject([
      {
        kind: 'replace',
        slug: 'pack-00001',
        state: {
          name: 'Harbour Lights Cup Quarterfinals',
          version: 2,
          hiddenAt: 1700,
          updatedAt: 9001,
        },
      },
    ])
    expect(content.rounds[0]).toMatchObject({
      releaseAt: null,
      released: { packSlug: 'pack-00001', at: 2000, bestOf: 9, name: 'Quarterfinals' },
    })
  })

  test('a pack that was removed otherwise, or withdrawn, is not made again: another one is', () => {
    const gone = { ...round, released: aRelease({ pack: null }) }
    const [made] = release(withRounds(gone), gone, false, () => 'new-pack-1', 2000).packs
    expect(made).toMatchObject({ kind: 'create', pack: { slug: 'new-pack-1', version: 1 } })
  })

  test('an empty slot or a placeholder refuses it, scheduled or at once', () => {
    const draft = aSavedRound({ input: { slots: planned } })
    const why = conflict('the round cannot be released: NM1 has no beatmap')
    const saved = withRounds(draft)
    expect(thrown(() => release(saved, draft, false, () => 'new-pack-1', 2000))).toMatchObject(why)
    expect(thrown(() => schedule(saved, draft, 9000, false, 2000))).toMatchObject(why)
  })

  test('a due round is released, another one is not', () => {
    const due = { ...round, releaseAt: 5000 }
    const saved = withRounds(due)
    expect(
      releaseIfDue(saved, due.id, () => 'new-pack-1', 4999),
      'never early',
    ).toBeNull()
    const { content, packs } = releaseIfDue(saved, due.id, () => 'new-pack-1', 5000)!
    expect(packs).toHaveLength(1)
    expect(content.rounds[0]).toMatchObject({ releaseAt: null, released: { at: 5000 } })
    const again = { ...saved, ...content }
    expect(
      releaseIfDue(again, due.id, () => 'new-pack-2', 6000),
      'once',
    ).toBeNull()
    expect(
      releaseIfDue(withRounds(), due.id, () => 'new-pack-2', 6000),
      'deleted',
    ).toBeNull()
    expect(releaseIfDue(withRounds(round), round.id, () => 'new-pack-2', 6000)).toBeNull()
  })

  test('a due round that rules forbid by now is withdrawn, so that it is not tried for ever', () => {
    const due = { ...round, releaseAt: 5000, packName: slur }
    const { content, packs } = releaseIfDue(withRounds(due), due.id, () => 'new-pack-1', 5000)!
    expect(packs).toEqual([])
    expect(content.rounds[0]).toMatchObject({ releaseAt: null, released: null })
  })

  test('null withdraws the schedule, then the pack, then nothing', () => {
    const state = { ...round, releaseAt: 9000, released: aRelease() }
    const first = withdraw(withRounds(state), state, 2000)
    expect(first.packs).toEqual([])
    const unscheduled = first.content.rounds[0]!
    expect(unscheduled).toMatchObject({ releaseAt: null, released: aRelease() })
    const second = withdraw(withRounds(unscheduled), unscheduled, 2000)
    expect(second.packs).toEqual([{ kind: 'remove', slug: 'pack-00001' }])
    expect(second.content.rounds[0]).toMatchObject({ releaseAt: null, released: null })
    const saved = withRounds(round)
    expect(withdraw(saved, round, 2000)).toEqual({ content: saved, packs: [] })
  })

  test('D-76: hidden, it is neither released nor scheduled; what is due waits, what is out can be withdrawn', () => {
    const due = { ...round, releaseAt: 5000, released: aRelease() }
    const saved = { ...withRounds(due), hiddenAt: 1000 }
    const why = conflict(expect.stringContaining('ask a moderator to show it again'))
    expect(thrown(() => release(saved, due, false, () => 'new-pack-1', 2000))).toMatchObject(why)
    expect(thrown(() => schedule(saved, due, 9000, false, 2000))).toMatchObject(why)
    expect(releaseIfDue(saved, due.id, () => 'new-pack-1', 6000)).toBeNull()
    const forbidden = { ...due, packName: slur }
    const hidden = { ...withRounds(forbidden), hiddenAt: 1000 }
    expect(
      releaseIfDue(hidden, due.id, () => 'new-pack-1', 6000),
      'nor withdrawn',
    ).toBeNull()
    expect(withdraw(saved, due, 6000).content.rounds[0]).toMatchObject({ releaseAt: null })
    expect(releaseIfDue(withRounds(due), due.id, () => 'new-pack-1', 6000)?.packs).toHaveLength(1)
  })

  test('D-76: a round whose last pack was hidden makes a hidden one', () => {
    const hidden = { ...round, hiddenPack: { at: 1700, reason: 'spam' } }
    const [made] = release(withRounds(hidden), hidden, false, () => 'new-pack-1', 2000).packs
    expect(made).toMatchObject({
      kind: 'create',
      pack: { hiddenAt: 1700, hiddenReason: 'spam', versionHidden: true, createdAt: 2000 },
    })
  })

  test('a pack that is gone needs no removal', () => {
    const gone = { ...round, released: aRelease({ pack: null }) }
    const { content, packs } = withdraw(withRounds(gone), gone, 2000)
    expect(packs).toEqual([])
    expect(content.rounds[0]?.released).toBeNull()
  })
})

describe('a scheduled round stays ready', () => {
  const scheduled = aSavedRound({ releaseAt: 9000 })
  const saved = withRounds(scheduled)
  const refused = conflict(
    'Quarterfinals is scheduled, and could not be released: NM1 has no beatmap; withdraw the schedule first',
  )

  test('an edit that takes a beatmap away is refused, whichever way it comes', () => {
    const content = roundContentOf(aRound({ slots: planned }))
    expect(thrown(() => replaceRound(saved, scheduled, content, 2000))).toMatchObject(refused)
    const sheet = [{ id: scheduled.id, content }]
    expect(thrown(() => replaceRounds(saved, sheet, () => 'x', 2000))).toMatchObject(refused)
    const change = { mod: 'NM', index: 1, from: { beatmapId: 11 }, to: {} }
    expect(thrown(() => changeSlots(saved, scheduled, [change], 2000))).toMatchObject(refused)
    const none = roundContentOf(aRound({ slots: [] }))
    expect(thrown(() => replaceRound(saved, scheduled, none, 2000))).toMatchObject({
      code: 'conflict',
    })
  })

  test('another beatmap is fine, and so is the placeholder after the schedule is withdrawn', () => {
    const change = { mod: 'NM', index: 1, from: { beatmapId: 11 }, to: { beatmapId: 13 } }
    expect(changeSlots(saved, scheduled, [change], 2000).rounds[0]?.releaseAt).toBe(9000)
    const [draft] = withdraw(saved, scheduled, 2000).content.rounds
    const content = roundContentOf(aRound({ slots: planned }))
    expect(replaceRound(withRounds(draft!), draft!, content, 2000).rounds[0]).toMatchObject(content)
  })

  test('D-24: a name of the tournament with which the pack would not be valid is refused', () => {
    const half = Math.ceil(slur.length / 2)
    const round = aSavedRound({ releaseAt: 9000, input: { name: slur.slice(half) } })
    const patch = { shortName: slur.slice(0, half) }
    const named = { ...round, name: slur.slice(half) }
    const error = thrown(() => updateFacts(withRounds(named), patch, 2000))
    expect(error).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('of its pack, name must not contain a slur'),
    })
    expect(updateFacts(withRounds({ ...named, releaseAt: null }), patch, 2000)).toMatchObject(patch)
  })

  test('rounds that rules forbid by now keep nothing else from changing', () => {
    const bad = aSavedRound({ id: 'round-0002', name: 'Finals', releaseAt: 9000, packName: slur })
    const worse = { ...bad, id: 'round-0003', name: 'Grand finals' }
    const state = withRounds(scheduled, bad, worse)
    expect(withdraw(state, bad, 2000).content.rounds[1]?.releaseAt).toBeNull()
    expect(updateFacts(state, { year: 2026 }, 2000).year).toBe(2026)
    expect(addRound(state, input('New'), 'round-0004', 2000).rounds).toHaveLength(4)
  })
})

describe('staff', () => {
  const staff = [aMember('host', 1), aMember('pooler', 2), aMember('tester', 3)]
  const saved = aTournament({ staff })
  const somebody = anyAccount(9)

  test('a new member comes last among those of the role', () => {
    const next = setRole(saved, somebody, 'pooler', null, 2000).staff
    expect(next.map(({ gameId }) => gameId)).toEqual([1, 2, 9, 3])
    expect(next[2]).toEqual({
      ...somebody,
      role: 'pooler',
      rounds: null,
      since: 2000,
      seenAt: null,
    })
  })

  test('a member keeps the time of joining with another role, and nothing changes with the same', () => {
    const next = setRole(saved, aMember('tester', 3), 'pooler', null, 2000)
    expect(next.staff.map(({ gameId, role, since }) => [gameId, role, since])).toEqual([
      [1, 'host', 1000],
      [2, 'pooler', 1000],
      [3, 'pooler', 1000],
    ])
    expect(setRole(saved, aMember('tester', 3), 'tester', null, 2000)).toBe(saved)
    const late = { ...aMember('pooler', 2), since: 1500 }
    const mixed = aTournament({ staff: [aMember('host', 1), late, aMember('tester', 3)] })
    expect(
      setRole(mixed, aMember('tester', 3), 'pooler', null, 2000).staff.map(({ gameId }) => gameId),
      'who joined earlier comes before',
    ).toEqual([1, 3, 2])
  })

  test('at most 100, who may still change roles', () => {
    const full = aTournament({
      staff: Array.from({ length: 100 }, (_, at) => aMember(at ? 'tester' : 'host', at, `a${at}`)),
    })
    expect(thrown(() => setRole(full, somebody, 'tester', null, 2000))).toMatchObject(
      conflict('the staff already has 100 members; remove someone first'),
    )
    expect(setRole(full, aMember('tester', 5, 'a5'), 'referee', null, 2000).staff).toHaveLength(100)
  })

  test('the last host neither leaves nor takes another role', () => {
    const [host] = staff
    const last = conflict('a tournament needs a host; make someone else a host first, or delete it')
    expect(thrown(() => removeMember(saved, host!, 2000))).toMatchObject(last)
    expect(thrown(() => setRole(saved, host!, 'pooler', null, 2000))).toMatchObject(last)
    const two = setRole(saved, somebody, 'host', null, 2000)
    expect(removeMember(two, host!, 3000).staff.map(({ gameId }) => gameId)).toEqual([9, 2, 3])
    expect(setRole(two, host!, 'referee', null, 3000).staff.map(({ gameId }) => gameId)).toEqual([
      9, 2, 3, 1,
    ])
  })

  test('who is on the staff is nothing that strangers see', () => {
    expect(setRole(saved, somebody, 'host', null, 2000).publicAt).toBe(1000)
    expect(removeMember(saved, staff[1]!, 2000)).toMatchObject({ updatedAt: 2000, publicAt: 1000 })
  })
})

describe('D-60: moderators hide a tournament', () => {
  test('a public one; again keeps the time, and the reason unless one is given', () => {
    const hidden = hide(aTournament(), 'spam', 2000)
    expect(hidden).toMatchObject({ hiddenAt: 2000, hiddenReason: 'spam', publicAt: 2000 })
    expect(hide(hidden, null, 3000)).toMatchObject({ hiddenAt: 2000, hiddenReason: 'spam' })
    expect(hide(hidden, 'worse', 3000)).toMatchObject({ hiddenAt: 2000, hiddenReason: 'worse' })
    const shown = unhide(hidden, 4000)
    expect(shown).toMatchObject({ hiddenAt: null, hiddenReason: null, publicAt: 4000 })
    expect(unhide(shown, 5000)).toBe(shown)
  })

  test('a private one is not there for them', () => {
    const saved = aTournament({ visibility: 'private' })
    for (const does of [() => hide(saved, null, 2000), () => unhide(saved, 2000)]) {
      expect(thrown(does)).toMatchObject({ code: 'not_found' })
    }
  })
})
