import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  chunksOf,
  Mutex,
  SerialFlight,
  SingleFlight,
  whenAllKnown,
} from '../../src/domain/loading.ts'

describe('what follows when all values are known', () => {
  it('comes at once where they are, and otherwise when the last one is', async () => {
    const anyValues = fc.array(fc.record({ value: fc.integer(), isKnown: fc.boolean() }))
    await fc.assert(
      fc.asyncProperty(anyValues, async (all) => {
        const values = all.map(({ value, isKnown }) => (isKnown ? value : Promise.resolve(value)))
        const read = whenAllKnown(values, (known) => [...known])
        expect(read instanceof Promise).toBe(all.some(({ isKnown }) => !isKnown))
        expect(await read).toEqual(all.map(({ value }) => value))
      }),
    )
  })
})

describe('a single-flight', () => {
  it('makes one call for those who ask for the same at once, and the next one anew', async () => {
    const flights = new SingleFlight<number>()
    let calls = 0
    const call = async () => (calls += 1)
    expect(await Promise.all([flights.run('a', call), flights.run('a', call)])).toEqual([1, 1])
    expect(await Promise.all([flights.run('a', call), flights.run('b', call)])).toEqual([2, 3])
  })

  it('shares what goes wrong, too', async () => {
    const flights = new SingleFlight<number>()
    const call = () => Promise.reject(new Error('down'))
    const ends = await Promise.allSettled([flights.run('a', call), flights.run('a', call)])
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await flights.run('a', async () => 1)).toBe(1)
  })

  it('gives nobody the refusal of another payer', async () => {
    const flights = new SingleFlight<string>((error) => (error as Error).message === 'spent')
    const spent = () => Promise.reject(new Error('spent'))
    const refused = flights.run('a', spent, 'ada')
    const same = flights.run('a', async () => 'never called', 'ada')
    const other = flights.run('a', async () => 'of ben', 'ben')
    await expect(refused).rejects.toThrow('spent')
    await expect(same).rejects.toThrow('spent')
    expect(await other).toBe('of ben')
  })

  it('gives all payers what went wrong otherwise', async () => {
    const flights = new SingleFlight<string>((error) => (error as Error).message === 'spent')
    const down = flights.run('a', () => Promise.reject(new Error('down')), 'ada')
    const other = flights.run('a', async () => 'never called', 'ben')
    await expect(down).rejects.toThrow('down')
    await expect(other).rejects.toThrow('down')
  })

  it('is joined by nobody once it is sealed', async () => {
    const flights = new SingleFlight<string>()
    const end = Promise.withResolvers<string>()
    const first = flights.run('a', async (seal) => {
      await Promise.resolve()
      seal()
      return end.promise
    })
    await Promise.resolve()
    await Promise.resolve()
    const second = flights.run('a', async () => 'second')
    end.resolve('first')
    expect(await Promise.all([first, second])).toEqual(['first', 'second'])
  })
})

describe('calls of one queue', () => {
  /** Calls that end when they are told to, in the order in which they began. */
  const calling = () => {
    const flights = new SerialFlight()
    const begun: string[] = []
    const ends: PromiseWithResolvers<string>[] = []
    const ask = (queue: string, key: string) =>
      flights.run(queue, key, () => {
        begun.push(`${queue} ${key}`)
        const end = Promise.withResolvers<string>()
        ends.push(end)
        return end.promise
      })
    const settle = () => new Promise(setImmediate)
    return { ask, begun, ends, settle }
  }

  it('are made one after the other, and those of two queues beside each other', async () => {
    const { ask, begun, ends, settle } = calling()
    const all = [ask('q', 'a'), ask('q', 'b'), ask('r', 'a')]
    await settle()
    expect(begun).toEqual(['q a', 'r a'])
    ends[0]!.resolve('one')
    await settle()
    expect(begun).toEqual(['q a', 'r a', 'q b'])
    ends[1]!.resolve('two')
    ends[2]!.resolve('three')
    expect(await Promise.all(all)).toEqual(['one', 'three', 'two'])
  })

  it('are shared while they wait, and not once they have begun', async () => {
    const { ask, begun, ends, settle } = calling()
    const first = ask('q', 'a')
    const joined = ask('q', 'a')
    await settle()
    const later = ask('q', 'a')
    await settle()
    expect(begun).toEqual(['q a'])
    ends[0]!.resolve('one')
    await settle()
    ends[1]!.resolve('two')
    expect(await Promise.all([first, joined, later])).toEqual(['one', 'one', 'two'])
  })

  it('go on after one that failed', async () => {
    const { ask, ends, settle } = calling()
    const [bad, good] = [ask('q', 'a'), ask('q', 'b')]
    const refused = expect(bad).rejects.toThrow('down')
    await settle()
    ends[0]!.reject(new Error('down'))
    await refused
    await settle()
    ends[1]!.resolve('two')
    expect(await good).toBe('two')
  })
})

describe('a mutex', () => {
  it('has one holder at a time, first come, first served', async () => {
    const mutex = new Mutex()
    const held: number[] = []
    const [one, two, three] = [1, 2, 3].map(async (holder) => {
      const release = await mutex.acquire()
      held.push(holder)
      return release
    })
    const release = await one!
    await new Promise(setImmediate)
    expect(held).toEqual([1])
    release()
    release()
    const next = await two!
    await new Promise(setImmediate)
    expect(held).toEqual([1, 2])
    next()
    await three
    expect(held).toEqual([1, 2, 3])
  })
})

it.each([
  [0, []],
  [1, [[0]]],
  [3, [[0, 1, 2]]],
  [4, [[0, 1, 2], [3]]],
  [
    6,
    [
      [0, 1, 2],
      [3, 4, 5],
    ],
  ],
])('%i items are in chunks of three: %j', (count, chunks) => {
  expect(
    chunksOf(
      Array.from({ length: count }, (_, at) => at),
      3,
    ),
  ).toEqual(chunks)
})
