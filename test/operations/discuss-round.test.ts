import * as fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { CandidateInput, RemarkInput } from '../../src/contract/discussion.ts'
import { type StaffRole, staffRoles } from '../../src/contract/tournaments.ts'
import { presentCandidate, presentRemark } from '../../src/domain/discussion.ts'
import { slurs } from '../../src/domain/slurs/slurs.ts'
import * as discussion from '../../src/operations/discussion.ts'
import { createRound, replaceRound } from '../../src/operations/rounds.ts'
import { removeMember, setRole } from '../../src/operations/staff.ts'
import { createTournament } from '../../src/operations/tournaments.ts'
import { aRound } from '../domain/a-tournament.ts'
import { openHouse } from '../support/house.ts'

const slur = slurs[0]!.stem.replaceAll('*', '')
const notFound = { code: 'not_found', message: expect.stringContaining('no such tournament') }
const forbidden = { code: 'forbidden' }

const expectRefused = async (reason: object, asked: readonly Promise<unknown>[]) => {
  const answers = await Promise.allSettled(asked)
  expect(answers).toMatchObject(asked.map(() => ({ status: 'rejected', reason })))
}

/** A private tournament with a round, somebody of each role, and a stranger. */
const scene = async () => {
  const house = await openHouse()
  onTestFinished(house.close)
  const { ports } = house
  const people = new Map<string, { accountId: string; gameId: number }>()
  for (const [at, name] of [...staffRoles, 'stranger'].entries()) {
    await ports.accounts.ensurePlayer({ gameId: at + 1, username: name }, `account-${name}`, 0)
    people.set(name, { accountId: `account-${name}`, gameId: at + 1 })
  }
  const idOf = (name: StaffRole | 'stranger') => people.get(name)!.accountId
  const { slug } = await createTournament(ports, idOf('host'), { name: 'Cup' })
  for (const role of staffRoles) {
    if (role !== 'host') {
      await setRole(ports, idOf('host'), slug, people.get(role)!.gameId, { role })
    }
  }
  const { round } = await createRound(ports, idOf('host'), slug, aRound())
  const place = { slug, roundId: round.id }
  const as = (name: StaffRole | 'stranger') => {
    const id = idOf(name)
    return {
      read: () => discussion.readDiscussion(ports, id, place),
      propose: (input: Partial<CandidateInput> = {}) =>
        discussion.propose(ports, id, place, { mod: 'NM', index: 1, beatmapId: 75, ...input }),
      vote: (candidate: string, vote: -1 | 0 | 1) =>
        discussion.vote(ports, id, place, candidate, vote),
      removeCandidate: (candidate: string) =>
        discussion.removeCandidate(ports, id, place, candidate),
      remark: (input: Partial<RemarkInput> = {}) =>
        discussion.addRemark(ports, id, place, { text: 'Too long', ...input }),
      change: (remark: string, patch: { text?: string; settled?: boolean }) =>
        discussion.changeRemark(ports, id, place, remark, patch),
      removeRemark: (remark: string) => discussion.removeRemark(ports, id, place, remark),
    }
  }
  return { ...house, slug, place, round, people, idOf, as }
}

describe('what is said of a round', () => {
  test('candidates with votes, remarks that are settled', async () => {
    const { as, clock } = await scene()
    const at = new Date(clock.now()).toISOString()
    const { id } = await as('tester').propose({ note: '  Easier than NM1\nby far ' })
    await as('pooler').vote(id, 1)
    await as('host').vote(id, -1)
    await as('host').vote(id, 1)
    const remark = await as('tester').remark({ mod: 'TB', index: 1, text: ' Too long ' })
    clock.advance(1000)
    await as('pooler').change(remark.id, { settled: true })
    const { candidates, remarks } = await as('referee').read()
    const tester = { gameId: 3, username: 'tester' }
    expect(candidates.map(presentCandidate)).toEqual([
      {
        id,
        mod: 'NM',
        index: 1,
        beatmapId: 75,
        note: 'Easier than NM1\nby far',
        proposedBy: tester,
        score: 2,
        votes: [
          { gameId: 1, username: 'host', vote: 1 },
          { gameId: 2, username: 'pooler', vote: 1 },
        ],
        createdAt: at,
      },
    ])
    expect(remarks.map(presentRemark)).toEqual([
      {
        id: remark.id,
        mod: 'TB',
        index: 1,
        text: 'Too long',
        writtenBy: tester,
        settled: true,
        settledBy: { gameId: 2, username: 'pooler' },
        createdAt: at,
        updatedAt: new Date(clock.now()).toISOString(),
      },
    ])
  })

  test('D-60: strangers learn nothing, and write nothing', async () => {
    const { as } = await scene()
    const { id } = await as('host').propose()
    const remark = await as('host').remark()
    const stranger = as('stranger')
    await expectRefused(notFound, [
      stranger.read(),
      stranger.propose(),
      stranger.vote(id, 1),
      stranger.removeCandidate(id),
      stranger.remark(),
      stranger.change(remark.id, { settled: true }),
      stranger.removeRemark(remark.id),
    ])
  })

  test('D-61: who was removed from the staff a moment ago writes nothing', async () => {
    const { ports, as, slug, idOf } = await scene()
    const { id } = await as('tester').propose()
    const remark = await as('tester').remark()
    await removeMember(ports, idOf('host'), slug, 3)
    await expectRefused(notFound, [
      as('tester').propose({ beatmapId: 76 }),
      as('tester').vote(id, 1),
      as('tester').removeCandidate(id),
      as('tester').remark(),
      as('tester').change(remark.id, { text: 'x' }),
      as('tester').removeRemark(remark.id),
    ])
  })

  test('D-61: referees see what is said, and say nothing', async () => {
    const { as } = await scene()
    const { id } = await as('host').propose()
    const remark = await as('host').remark()
    const referee = as('referee')
    expect((await referee.read()).candidates).toHaveLength(1)
    await expectRefused(forbidden, [
      referee.propose(),
      referee.vote(id, 1),
      referee.removeCandidate(id),
      referee.remark(),
      referee.change(remark.id, { settled: true }),
      referee.removeRemark(remark.id),
    ])
  })

  test('D-61: one’s own may be withdrawn, reworded and settled; poolers settle, hosts remove', async () => {
    const { as } = await scene()
    const theirs = await as('pooler').propose()
    await expect(as('tester').removeCandidate(theirs.id)).rejects.toMatchObject(forbidden)
    const mine = await as('tester').propose({ beatmapId: 76 })
    await as('tester').removeCandidate(mine.id)
    const other = await as('tester').propose({ beatmapId: 77 })
    await as('pooler').removeCandidate(other.id)

    const remark = await as('tester').remark()
    await as('tester').change(remark.id, { text: 'Much too long', settled: true })
    const again = { text: 'Much too long', settled: false }
    expect(await as('pooler').change(remark.id, again)).toMatchObject({
      isSettled: false,
      settledBy: null,
    })
    for (const role of ['host', 'pooler'] as const) {
      await expect(as(role).change(remark.id, { text: 'Fine' })).rejects.toMatchObject(forbidden)
    }
    await expect(as('pooler').removeRemark(remark.id)).rejects.toMatchObject(forbidden)
    await as('host').removeRemark(remark.id)
    const own = await as('tester').remark()
    await as('tester').removeRemark(own.id)
    const foreign = await as('pooler').remark()
    const patches = [{ settled: true }, { settled: false }, { text: 'Too long' }]
    for (const patch of patches) {
      await expect(as('tester').change(foreign.id, patch)).rejects.toMatchObject(forbidden)
    }
  })

  test('what is not there is the same 404 for everybody', async () => {
    const { as, ports, idOf, place } = await scene()
    await expectRefused(notFound, [
      as('host').vote('nobodyhas1', 1),
      as('host').removeCandidate('nobodyhas1'),
      as('host').change('nobodyhas1', { settled: true }),
      as('host').removeRemark('nobodyhas1'),
      discussion.readDiscussion(ports, idOf('host'), { ...place, roundId: 'nobodyhas1' }),
      discussion.addRemark(ports, idOf('host'), { ...place, slug: 'nobodyhas1' }, { text: 'x' }),
    ])
  })

  test('a vote is one of each member, however often it is set', async () => {
    const { as } = await scene()
    const { id } = await as('host').propose()
    await as('host').vote(id, 1)
    expect((await as('host').vote(id, 1)).votes).toHaveLength(1)
    expect((await as('host').vote(id, -1)).votes).toMatchObject([{ vote: -1 }])
    expect((await as('host').vote(id, 0)).votes).toEqual([])
  })

  test('a slot has at most 8 candidates, each beatmap once', async () => {
    const { as } = await scene()
    for (let beatmapId = 1; beatmapId <= 8; beatmapId += 1)
      await as('tester').propose({ beatmapId })
    await expect(as('host').propose({ beatmapId: 8 })).rejects.toMatchObject({
      code: 'conflict',
      message: 'beatmap 8 is a candidate for NM1 already; vote for it',
    })
    await expect(as('host').propose({ beatmapId: 9 })).rejects.toMatchObject({
      code: 'conflict',
      message: 'NM1 already has 8 candidates; remove one first',
    })
    await as('host').propose({ mod: 'TB', beatmapId: 8 })
  })

  test('a refusal of several names the one that it is about, and none is made', async () => {
    const { ports, place, as, idOf } = await scene()
    await as('pooler').propose()
    const good = { mod: 'NM', index: 1, beatmapId: 76 }
    for (const [bad, reason] of [
      [
        { mod: 'NM', index: 98 },
        { code: 'bad_request', message: /^candidates\[1\]\.mod and index must be/ },
      ],
      [
        { beatmapId: 75 },
        { code: 'conflict', message: /^candidates\[1\]: beatmap 75 is a candidate/ },
      ],
    ] as const) {
      const asked = discussion.proposeAll(ports, idOf('pooler'), place, [good, { ...good, ...bad }])
      const { code, message } = reason
      await expect(asked).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
    }
    expect((await as('pooler').read()).candidates).toHaveLength(1)
  })

  test('several are refused where one of them would be after those before it, and else all are made', async () => {
    const { ports, place, as, idOf } = await scene()
    const anyMods = fc.array(fc.constantFrom('NM', 'NM', 'NM', 'TB'), {
      minLength: 1,
      maxLength: 14,
    })
    const property = fc.asyncProperty(anyMods, fc.nat(8), async (mods, before) => {
      for (const { id } of (await as('host').read()).candidates) {
        await as('host').removeCandidate(id)
      }
      for (const at of Array.from({ length: before }).keys()) {
        await as('pooler').propose({ beatmapId: at + 1 })
      }
      const inputs = mods.map((mod, at) => ({ mod, index: 1, beatmapId: at + 20 }))
      const counts = new Map([['NM', before]])
      const full = mods.findIndex((mod) => {
        counts.set(mod, (counts.get(mod) ?? 0) + 1)
        return counts.get(mod)! > 8
      })
      const asked = discussion.proposeAll(ports, idOf('pooler'), place, inputs)
      if (full < 0) await asked
      else await expect(asked).rejects.toThrow(`candidates[${full}]: ${mods[full]}1 already has 8`)
      const { candidates } = await as('host').read()
      expect(candidates.slice(before)).toMatchObject(full < 0 ? inputs : [])
    })
    await fc.assert(property, { numRuns: 15 })
  })

  test('candidates and remarks stay when their slot is gone, and nothing new comes', async () => {
    const { as, ports, idOf, place } = await scene()
    const { id } = await as('tester').propose()
    await as('tester').remark({ mod: 'NM', index: 1 })
    const without = aRound({ slots: [{ mod: 'TB', index: 1, beatmapId: 12 }] })
    await replaceRound(ports, idOf('host'), place.slug, place.roundId, without, () => {})
    expect(await as('host').read()).toMatchObject({ candidates: [{ id }], remarks: [{ slot: {} }] })
    const message = 'mod and index must be those of a slot of the round: Quarterfinals has no NM1'
    const invalid = { code: 'bad_request', message }
    await expect(as('host').propose({ beatmapId: 76 })).rejects.toMatchObject(invalid)
    await expect(as('host').remark({ mod: 'NM', index: 1 })).rejects.toMatchObject(invalid)
  })

  test.each([
    ['a slur', `so ${slur}`, 'text must not contain a slur'],
    ['an override', 'a\u202eb', 'text must not contain U+202E'],
    ['nothing', ' \n ', 'text must not be empty'],
    ['nothing that is seen', '\u200b', 'text must have at least one visible character'],
    ['half a pair', 'a\ud800', 'text must be valid Unicode'],
    ['too much', 'x'.repeat(501), 'text must be at most 500 characters long'],
  ])('D-24, D-47: %s is refused', async (_, text, message) => {
    const { as } = await scene()
    const refusal = { code: 'bad_request', message: expect.stringContaining(message) }
    await expect(as('host').remark({ text })).rejects.toMatchObject(refusal)
    const { id } = await as('host').remark()
    await expect(as('host').change(id, { text })).rejects.toMatchObject(refusal)
    const note = { ...refusal, message: expect.stringContaining(message.replace('text', 'note')) }
    await expect(as('host').propose({ note: text })).rejects.toMatchObject(note)
  })

  test('half a place is refused; a change of nothing changes nothing (D-86)', async () => {
    const { as } = await scene()
    const refused = (message: string) => ({
      code: 'bad_request',
      message: expect.stringContaining(message),
    })
    await expect(as('host').remark({ mod: 'NM' })).rejects.toMatchObject(
      refused('index is missing'),
    )
    await expect(as('host').remark({ index: 1 })).rejects.toMatchObject(refused('mod is missing'))
    const remark = await as('host').remark()
    expect(await as('host').change(remark.id, {})).toEqual(remark)
  })
})
