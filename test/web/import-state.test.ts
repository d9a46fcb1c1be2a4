import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BeatmapAnswer, BeatmapLook, BeatmapLookReply } from '../../src/contract/beatmaps.ts'
import type { LookedUp } from '../../src/formats/import/evidence.ts'
import type { ChoiceId } from '../../src/formats/import/questions.ts'
import { ImportState } from '../../src/web/editing/paste/import-state.ts'
import {
  type ImportReply,
  type ImportRequest,
  type ReadImport,
  readSource,
} from '../../src/web/editing/paste/read-source.ts'
import { unreachable } from '../../src/web/site-failure.ts'
import { aBeatmap } from '../support/a-beatmap.ts'
import { settle } from '../support/hand-timers.ts'

/** Timers that run when the clock is moved. */
class HandTime {
  #now = 0
  readonly #timers = new Set<{ readonly at: number; readonly work: () => void }>()

  readonly after = (ms: number, work: () => void): (() => void) => {
    const timer = { at: this.#now + ms, work }
    this.#timers.add(timer)
    return () => void this.#timers.delete(timer)
  }

  async pass(ms: number): Promise<void> {
    const until = this.#now + ms
    await settle()
    for (;;) {
      const [next] = [...this.#timers].toSorted((a, b) => a.at - b.at)
      if (next === undefined || next.at > until) break
      this.#timers.delete(next)
      this.#now = next.at
      next.work()
      await settle()
    }
    this.#now = until
  }
}

type Ask = {
  readonly ids: readonly number[]
  readonly resolve: (reply: BeatmapLookReply) => void
  readonly reject: (reason: unknown) => void
}

/** An import whose reader, look-ups and timers wait for the test. */
const openImport = () => {
  const time = new HandTime()
  const asks: Ask[] = []
  let reading: { request: ImportRequest; resolve: (reply: ImportReply | null) => void } | null =
    null
  const drop = (): void => {
    reading?.resolve(null)
    reading = null
  }
  const state = new ImportState(() => ({}), undefined, {
    ask: ({ beatmaps }: BeatmapLook) => {
      const { promise, resolve, reject } = Promise.withResolvers<BeatmapLookReply>()
      asks.push({ ids: beatmaps.map(({ id }) => id), resolve, reject })
      return promise
    },
    later: time.after,
    after: time.after,
    reader: {
      read(request) {
        drop()
        return new Promise((resolve) => (reading = { request, resolve }))
      },
      stop: drop,
    },
  })
  /** Lets the reader finish. */
  const read = async (): Promise<void> => {
    await settle()
    while (reading !== null) {
      const { request, resolve } = reading
      reading = null
      resolve(await readSource(request))
      await settle()
    }
  }
  return { state, time, asks, read }
}

/** Ids that are being typed, and the look-up itself. */
const LONGEST_WAIT_MS = 5_300

/** Of these, the platform has some. */
const factOf = (id: number): LookedUp =>
  id % 2 === 0 ? 'gone' : { ruleset: 'base', stars: id === 9 ? 90 : 5 }

const answerOf = (id: number, isKnown: boolean): BeatmapAnswer => {
  const fact = factOf(id)
  if (!isKnown) return { id, state: 'pending' }
  if (fact === 'gone') return { id, state: 'gone' }
  return { id, state: 'known', details: { ...aBeatmap(id), ...fact }, stars: fact.stars }
}

const openOf = ({ questions }: ReadImport) => questions.filter(({ answer }) => answer === null)

const isReady = ({ read, isBehind, looking }: ImportState): boolean =>
  read.value !== null && !isBehind.value && looking.value === 0 && openOf(read.value).length === 0

type Facts = ReadonlyMap<number, LookedUp>

/** What is said of a text and these answers at once, whatever came before. */
const readAtOnce = async (
  text: string,
  answers: ReadonlyMap<string, ChoiceId>,
  evidence: Facts,
) => {
  const reply = await readSource({ source: { kind: 'text', text }, answers, evidence })
  return reply.kind === 'read' ? reply.read : null
}

const lines = ['NM1 2', 'NM2 4', 'HD1 6', 'HR1 1', 'DT1 3', 'XY 8']
const texts = fc.subarray(lines, { minLength: 1, maxLength: 3 }).map((chosen) => chosen.join('\n'))

const act = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('type'), text: texts }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('answer'),
      at: fc.nat(2),
      choice: fc.constantFrom<ChoiceId>('a', 'b'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('reply'),
      at: fc.nat(1),
      known: fc.nat(4),
      isFailure: fc.constantFrom(false, false, false, true),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('pass'),
      ms: fc.constantFrom<number>(100, 300, 300, 2_000, 4_900, 5_000),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'press' } as const) },
)
type Step = {
  readonly act: typeof act extends fc.Arbitrary<infer A> ? A : never
  readonly isRead: boolean
}
const step: fc.Arbitrary<Step> = fc.record({
  act,
  /** Whether the worker is as fast as the person. */
  isRead: fc.constantFrom(true, true, true, false),
})

/** A person, a platform and an import; `taken` holds what each press took. */
const openScene = () => {
  const { state, time, asks, read } = openImport()
  const facts = new Map<number, LookedUp>()
  /** The word of the question and the id, for each beatmap that was decided of. */
  const decided = new Set<string>()
  let isPressed = false
  let waited = 0
  const taken: { given: ReadImport; isMeant: boolean; atOnce: Promise<ReadImport | null> }[] = []
  const readNow = () => readAtOnce(state.text.value, state.answers.value, new Map(facts))

  const reply = (ask: Ask, known: number, isFailure: boolean): void => {
    asks.splice(asks.indexOf(ask), 1)
    if (isFailure) return ask.reject(unreachable())
    const answered = ask.ids.slice(0, known)
    for (const id of answered) facts.set(id, factOf(id))
    const beatmaps = ask.ids.map((id) => answerOf(id, answered.includes(id)))
    ask.resolve({ beatmaps, retryAfter: answered.length < ask.ids.length ? 1 : null })
  }
  const press = async (): Promise<void> => {
    isPressed = true
    const given = await state.whenRead()
    if (given !== null) taken.push({ given, isMeant: isPressed, atOnce: readNow() })
  }
  const run = async (each: Step['act']): Promise<void> => {
    if (each.kind === 'type') {
      waited = 0
      isPressed &&= state.text.value === each.text
      state.text.value = each.text
    } else if (each.kind === 'answer') {
      const asked = state.read.value?.questions[each.at]
      if (asked === undefined || state.isBehind.value) return
      isPressed = false
      state.answer(asked.key, each.choice)
      for (const id of asked.about?.ids ?? []) decided.add(`${asked.about?.doubt} ${id}`)
    } else if (each.kind === 'reply') {
      const ask = asks[each.at]
      if (ask !== undefined) reply(ask, each.known, each.isFailure)
    } else if (each.kind === 'pass') {
      const isWaiting = state.looking.value > 0 && !state.isPending.value
      await time.pass(each.ms)
      if (isWaiting) waited += each.ms
      // Whatever is answered meanwhile; to read with what was learnt takes its time.
      if (waited >= LONGEST_WAIT_MS && !state.isPending.value) expect(state.looking.value).toBe(0)
    } else void press()
  }
  /** All that the platform has is told at last. */
  const finish = async (): Promise<void> => {
    await read()
    for (let turn = 0; turn < 5; turn += 1) {
      while (asks.length > 0) reply(asks[0]!, Infinity, false)
      await time.pass(60_000)
      await read()
    }
  }
  const open = () => (state.read.value === null ? [] : openOf(state.read.value))
  /** Beatmaps of open questions that were decided of. */
  const askedAgain = (): string[] =>
    state.isBehind.value
      ? []
      : open()
          .flatMap(({ about }) => about?.ids.map((id) => `${about.doubt} ${id}`) ?? [])
          .filter((each) => decided.has(each))
  return { state, read, run, finish, open, askedAgain, readNow, taken }
}

describe('an import, whenever what is looked up comes (D-90)', () => {
  it('is read by text, answers and facts alone, asks nothing twice, and stays ready but for a new question', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        const { state, read, run, finish, open, askedAgain, readNow, taken } = openScene()
        for (const { act: each, isRead } of steps) {
          const isOwn = each.kind === 'type' || each.kind === 'answer'
          for (const go of [() => run(each), settle, ...(isRead ? [read] : [])]) {
            const before = isReady(state)
            await go()
            // Not before it is read with what was learnt.
            if (!before && isReady(state)) expect(state.isPending.value).toBe(false)
            if (before && !isReady(state) && !isOwn) expect(open()).not.toEqual([])
            expect(askedAgain()).toEqual([])
          }
        }
        await finish()
        for (const { given, isMeant, atOnce } of taken) {
          expect(isMeant).toBe(true)
          expect(given).toEqual(await atOnce)
        }
        expect([state.isPending.value, state.looking.value]).toEqual([false, 0])
        if (state.text.value !== '') expect(state.read.value).toEqual(await readNow())
      }),
      { numRuns: 200 },
    )
  })

  it('of a beatmap that was there before is not lost, and a press that came before the reading takes it', async () => {
    const { state, read, run, open, taken } = openScene()
    const type = (text: string) => run({ kind: 'type', text })
    await type('NM1 2')
    await read()
    await run({ kind: 'pass', ms: LONGEST_WAIT_MS })
    expect(state.looking.value).toBe(0)
    await type('NM1 1')
    await read()
    await run({ kind: 'reply', at: 0, known: 9, isFailure: false })
    await settle()
    await type('NM1 2')
    await run({ kind: 'press' })
    await read()
    expect(open().map(({ about }) => about)).toEqual([{ doubt: 'unknown', ids: [2] }])
    expect(taken.map(({ given }) => openOf(given).length)).toEqual([1])
  })

  it('is waited for no longer because questions are answered meanwhile', async () => {
    const { state, read, run } = openScene()
    await run({ kind: 'type', text: 'NM1 2\nXY 8' })
    await read()
    for (const ms of [300, 4_000]) {
      await run({ kind: 'pass', ms })
      await run({ kind: 'answer', at: 0, choice: 'a' })
      await read()
    }
    expect(state.looking.value).toBe(1)
    await run({ kind: 'pass', ms: 1_000 })
    expect(state.looking.value).toBe(0)
  })
})
