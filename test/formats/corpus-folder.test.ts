import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { expectedOf, judgeFile } from './corpus-folder.ts'

const folder = fileURLToPath(new URL('../corpus/', import.meta.url))
const files = [...expectedOf(folder)]

/** Those that are asked or refused where a person would read them, by what is in their way. */
const notYet: ReadonlySet<string> = new Set([])

describe('the corpus of files as hosts have them (test/corpus)', () => {
  it('has at least 300 files', () => {
    expect(files.length).toBeGreaterThanOrEqual(300)
    expect([...notYet].filter((path) => !files.some(([each]) => each === path))).toEqual([])
  })

  it('is read without a question but for one file of twenty', () => {
    expect(notYet.size).toBeLessThanOrEqual(files.length / 20)
  })

  it.each(files)('%s: what is read is right, and nothing else is saved', async (path, expected) => {
    const { verdict, details } = await judgeFile(folder, path, expected)
    expect(
      ['right', ...(notYet.has(path) ? ['asked', 'refused', 'part'] : [])],
      details.join('\n'),
    ).toContain(verdict)
  })
})
