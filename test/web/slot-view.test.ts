import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Beatmap,
  type Known,
  gameRatingOf,
  type Rating,
  ratingOf,
  ratingText,
} from '../../src/domain/beatmaps.ts'
import { computeStats } from '../../src/domain/stats.ts'
import { writeCsv } from '../../src/formats/tables.ts'
import { playedBpm, playedLength } from '../../src/pool/played-values.ts'
import type { Pool } from '../../src/pool/pool.ts'
import { slotLabel, slotMods, slotsInPoolOrder } from '../../src/pool/slots.ts'
import { formatDifficulty } from '../../src/web/format.ts'
import { beatmapKey, type BeatmapView } from '../../src/web/pool/beatmaps.ts'
import { describeSlot } from '../../src/web/pool/star-plot.tsx'
import { hiddenNote, shownStats, statsOf } from '../../src/web/pool/pool-stats.ts'
import { bucketMeaning } from '../../src/web/pool/slot-parts.tsx'
import { slotRefereeLines } from '../../src/web/pool/slot-table.tsx'
import {
  beatmapName,
  bucketViews,
  shownStars,
  slotRowId,
  slotViews,
  usesOf,
} from '../../src/web/pool/slots.ts'
import { anyPool } from '../pool/pool-arbitrary.ts'
import { aBeatmap, pool, withBuckets } from '../support/a-beatmap.ts'
import { readPaste } from '../formats/pasted-text.ts'

const nothing: ReadonlyMap<string, BeatmapView> = new Map()

/** What is known of a pool when the platform knows these. */
const viewsOf = (
  given: Pick<Pool, 'slots' | 'buckets'>,
  beatmapOf: (id: number) => Beatmap | 'gone' | null,
  starsOf: (id: number, mods: readonly string[]) => number | null = () => 6.25,
): ReadonlyMap<string, BeatmapView> =>
  new Map(
    usesOf(given).map((use): readonly [string, BeatmapView] => {
      const beatmap = beatmapOf(use.id)
      if (beatmap === null) return [beatmapKey(use), { state: 'pending' }]
      if (beatmap === 'gone') return [beatmapKey(use), { state: 'gone' }]
      const rating = gameRatingOf({ beatmapId: use.id, forced: use.mods }, beatmap.ruleset)
      const stars = rating === null ? beatmap.stars : starsOf(use.id, use.mods)
      return [beatmapKey(use), { state: 'known', details: beatmap, stars }]
    }),
  )

describe('slots as they are shown', () => {
  it('stand in pool order (D-20), each with its label and its bucket', () => {
    const given = withBuckets(pool('TB1 5', 'NM2 2', 'RC1 4', 'NM1 1', '- 9'), {
      code: 'RC',
      color: 3,
    })
    expect(slotViews(given, nothing).map(({ label }) => label)).toEqual([
      '5',
      'NM1',
      'NM2',
      'RC1',
      'TB',
    ])
    expect(
      bucketViews(slotViews(given, nothing)).map(({ bucket }) => bucket?.code ?? null),
    ).toEqual([null, 'NM', 'RC', 'TB'])
  })

  it('have rows whose ids are never the same', () => {
    fc.assert(
      fc.property(anyPool, (given) => {
        const ids = slotViews(given, nothing).map(slotRowId)
        expect(new Set(ids).size).toBe(ids.length)
        expect(ids.every((id) => /^[\p{L}\p{N}-]+$/u.test(id))).toBe(true)
      }),
    )
  })

  it('ask for what the server itself asks for', () => {
    fc.assert(
      fc.property(anyPool, (given) => {
        const asked = usesOf(given).map(beatmapKey)
        const meant = slotMods({ ...given, slots: slotsInPoolOrder(given) }).map(
          ({ beatmapId, forced }) => beatmapKey({ id: beatmapId, mods: forced }),
        )
        expect(asked).toEqual(meant)
      }),
    )
  })
})

describe('length and BPM as played (D-32)', () => {
  it.each([
    [258, 222.22, ['DT'], 172, 333],
    [258, 222.22, [], 258, 222],
    [258, 182, ['HT'], 344, 137],
    [100, null, ['HD', 'DT'], 67, null],
  ] as const)('%d s and %s BPM with %j are %d s and %s', (length, bpm, mods, played, speed) => {
    expect(playedLength({ length }, mods)).toBe(played)
    expect(playedBpm({ bpm }, mods)).toBe(speed)
  })
})

describe('a pool at a glance', () => {
  const beatmapOf = (id: number): Beatmap | 'gone' | null => {
    if (id % 11 === 0) return 'gone'
    return id % 13 === 0
      ? null
      : aBeatmap(id, { stars: (id % 700) / 100, length: id % 400, bpm: id % 3 ? id % 251 : null })
  }

  it('says without stats what the server’s own would say (spec 2.6)', () => {
    fc.assert(
      fc.property(anyPool, (given) => {
        const beatmaps = new Map<number, Known<Beatmap | 'gone'>>()
        const ratings = new Map<string, Known<Rating>>()
        for (const slot of slotMods(given)) {
          const value = beatmapOf(slot.beatmapId)
          if (value === null) continue
          beatmaps.set(slot.beatmapId, { value, isOld: false })
          const key = value === 'gone' ? null : ratingOf(slot, value.ruleset)
          if (key !== null) ratings.set(ratingText(key), { value: { stars: 6.25 }, isOld: false })
        }
        const { computedAt: _, ...server } = computeStats(given, beatmaps, ratings, 0)
        expect(statsOf(slotViews(given, viewsOf(given, beatmapOf)))).toEqual(server)
      }),
    )
  })

  it('D-94: says where the stats count slots without HD and the game does not', () => {
    const noteOf = (given: Pick<Pool, 'slots' | 'buckets'>, starsOf?: () => number | null) => {
      const slots = slotViews(
        given,
        viewsOf(given, (id) => aBeatmap(id), starsOf),
      )
      return hiddenNote(statsOf(slots), slots)
    }
    expect(noteOf(pool('NM1 1', 'HD1 2'))).toBe(
      'HD slots count without HD here. In the game: 5.00–6.25 stars, 5.63 on average.',
    )
    // Nothing to say: no such slot, the same stars, or not known yet.
    expect(noteOf(pool('NM1 1', 'DT1 2'))).toBeNull()
    expect(noteOf(pool('NM1 1', 'HD1 2'), () => 5)).toBeNull()
    expect(noteOf(pool('NM1 1', 'HD1 2'), () => null)).toBeNull()
    // Of one star rating there is no average.
    expect(noteOf(pool('HD1 2'))).toBe('HD slots count without HD here. In the game: 6.25 stars.')
  })

  /** Stars as the platform has them; averages of them end on 5 and beside it. */
  const starRating = fc.oneof(
    fc.integer({ min: 1, max: 900 }).map((each) => each / 100),
    fc.integer({ min: 10_000, max: 9_000_000 }).map((each) => each / 1_000_000),
    fc.integer({ min: 0, max: 900 }).map((each) => (10 * each + 5) / 1_000),
  )
  const ratedSlots = fc.array(
    fc.record({
      mod: fc.constantFrom('NM', 'HD', 'DT'),
      plain: starRating,
      rated: fc.option(starRating),
    }),
    { minLength: 1, maxLength: 6 },
  )

  it('D-94: says nothing where HD changes nothing, else what the stats would be with the ratings of the game', () => {
    fc.assert(
      fc.property(ratedSlots, fc.boolean(), (drawn, isHiddenPlain) => {
        const lines = drawn.map(({ mod }, at) => `${mod}${at + 1} ${at + 1}`)
        const given = pool(...lines)
        const beatmapOf = (id: number) => aBeatmap(id, { stars: drawn[id - 1]!.plain })
        // null: the platform has no rating.
        const ratingOfId = (id: number): number | null => {
          const { mod, rated } = drawn[id - 1]!
          return mod === 'HD' && isHiddenPlain ? null : rated
        }
        const starsOfId = (id: number) => ratingOfId(id) ?? drawn[id - 1]!.plain
        const slots = slotViews(given, viewsOf(given, beatmapOf, starsOfId))
        const beatmaps = new Map(
          drawn.map((_, at) => [at + 1, { value: beatmapOf(at + 1), isOld: false }] as const),
        )
        // The stats of the server, had every slot the stars that the game shows.
        const inGame = new Map(
          [...beatmaps].map(([id, { value }]) => {
            const stars = drawn[id - 1]!.mod === 'NM' ? value.stars : starsOfId(id)
            return [id, { value: { ...value, stars }, isOld: false }] as const
          }),
        )
        const bare = pool(...drawn.map((_, at) => `NM${at + 1} ${at + 1}`))
        const { srMin, srMax, srAvg } = computeStats(bare, inGame, new Map(), 0)
        const isSame = drawn.every(
          ({ mod, plain }, at) => mod !== 'HD' || starsOfId(at + 1) === plain,
        )
        const stats = statsOf(slots)
        const note = hiddenNote(stats, slots)
        if (isSame) expect(note).toBeNull()
        const isShown = srMin !== stats.srMin || srMax !== stats.srMax || srAvg !== stats.srAvg
        expect(note !== null).toBe(isShown)
        if (note === null) return
        const range =
          srMin === srMax ? srMin!.toFixed(2) : `${srMin!.toFixed(2)}–${srMax!.toFixed(2)}`
        const average = srMin === srMax ? '' : `, ${srAvg!.toFixed(2)} on average`
        expect(note).toBe(`HD slots count without HD here. In the game: ${range} stars${average}.`)
      }),
    )
    // 2.29 and 1.98 are 2.14 on average, on paper.
    const given = pool('HD1 1', 'NM1 2')
    const views = viewsOf(
      given,
      (id) => aBeatmap(id, { stars: id === 1 ? 2.29 : 1.98 }),
      () => 2.29,
    )
    const slots = slotViews(given, views)
    expect(statsOf(slots).srAvg).toBe(2.14)
    expect(hiddenNote(statsOf(slots), slots)).toBeNull()
  })

  it('is not complete while a rating is not known', () => {
    const given = pool('NM1 1', 'HR1 2')
    const views = viewsOf(
      given,
      (id) => aBeatmap(id),
      () => null,
    )
    expect(statsOf(slotViews(given, views))).toMatchObject({ complete: false, srMin: 5, srMax: 5 })
  })

  it('are those of the server, unless those lack what the page knows (spec 2.6)', () => {
    const given = pool('NM1 1', 'DT1 2')
    const seen = (...known: readonly number[]) =>
      slotViews(
        given,
        viewsOf(given, (id) => (known.includes(id) ? aBeatmap(id, { stars: 5 }) : null)),
      )
    const all = statsOf(seen(1, 2))
    const none = statsOf(seen())
    const ofServer = { ...all, srMin: 1, srMax: 2, srAvg: 1.5 }
    expect(shownStats(ofServer, seen(1, 2))).toBe(ofServer)
    expect(shownStats(none, seen(1, 2))).toEqual(all)
    // Neither is whole: what the server counts stays, so that numbers do not change to and fro.
    expect(shownStats(statsOf(seen(2)), seen(1))).toEqual(statsOf(seen(2)))
    expect(shownStats(undefined, seen(1))).toEqual(statsOf(seen(1)))
  })
})

describe('a slot in words', () => {
  const given = pool('NM1 1', 'HR1 2', 'HD1 3', 'DT1 4')
  const beatmapOf = (id: number) => (id === 3 ? null : id === 4 ? 'gone' : aBeatmap(id))
  const views = slotViews(
    given,
    viewsOf(given, beatmapOf, () => null),
  )
  const slot = (label: string) => views.find((view) => view.label === label)!

  it('D-94: says with which mods it is rated', () => {
    const [slot] = slotViews(
      pool('HD1 1'),
      viewsOf(pool('HD1 1'), (id) => aBeatmap(id)),
    )
    expect(describeSlot(slot!)).toBe('HD1: Nine Rivers – Harbour [Insane], 6.25 stars with HD')
  })

  it('D-94: says that the platform has no rating with them', () => {
    const given = pool('DT1 1')
    const [use] = usesOf(given)
    const stars = { stars: 8.77, noRating: true } as const
    const view = { state: 'known', details: aBeatmap(1), ...stars } as const
    const [slot] = slotViews(given, new Map([[beatmapKey(use!), view]]))
    expect(describeSlot(slot!)).toBe(
      'DT1: Nine Rivers – Harbour [Insane], 8.77 stars, without DT: the platform has no rating with it',
    )
    expect(shownStars(slot!)).toEqual({ stars: 8.77, isPlain: true, noRating: true })
  })

  it('says what is known, and what is not', () => {
    expect(describeSlot(slot('NM1'))).toBe('NM1: Nine Rivers – Harbour [Insane], 5.00 stars')
    expect(describeSlot(slot('HR1'))).toBe(
      'HR1: Nine Rivers – Harbour [Insane], 5.00 stars without mods',
    )
    expect(describeSlot(slot('HD1'))).toBe('HD1: beatmap 3, loading')
    expect(describeSlot(slot('DT1'))).toBe('DT1: beatmap 4, not found')
    expect(beatmapName(aBeatmap(1))).toBe('Nine Rivers – Harbour [Insane]')
  })

  it('marks a rating without mods as such', () => {
    expect(shownStars(slot('HR1'))).toMatchObject({ stars: 5, isPlain: true })
    expect(shownStars(slot('NM1'))).toMatchObject({ stars: 5, isPlain: false })
    expect(shownStars(slot('DT1'))).toBeNull()
  })

  it('has the lines that a referee sends', () => {
    expect(slotRefereeLines(slot('HR1'))).toBe('# HR1\n!mp map 2 0\n!mp mods NF HR')
    const custom = withBuckets(pool('RC1 7', 'TB1 8'), {
      code: 'RC',
      color: 0,
      mods: { kind: 'forced', set: ['HD', 'DT'] },
    })
    const [forced, free] = slotViews(custom, nothing)
    expect(slotRefereeLines(forced!)).toBe('# RC1\n!mp map 7 0\n!mp mods NF HD DT')
    expect(slotRefereeLines(free!)).toBe('# TB\n!mp map 8 0\n!mp mods freemod')
  })

  it('spells the first tiebreaker in one way wherever it is named', () => {
    const given = pool('TB1 8')
    const [view] = slotViews(given, nothing)
    const { lines } = readPaste('tb 75', { name: '', slots: [] })
    const spellings = [
      view?.label,
      describeSlot(view!).split(':')[0],
      slotRefereeLines(view!).split('\n')[0]?.replace('# ', ''),
      writeCsv({ name: 'a', ...given }, new Map())
        .split('\r\n')[1]
        ?.split(',')[0],
      lines.map((line) => (line.outcome === 'slot' ? slotLabel(line) : ''))[0],
    ]
    expect(new Set(spellings)).toEqual(new Set(['TB']))
  })

  it('writes difficulties as players do', () => {
    expect([4, 9.3, 8.499_999, 10].map(formatDifficulty)).toEqual(['4', '9.3', '8.5', '10'])
  })
})

describe('what a bucket means', () => {
  it.each([
    [{ code: 'HR' } as const, 'Hard Rock'],
    [{ code: 'RC', color: 1 }, ''],
    [{ code: 'RC', color: 1, mods: { kind: 'free' } as const }, 'Free mods'],
    [{ code: 'RC', color: 1, mods: { kind: 'forced', set: ['HD', 'DT'] } as const }, 'HD + DT'],
    [null, 'No bucket'],
  ])('%j: %s', (bucket, meaning) => {
    expect(bucketMeaning(bucket as Parameters<typeof bucketMeaning>[0])).toBe(meaning)
  })
})
