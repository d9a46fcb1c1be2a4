import { describe, expect, it } from 'vitest'
import {
  bytesOf,
  type Expected,
  filesOf,
  judge,
  readCorpus,
  textOf,
  type Verdict,
} from './corpus-cases.ts'

const shapes = readCorpus()

describe('the corpus of pools as hosts keep them', () => {
  it('has files enough, of each shape at least ten', () => {
    expect(shapes.length).toBeGreaterThanOrEqual(25)
    const counts = shapes.map(({ id, files }) => [id, files.size >= 10])
    expect(counts.filter(([, isEnough]) => !isEnough)).toEqual([])
    expect(shapes.flatMap(({ files }) => [...files]).length).toBeGreaterThanOrEqual(300)
  })

  it.each(shapes)('says of each file of $id what a person reads', ({ id, files, sample }) => {
    expect(filesOf(id).toSorted()).toEqual([...files.keys()].toSorted())
    if (sample !== null) expect(textOf(id, sample).split('\n').length).toBeLessThan(30)
    for (const [file, { pools = [], asked = [], refused = [], isRefused = false }] of files) {
      const slots = pools.flatMap((pool) => pool.slots)
      expect(slots.length + asked.length > 0, file).toBe(!isRefused)
      for (const slot of slots) {
        expect(slot).toMatch(/^(?:-|[\p{L}\p{N}]*\p{L}\p{N}*(?:\d| \d+)) [1-9]\d*$/u)
      }
      for (const line of [...refused, ...asked.map((each) => each.line)]) {
        expect(line, file).toBeGreaterThan(0)
      }
    }
  })
})

describe('the judge of how a file was read', () => {
  const judged = (text: string, expected: Expected) =>
    judge(new TextEncoder().encode(text), 'pool.txt', expected)
  const pool = (...slots: string[]): Expected => ({ pools: [{ name: null, slots }] })

  it('has nothing to say of what is read as a person reads it', async () => {
    const expected = pool('NM1 129891', 'HD1 75')
    expect(await judged('NM1 129891\nHD1 75', expected)).toEqual({
      slots: 2,
      read: 2,
      asked: 0,
      refused: 0,
      wrong: [],
      needless: [],
    })
  })

  it.each([
    ['a slot that is not read', 'NM1 129891', pool('NM1 129891', 'HD1 75')],
    ['a slot that nobody reads', 'NM1 129891\nHD1 75', pool('NM1 129891')],
    ['another number', 'NM2 129891', pool('NM1 129891')],
    ['another beatmap', 'NM1 75', pool('NM1 129891')],
    ['another order of beatmaps without slots', '75\n76', pool('- 76', '- 75')],
    ['mods that the text does not force', 'EZ1 75', pool('EZ1 75')],
    ['another round', 'RO16\nNM1 75', { pools: [{ name: 'RO32', slots: ['NM1 75'] }] }],
    ['a line left out in silence', '# NM1\nNM2 75', { ...pool('NM2 75'), refused: [1] }],
    ['a line that is not asked', 'NM1 75', { asked: [{ line: 1, readings: ['NM1 75'] }] }],
    ['a pool where there is none', 'NM1 75', { isRefused: true }],
  ])('finds %s', async (_, text, expected: Expected) => {
    expect((await judged(text, expected)).wrong).not.toEqual([])
  })

  it('takes a refusal for what it is, and for needless if nobody expects it', async () => {
    const text = 'NM1 75\nNM2 https://osu.ppy.sh/users/1'
    const { wrong, needless } = await judged(text, pool('NM1 75'))
    expect([wrong, needless.length]).toEqual([[], 1])
    const clean = await judged(text, { ...pool('NM1 75'), refused: [2] })
    expect([clean.wrong, clean.needless]).toEqual([[], []])
  })
})

describe('a file of the corpus', () => {
  const files = shapes.flatMap(({ id, files: own }) =>
    [...own].map(([file, expected]) => ({ name: `${id}/${file}`, id, file, expected })),
  )
  const verdicts = new Map<string, Promise<Verdict>>()
  const verdictOf = ({ name, id, file, expected }: (typeof files)[number]) => {
    const verdict = verdicts.get(name) ?? judge(bytesOf(id, file), file, expected)
    verdicts.set(name, verdict)
    return verdict
  }

  it.each(files)('$name is read as a person reads it', async (file) => {
    const { wrong, needless } = await verdictOf(file)
    expect({ wrong, needless }).toEqual({ wrong: [], needless: [] })
  })

  it('is read without a question if it is clear: 97 of 100 slots, and none wrong', async () => {
    const clear = files.filter(
      ({ expected: { asked = [], refused = [], isRefused = false } }) =>
        asked.length + refused.length === 0 && !isRefused,
    )
    const all = await Promise.all(files.map(verdictOf))
    const ofClear = await Promise.all(clear.map(verdictOf))
    const sum = (figures: readonly number[]) => figures.reduce((total, each) => total + each, 0)
    expect(sum(all.map(({ wrong }) => wrong.length))).toBe(0)
    expect(sum(ofClear.map(({ read }) => read))).toBeGreaterThanOrEqual(
      0.97 * sum(ofClear.map(({ slots }) => slots)),
    )
  })
})
