import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { CorpusError, expectedOf, judgeFile, unlistedIn } from './corpus-folder.ts'

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

describe('a corpus of somebody else', () => {
  const made = (expected: string): string => {
    const own = mkdtempSync(join(tmpdir(), 'corpus-'))
    writeFileSync(join(own, 'a.txt'), 'NM1 129891')
    writeFileSync(join(own, 'expected.json'), expected)
    return own
  }
  const right = { kind: 'read', pools: [{ name: null, slots: { NM1: 129891 } }] }

  it.each([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['an unknown kind', JSON.stringify({ 'a.txt': { ...right, kind: 'raed' } })],
    ['a path out of the folder', JSON.stringify({ 'b/../../a.txt': right })],
    [
      'an id that is no number',
      JSON.stringify({ 'a.txt': { kind: 'read', pools: [{ slots: { NM1: '5' } }] } }),
    ],
  ])('is refused in a sentence for %s', (_, expected) => {
    expect(() => expectedOf(made(expected))).toThrow(CorpusError)
  })

  it('says which file is not there, and which is not listed', async () => {
    const own = made(JSON.stringify({ 'b.txt': right }))
    const all = expectedOf(own)
    await expect(judgeFile(own, 'b.txt', all.get('b.txt')!)).rejects.toThrow(CorpusError)
    expect(unlistedIn(own, all)).toEqual(['a.txt'])
    expect(() => expectedOf(join(own, 'nowhere'))).toThrow(CorpusError)
  })

  it('is told that what it calls no pool should not have been read', async () => {
    const own = made(JSON.stringify({ 'a.txt': { kind: 'none', pools: [] } }))
    const { verdict, details } = await judgeFile(own, 'a.txt', expectedOf(own).get('a.txt')!)
    expect([verdict, details]).toEqual(['wrong', ['NM 1 129891 should not have been read']])
  })
})
