import { describe, expect, onTestFinished, test } from 'vitest'
import type { RoundSlot } from '../../src/contract/rounds.ts'
import { timestamp } from '../../src/domain/quotas.ts'
import { presentRound } from '../../src/domain/tournament-views.ts'
import { releaseDue, releaseRound } from '../../src/operations/releases.ts'
import { changeSlots, deleteRound, getRound, replaceRound } from '../../src/operations/rounds.ts'
import { updateTournament } from '../../src/operations/tournaments.ts'
import { aRound } from '../domain/a-tournament.ts'
import { aRound as aSavedRound } from '../ports/sample-tournament.ts'
import { openScene, type Scene } from './tournament-scene.ts'

const fine = (): void => {}
const SYSTEM = 'tournament-pools'

/** A public tournament with one round, and what is done with it. */
const openRound = async (round: 'draft' | 'scheduled' | 'released' = 'draft') => {
  const scene = await openScene()
  const { ports, clock, make } = scene
  const where = await make({ state: 'public', round })
  const { slug, roundId } = where
  const release = (at: 'now' | null | number) =>
    releaseRound(ports, 'host', slug, roundId, {
      at: typeof at === 'number' ? timestamp(at) : at,
    })
  const edit = (slots: RoundSlot[], name = 'Quarterfinals') =>
    replaceRound(ports, 'pooler', slug, roundId, aRound({ name, slots }), fine)
  const read = async () => (await getRound(ports, 'host', slug, roundId)).round
  /** As strangers see it; null when they do not. */
  const outside = async () => {
    try {
      const found = await getRound(ports, 'stranger', slug, roundId)
      return presentRound(found.tournament, found.round, 'stranger')
    } catch {
      return null
    }
  }
  const packs = () => packsOf(scene)
  const after = (ms: number) => clock.now() + ms
  return { ...scene, where, release, edit, read, outside, packs, after }
}

const packsOf = async ({ ports }: Pick<Scene, 'ports'>) =>
  (await ports.packs.listOwned(SYSTEM, 1, 50)).rows

const one = (beatmapId: number): RoundSlot[] => [{ mod: 'NM', index: 1, beatmapId }]

describe('D-63: a release now', () => {
  test('makes a public pack of the system account in the request itself', async () => {
    const { release, packs, clock, outside } = await openRound()
    expect(await outside()).toBeNull()
    clock.advance(1000)
    const { round, tournament } = await release('now')
    const [pack, ...others] = await packs()
    expect(others).toEqual([])
    expect(pack).toMatchObject({
      name: 'Harbour Lights Cup Quarterfinals',
      visibility: 'public',
      slots: aRound().slots,
      createdAt: clock.now(),
    })
    expect(round.released).toMatchObject({ packSlug: pack?.slug, at: clock.now(), pack })
    expect(tournament.publicAt).toBe(clock.now())
    expect(await outside()).toMatchObject({ packSlug: pack?.slug, slots: aRound().slots })
  })

  test('what is drafted afterwards is not seen until it is released again, into the same pack', async () => {
    const { release, edit, packs, outside, clock, where, ports } = await openRound('released')
    const before = await outside()
    const [first] = await packs()
    clock.advance(1000)
    await edit(one(77), 'Renamed')
    expect(await outside()).toEqual(before)
    const { publicAt } = (await ports.tournaments.read(where.slug))!
    expect(publicAt).toBeLessThan(clock.now())
    await release('now')
    const [second, ...others] = await packs()
    expect(others).toEqual([])
    expect(second).toMatchObject({
      slug: first?.slug,
      version: 2,
      slots: one(77),
      createdAt: first?.createdAt,
    })
    expect(await outside()).toMatchObject({ name: 'Renamed', slots: one(77) })
  })

  test('withdrawn, its pack is gone for everybody, and the next release has its slug', async () => {
    const { release, packs, outside, ports } = await openRound('released')
    const [first] = await packs()
    await release(null)
    expect(await packs()).toEqual([])
    expect(await ports.packs.read(first!.slug)).toBeNull()
    expect(await outside()).toBeNull()
    expect((await release(null)).round.released, 'again, nothing').toBeNull()
    await release('now')
    const [second] = await packs()
    expect(second?.slug).toBe(first?.slug)
    expect(second?.version, 'without the history of the first').toBe(1)
  })

  test('a pack that the operator has removed is made anew, under its slug', async () => {
    const { release, packs, outside, ports, clock } = await openRound('released')
    const [first] = await packs()
    await ports.packs.remove(first!.slug, SYSTEM, clock.now())
    expect(await outside()).toBeNull()
    await release('now')
    const [second] = await packs()
    expect(second?.slug).toBe(first?.slug)
    expect(await outside()).toMatchObject({ packSlug: second?.slug })
  })

  test('empty slots and placeholders refuse it, and nothing is written', async () => {
    const { release, edit, packs, read, after } = await openRound()
    await edit([...one(5), { mod: 'NM', index: 2, placeholder: 'a map' }, { mod: 'TB', index: 1 }])
    const before = await read()
    const why = {
      code: 'conflict',
      message: 'the round cannot be released: NM2 and TB have no beatmap',
    }
    await expect(release('now')).rejects.toMatchObject(why)
    await expect(release(after(1000))).rejects.toMatchObject(why)
    expect(await read()).toEqual(before)
    expect(await packs()).toEqual([])
  })

  test('D-26: a slug that another pack has is drawn again', async () => {
    const { ports, packs, where } = await openRound('released')
    const [taken] = await packs()
    await releaseRound(ports, 'host', where.slug, where.roundId, { at: null })
    // Its own, meanwhile, and the next one that is drawn.
    for (const slug of [taken!.slug, 'BBBBBBBBBB']) {
      const pack = { ...taken!, slug }
      expect(await ports.packs.create(pack, null)).toMatchObject({ outcome: 'created' })
    }
    const drawn = [1, 1, 2]
    const random = { bytes: (count: number) => new Uint8Array(count).fill(drawn.shift() ?? 3) }
    const made = await releaseRound({ ...ports, random }, 'host', where.slug, where.roundId, {
      at: 'now',
    })
    expect(made.round.released?.packSlug).toBe('CCCCCCCCCC')
  })

  test('two at the same time make one pack', async () => {
    const { ports, again, where, packs } = await openRound()
    const other = await again()
    onTestFinished(() => other.care.close())
    const call = (on: typeof ports) =>
      releaseRound(on, 'host', where.slug, where.roundId, { at: 'now' })
    await Promise.all([call(ports), call({ ...ports, ...other }), call(ports)])
    expect(await packs()).toHaveLength(1)
  })
})

describe('a schedule', () => {
  test('is kept, changed, and withdrawn before the pack is', async () => {
    const { release, read, after, outside, packs } = await openRound('released')
    const [first, second] = [after(60_000), after(90_000)]
    await release(first)
    expect(await read()).toMatchObject({ releaseAt: first })
    await release(second)
    expect(await read()).toMatchObject({ releaseAt: second, released: { name: 'Quarterfinals' } })
    await release(null)
    expect((await read()).releaseAt).toBeNull()
    expect(await outside(), 'the pack stays').not.toBeNull()
    await release(null)
    expect(await packs()).toEqual([])
  })

  test('a release at once ends it', async () => {
    const { release, read, after, ports, clock, where } = await openRound()
    await release(after(1000))
    await release('now')
    expect((await read()).releaseAt).toBeNull()
    clock.advance(2000)
    expect(await releaseDue(ports, where)).toBe(false)
  })

  test.each([
    ['2026-10-03T18:30:01.000Z', 'a time in the future; send "now" to release at once'],
    ['1970-01-01T00:00:00.000Z', 'a time in the future; send "now" to release at once'],
    ['2027-02-30T00:00:00.000Z', 'a time that there is'],
    ['2027-13-01T00:00:00.000Z', 'a time that there is'],
    ['2027-01-01T24:00:00.000Z', 'a time that there is'],
    // The answer would have no digits for its year.
    ['9999-12-31T23:59:59-01:00', 'a time that there is'],
    ['9999-12-31T23:59:60Z', 'a time that there is'],
  ])('%s is refused', async (at, remedy) => {
    const { ports, where } = await openRound()
    const release = releaseRound(ports, 'host', where.slug, where.roundId, { at })
    await expect(release).rejects.toMatchObject({
      code: 'bad_request',
      message: `at must be ${remedy}`,
    })
  })

  test('the round stays ready: what would leave a slot without a beatmap is refused', async () => {
    const { release, edit, after, ports, where, read } = await openRound()
    await release(after(1000))
    const before = await read()
    const refused = { code: 'conflict', message: expect.stringContaining('withdraw the schedule') }
    await expect(edit([{ mod: 'NM', index: 1 }])).rejects.toMatchObject(refused)
    const change = { mod: 'NM', index: 1, from: { beatmapId: 11 }, to: null }
    const changes = { changes: [change] }
    const { slug, roundId } = where
    await expect(changeSlots(ports, 'pooler', slug, roundId, changes)).rejects.toMatchObject(
      refused,
    )
    expect(await read()).toEqual(before)
    await edit(one(8))
    await updateTournament(ports, 'host', slug, { shortName: 'HLC' })
    await release(null)
    await edit([{ mod: 'NM', index: 1 }])
  })
})

describe('D-63: a due round', () => {
  test('is released when its time has come, never before, and once', async () => {
    const { release, ports, clock, where, packs, outside, read } = await openRound()
    const at = clock.now() + 1000
    await release(at)
    clock.advance(999)
    expect(await releaseDue(ports, where)).toBe(false)
    expect(await packs()).toEqual([])
    clock.advance(1)
    expect(await releaseDue(ports, where)).toBe(true)
    expect(await read()).toMatchObject({ releaseAt: null, released: { at } })
    const before = await packs()
    clock.advance(1000)
    expect(await releaseDue(ports, where)).toBe(false)
    expect(await packs()).toEqual(before)
    expect(before).toHaveLength(1)
    expect(await outside()).toMatchObject({ releaseAt: timestamp(at), releasedAt: timestamp(at) })
  })

  test('is released by exactly one of many workers, of two processes', async () => {
    const { release, ports, clock, where, packs, again } = await openRound()
    const other = await again()
    onTestFinished(() => other.care.close())
    const processes = [ports, { ...ports, ...other }]
    await release(clock.now() + 1000)
    clock.advance(1000)
    const tries = await Promise.all(
      Array.from({ length: 10 }, (_, at) => releaseDue(processes[at % 2]!, where)),
    )
    expect(tries.filter(Boolean)).toHaveLength(1)
    expect(await packs()).toHaveLength(1)
  })

  test('keeps the slug that it had, also where that of another one, released with it, is taken', async () => {
    const { ports, clock, change, where } = await openRound('released')
    const { slug } = where
    const named = ['A', 'B', 'C'].map((name) => aSavedRound({ name, releaseAt: clock.now() }))
    const before = { name: '', at: 0, wasShown: true }
    const saved = (await ports.tournaments.read(slug))!
    const taken = saved.rounds[0]!.released!.packSlug
    const rounds = named.map((round, at) => ({
      ...round,
      withdrawn: at === 2 ? null : { ...before, packSlug: at === 0 ? taken : 'heldslug01' },
    }))
    await change(slug, (old) => ({ ...old, rounds: [...old.rounds, ...rounds] }))
    const due = rounds.map(({ id }) => ({ slug, roundId: id }))
    expect(await releaseDue(ports, due[0]!, ...due.slice(1))).toBe(true)
    const slugs = (await ports.tournaments.read(slug))!.rounds.map(
      (each) => each.released?.packSlug,
    )
    expect(slugs[2]).toBe('heldslug01')
    expect(new Set(slugs).size).toBe(4)
    expect(slugs).not.toContain(undefined)
    expect(await releaseDue(ports, due[0]!, ...due.slice(1))).toBe(false)
  })

  test('that is drafted further until then is released as it is then, into the pack that it has', async () => {
    const { release, edit, ports, clock, where, packs } = await openRound('released')
    const [first] = await packs()
    await release(clock.now() + 1000)
    await edit(one(5))
    clock.advance(5000)
    expect(await releaseDue(ports, where)).toBe(true)
    expect(await packs()).toMatchObject([{ slug: first?.slug, version: 2, slots: one(5) }])
  })

  test('that was withdrawn or deleted meanwhile is not released', async () => {
    const { release, ports, clock, where, packs } = await openRound()
    await release(clock.now() + 1000)
    await release(null)
    clock.advance(1000)
    expect(await releaseDue(ports, where)).toBe(false)
    await release(clock.now() + 1000)
    await deleteRound(ports, 'host', where.slug, where.roundId, fine)
    clock.advance(1000)
    expect(await releaseDue(ports, where)).toBe(false)
    expect(await releaseDue(ports, { ...where, slug: 'aaaaaaaaaa' })).toBe(false)
    expect(await packs()).toEqual([])
  })
})
