import { describe, expect, it } from 'vitest'
import { batch } from '../../src/domain/loading.ts'

describe('what is asked together', () => {
  const newAsker = (most = 3) => {
    const together: (readonly string[])[] = []
    const ask = batch(
      (questions: readonly string[]) => {
        together.push(questions)
        return questions.map(async (question) => {
          if (question === 'bad') throw new Error('refused')
          return `${question}!`
        })
      },
      most,
      setImmediate,
    )
    return { ask, together }
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve))

  it('is answered together, each by its own answer', async () => {
    const { ask, together } = newAsker()
    expect(await Promise.all(['a', 'b'].map(ask))).toEqual(['a!', 'b!'])
    expect(await ask('c')).toBe('c!')
    expect(together).toEqual([['a', 'b'], ['c']])
  })

  it('goes in full batches when it is much, and nothing is left behind', async () => {
    const { ask, together } = newAsker()
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    expect(await Promise.all(names.map(ask))).toEqual(names.map((name) => `${name}!`))
    expect(together.map(({ length }) => length)).toEqual([3, 3, 1])
    await turn()
    expect(together).toHaveLength(3)
  })

  it('fails alone', async () => {
    const { ask } = newAsker()
    const ends = await Promise.allSettled(['a', 'bad', 'c'].map(ask))
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  it('fails together when asking itself does', async () => {
    const ask = batch(
      (): Promise<string>[] => {
        throw new Error('no store')
      },
      3,
      setImmediate,
    )
    const ends = await Promise.allSettled([ask(1), ask(2)])
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })
})
