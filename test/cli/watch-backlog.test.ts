import { describe, expect, it } from 'vitest'
import { watchBacklog } from '../../src/cli/commands/recompute.ts'
import { progressLine } from '../../src/cli/progress-line.ts'
import { widthOf } from '../../src/cli/text-width.ts'

type Look = { readonly total: number; readonly length: number }

/** Watches 100 packs, of which `look` tells the backlog at each second. */
const watch = async (look: (second: number) => Look) => {
  const lines: string[] = []
  let seconds = 0
  const end = await watchBacklog({
    read: async () => ({ ...look(seconds), oldestDueAt: null }),
    packs: 100,
    show: (line) => lines.push(line),
    second: async () => void (seconds += 1),
  })
  return { end, seconds, lines }
}

describe('watchBacklog', () => {
  it('shows how many are done until all are', async () => {
    const { end, lines } = await watch((second) => {
      const left = Math.max(0, 100 - second * 40)
      return { total: left, length: left }
    })
    expect(end).toBe('done')
    expect(lines).toEqual([0, 40, 80, 100].map((done) => `${done} of 100 packs computed`))
  })

  it('packs that are saved meanwhile take nothing away', async () => {
    const { lines } = await watch((second) => ({ total: second === 0 ? 101 : 0, length: 1 }))
    expect(lines[0]).toBe('0 of 100 packs computed')
  })

  it('sees within a minute that nobody works', async () => {
    const { end, seconds } = await watch(() => ({ total: 100, length: 100 }))
    expect(end).toBe('nobody')
    expect(seconds).toBeLessThan(60)
  })

  it('has patience while packs wait for calls', async () => {
    const { end } = await watch((second) => ({ total: second < 250 ? 60 : 0, length: 0 }))
    expect(end).toBe('done')
  })

  it('does not watch for days what waits for a platform that is away', async () => {
    const { end, seconds } = await watch(() => ({ total: 60, length: 0 }))
    expect(end).toBe('waiting')
    expect(seconds).toBe(300)
  })
})

describe('watchBacklog, while the search is rebuilt', () => {
  const watchRebuild = async (doneAt: (second: number) => number) => {
    const lines: string[] = []
    let seconds = 0
    const end = await watchBacklog({
      read: async () => ({ total: 0, length: 0, oldestDueAt: null }),
      readRebuild: async () => {
        const done = doneAt(seconds)
        return done < 9_000 ? { done, of: 9_000 } : null
      },
      packs: 5,
      show: (line) => lines.push(line),
      second: async () => void (seconds += 1),
    })
    return { end, seconds, lines }
  }

  it('says how far that is and how long it takes, until it is done', async () => {
    const { end, seconds, lines } = await watchRebuild((second) => 100 + 50 * second)
    expect(lines[0]).toBe('5 of 5 packs computed; search: 100 of 9000 packs rebuilt')
    expect(lines[2]).toBe(
      '5 of 5 packs computed; search: 200 of 9000 packs rebuilt, about 3 min left',
    )
    expect(lines.at(-1)).toBe('5 of 5 packs computed')
    expect({ end, seconds }).toEqual({ end: 'done', seconds: 178 })
  })

  it('sees within a minute that nobody does it', async () => {
    const { end, seconds } = await watchRebuild(() => 100)
    expect(end).toBe('nobody')
    expect(seconds).toBeLessThan(60)
  })
})

describe('progressLine', () => {
  const written = (isTTY: boolean) => {
    const texts: string[] = []
    const line = progressLine({ isTTY, write: (text) => texts.push(text) })
    for (let second = 0; second < 31; second++) line.show(`${second} of 100`)
    line.end()
    return texts
  }

  it('is one line on a terminal, and gone at the end', () => {
    const texts = written(true)
    expect(texts).toHaveLength(32)
    expect(texts.join('')).not.toContain('\n')
    expect(texts.at(-1)).toBe('\r\u001B[K')
  })

  it('is never longer than the terminal is wide, which may change', () => {
    const texts: string[] = []
    const stream = { isTTY: true, columns: 0, write: (text: string) => texts.push(text) }
    const line = progressLine(stream)
    for (const text of [
      '[####    ] 3 of 20  Semifinals of the Cup',
      '結果発表'.repeat(9),
      'e\u0301'.repeat(50),
    ]) {
      for (stream.columns of [200, 80, 40, 11, 10, 2]) line.show(text)
    }
    const shown = texts.map((text) => text.slice('\r\u001B[K'.length))
    const widths = shown.map((text) => widthOf(text))
    expect(widths.map((width, at) => width < [200, 80, 40, 11, 10, 2][at % 6]!)).not.toContain(
      false,
    )
    expect(shown.slice(0, 4)).toEqual([
      '[####    ] 3 of 20  Semifinals of the Cup',
      '[####    ] 3 of 20  Semifinals of the Cup',
      '[####    ] 3 of 20  Semifinals of the …',
      '[####    …',
    ])
    expect(shown[9]).toBe('結果発表…')
    expect(shown[16]).toBe(`${'e\u0301'.repeat(8)}…`)
  })

  it('clears nothing that is not its own', () => {
    const texts: string[] = []
    const line = progressLine({ isTTY: true, write: (text) => texts.push(text) })
    line.end()
    line.show('1 of 2')
    line.end()
    line.end()
    expect(texts).toEqual(['\r\u001B[K1 of 2', '\r\u001B[K'])
  })

  it('is a line in thirty elsewhere', () => {
    expect(written(false)).toEqual(['0 of 100\n', '30 of 100\n'])
  })
})
