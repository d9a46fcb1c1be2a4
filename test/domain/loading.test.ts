import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SingleFlight, whenAllKnown } from '../../src/domain/loading.ts'

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
