import { describe, expect, it } from 'vitest'
import type { BeatmapAnswer, BeatmapLook, BeatmapLookReply } from '../../src/contract/beatmaps.ts'
import { beatmapKey, BeatmapLookup, type ModdedBeatmap } from '../../src/web/pool/beatmaps.ts'
import { unreachable } from '../../src/web/site-failure.ts'
import { aBeatmap } from '../support/a-beatmap.ts'

type Question = BeatmapLook['beatmaps'][number]
type Answer = (question: BeatmapLook) => BeatmapLookReply | Error

const known = ({ id }: Question, stars: number | null = 5): BeatmapAnswer => ({
  id,
  state: 'known',
  details: aBeatmap(id),
  stars,
})
const pending = ({ id }: Question): BeatmapAnswer => ({ id, state: 'pending' })
const all = (answer: (question: Question) => BeatmapAnswer, retryAfter: number | null = null) => {
  return ({ beatmaps }: BeatmapLook): BeatmapLookReply => ({
    beatmaps: beatmaps.map((question) => answer(question)),
    retryAfter,
  })
}
const plain = (id: number): ModdedBeatmap => ({ id, mods: [] })
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

/** A look-up whose timers are pulled by hand; `answers` are given in turn, the last one for good. */
const rig = (...answers: readonly Answer[]) => {
  const asked: BeatmapLook[] = []
  const timers: { ms: number; run: () => void }[] = []
  const lookup = new BeatmapLookup({
    ask: async (question) => {
      asked.push(question)
      const reply = (answers[asked.length - 1] ?? answers.at(-1))?.(question)
      if (reply === undefined || reply instanceof Error) throw reply
      return reply
    },
    later: (ms, run) => {
      const timer = { ms, run }
      timers.push(timer)
      return () => void timers.splice(timers.indexOf(timer), 1)
    },
    onChange: () => {},
  })
  /** Lets the next timer run out; gives how long it was. */
  const pull = async (): Promise<number | undefined> => {
    const timer = timers.shift()
    timer?.run()
    await settled()
    return timer?.ms
  }
  const want = async (...uses: readonly ModdedBeatmap[]): Promise<void> => {
    lookup.want(uses)
    await settled()
  }
  const idsAsked = () => asked.map(({ beatmaps }) => beatmaps.map(({ id }) => id))
  return { lookup, asked, idsAsked, timers, pull, want }
}

describe('what is asked', () => {
  it('is each use once, and nothing that is known', async () => {
    const { want, lookup, pull, idsAsked } = rig(all(known))
    await want(plain(1), plain(2), plain(1))
    expect(lookup.phase).toBe('done')
    await want(plain(2), plain(3))
    await pull()
    await want(plain(3))
    expect(idsAsked()).toEqual([[1, 2], [3]])
  })

  it('is at most 64 in a question', async () => {
    const { want, asked } = rig(all(known))
    await want(...Array.from({ length: 130 }, (_, at) => plain(at + 1)))
    expect(asked.map(({ beatmaps }) => beatmaps.length)).toEqual([64, 64, 2])
  })

  it('is gathered while changes follow each other', async () => {
    const { want, pull, idsAsked } = rig(all(known))
    await want(plain(1))
    await want(plain(1), plain(2))
    await want(plain(1), plain(2), plain(3))
    await pull()
    expect(idsAsked()).toEqual([[1], [2, 3]])
  })

  it('names the mods and the pack', async () => {
    const { lookup, asked } = rig(all(known))
    lookup.want([{ id: 7, mods: ['HD', 'DT'] }], 'q7Jm2_xT0a')
    await settled()
    expect(asked).toEqual([{ beatmaps: [{ id: 7, mods: ['HD', 'DT'] }], slug: 'q7Jm2_xT0a' }])
  })

  it('names the pack of each use where a page shows several', async () => {
    const { want, asked } = rig(all(known))
    await want(
      { ...plain(1), slug: 'packaaaaaa' },
      { ...plain(2), slug: 'packbbbbbb' },
      { ...plain(3), slug: 'packaaaaaa' },
    )
    expect(asked.map(({ slug, beatmaps }) => [slug, beatmaps.map(({ id }) => id)])).toEqual([
      ['packaaaaaa', [1, 3]],
      ['packbbbbbb', [2]],
    ])
  })

  it('can be waited for, until all of it was asked once, even in vain', async () => {
    const { lookup, want, pull } = rig(() => unreachable(), all(pending, 5))
    let isAnswered = false
    await want(plain(1))
    lookup.want([plain(1), plain(2)])
    void lookup.asked().then(() => (isAnswered = true))
    await settled()
    expect(isAnswered).toBe(false)
    await pull()
    expect(isAnswered).toBe(true)
    expect(lookup.view(plain(2))).toEqual({ state: 'pending' })
    await lookup.asked()
  })

  it('leaves out what nobody wants any more', async () => {
    const { want, pull, idsAsked } = rig(all(pending, 5))
    await want(plain(1), plain(2))
    await want(plain(2))
    await pull()
    expect(idsAsked()).toEqual([[1, 2], [2]])
  })
})

describe('what is not known yet', () => {
  it('is asked for again when the site says so', async () => {
    const { want, lookup, pull, idsAsked } = rig(
      ({ beatmaps }) => ({
        beatmaps: beatmaps.map((each) => (each.id === 1 ? known(each) : pending(each))),
        retryAfter: 5,
      }),
      all(known),
    )
    await want(plain(1), plain(2))
    expect(lookup.phase).toBe('asking')
    expect(await pull()).toBe(5_000)
    expect(idsAsked()).toEqual([[1, 2], [2]])
    expect(lookup.phase).toBe('done')
  })

  it('waits a minute at most, whatever the site says', async () => {
    const { want, pull } = rig(all(pending, 3600))
    await want(plain(1))
    expect(await pull()).toBe(60_000)
  })

  it('is given up after some rounds without news, until told to look again', async () => {
    const { want, lookup, pull, asked, timers } = rig(all(pending, 1))
    await want(plain(1))
    while (timers.length > 0) await pull()
    expect(lookup.phase).toBe('stalled')
    expect(asked.length).toBeLessThan(12)
    const before = asked.length
    lookup.retry()
    expect(lookup.phase).toBe('asking')
    await settled()
    expect(asked.length).toBe(before + 1)
  })

  it('is left at that when the site knows no more: a rating that it does not ask for', async () => {
    const { want, lookup, timers } = rig(all((question) => known(question, null)))
    const use: ModdedBeatmap = { id: 1, mods: ['HR'] }
    await want(use)
    expect(lookup.phase).toBe('done')
    expect(timers).toEqual([])
    expect(lookup.view(use)).toMatchObject({ state: 'known', stars: null })
  })

  it('survives a failure, and says why meanwhile', async () => {
    const { want, lookup, pull } = rig(() => unreachable(), all(known))
    await want(plain(1))
    expect(lookup.error).toMatchObject({ code: 'unreachable' })
    await pull()
    expect(lookup.error).toBeNull()
    expect(lookup.phase).toBe('done')
  })

  it('is asked for less and less often while nothing answers', async () => {
    const { want, pull, timers } = rig(() => unreachable())
    await want(plain(1))
    const waits: (number | undefined)[] = []
    while (timers.length > 0) waits.push(await pull())
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000])
  })

  it('is not asked for once the page is closed', async () => {
    const { want, lookup, timers } = rig(all(pending, 1))
    await want(plain(1))
    lookup.close()
    expect(timers).toEqual([])
  })
})

describe('what is shown', () => {
  it('keeps the details of a beatmap that gets other mods', async () => {
    const { want, lookup } = rig(all(known))
    await want(plain(1))
    expect(lookup.view({ id: 1, mods: ['DT'] })).toMatchObject({
      state: 'known',
      details: { id: 1 },
      stars: null,
    })
  })

  it('tells a gone beatmap from one that is on its way', async () => {
    const { want, lookup } = rig(all(({ id }) => ({ id, state: 'gone' })))
    await want(plain(1))
    expect(lookup.view(plain(1))).toEqual({ state: 'gone' })
    expect(lookup.view(plain(2))).toEqual({ state: 'pending' })
  })

  it('goes by id and mods', () => {
    expect(beatmapKey({ id: 129891, mods: ['HD', 'DT'] })).toBe('129891+HDDT')
  })
})
