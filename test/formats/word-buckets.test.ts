import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'
import { slotLabel } from '../../src/pool/slots.ts'

const read = (...lines: string[]) => readImport(lines.join('\n'))
/** The slots of a text, and the lines that are refused or asked: `Jump1=75 4?`. */
const slots = (...lines: string[]): string =>
  read(...lines)
    .pools.flatMap((pool) => pool.lines)
    .flatMap((line) => {
      if (line.outcome === 'slot') return [`${slotLabel(line)}=${line.beatmapId}`]
      return line.outcome === 'skipped'
        ? []
        : [`${line.line}${line.outcome === 'asked' ? '?' : ''}`]
    })
    .join(' ')

const link = (id: number): string => `https://osu.ppy.sh/b/${id}`

describe('the name of a skill above beatmaps', () => {
  it.each<[string, string[], string]>([
    [
      'a word',
      ['Jump', '129891', '129892', 'Stream', '75'],
      'Jump1=129891 Jump2=129892 Stream1=75',
    ],
    ['each above one', ['Alt', '129891', 'aim', '129892'], 'Alt1=129891 aim1=129892'],
    ['several words', ['Finger control', '129891', 'Tech', '75'], 'FC1=129891 Tech1=75'],
    ['in marks', ['**Speed**', link(75), '__Reading__:', link(76)], 'Speed1=75 Reading1=76'],
    ['a heading', ['### Jump', `- ${link(75)}`, '### Tech', `- ${link(76)}`], 'Jump1=75 Tech1=76'],
    [
      'above a numbered list beside usual buckets',
      ['NM', `1. A - B ${link(75)}`, 'Stamina', `1. C - D ${link(76)}`, 'TB', link(77)],
      'NM1=75 Stamina1=76 TB=77',
    ],
    [
      'in a post',
      ['[b]Aim[/b]', '[list]', `[*][url=${link(75)}]A - B[/url]`, '[/list]'],
      'Aim1=75',
    ],
  ])('is a bucket: %s', (_, lines, pool) => {
    expect(slots(...lines)).toBe(pool)
    expect(read(...lines).questions).toEqual([])
  })

  it.each<[string, string[], string]>([
    ['a title between the label and its beatmap', ['NM1', 'Jump', '129891'], 'NM1=129891'],
    ['a title in the list of a bucket', ['NM', 'Stream', '129891'], '2 1=129891'],
    ['a word above no beatmap', ['NM1 129891', 'Speed'], 'NM1=129891'],
    ['a word above labels', ['Jump', 'NM1 129891', 'NM2 75'], 'NM1=129891 NM2=75'],
    ['a word of a sentence', ['Jump into the pool today', '129891'], '1=129891'],
  ])('is none as %s', (_, lines, pool) => {
    expect(slots(...lines)).toBe(pool)
  })
})

describe('other words above lists of beatmaps', () => {
  const text = ['Farm', '129891', '129892', 'Slow', '129893']

  it('are asked, each by itself, and are buckets or none', () => {
    const { questions } = read(...text)
    expect(questions.map(({ text: question }) => question)).toEqual([
      '“Farm” is not a known bucket. Where do its beatmaps belong?',
      '“Slow” is not a known bucket. Where do its beatmaps belong?',
    ])
    const answers = new Map(questions.map(({ id }, at) => [id, at === 0 ? 'a' : 'b'] as const))
    const { pools } = readImport(text.join('\n'), { answers })
    expect(pools.map(({ draft }) => draft.slots.map((slot) => slotLabel(slot)))).toEqual([
      ['Farm1', 'Farm2', '1'],
    ])
  })

  it('are asked up to as many as there may be own buckets', () => {
    const words = ['Farm', 'Slow', 'Wide', 'Calm', 'Loud', 'Dark', 'Warm', 'Cold', 'Grand']
    const listed = (count: number) =>
      words
        .slice(0, count)
        .flatMap((word, at) => [word, `${129_891 + 2 * at}`, `${129_892 + 2 * at}`])
    expect([8, 9].map((count) => read(...listed(count)).questions.length)).toEqual([8, 0])
  })

  it.each<[string, string[], string]>([
    ['above one beatmap each', ['Low', '129891', 'Tide', '129892'], '1 1=129891 3 2=129892'],
    ['where there is but one', ['Farm', '129891', '129892'], '1 1=129891 2=129892'],
    [
      'in sentences',
      ['See you all in May', '75000', '76000', 'Farm', '77000'],
      '1=75000 2=76000 4 3=77000',
    ],
  ])('are refused %s: they may be titles', (_, lines, pool) => {
    expect(slots(...lines)).toBe(pool)
    expect(read(...lines).questions).toEqual([])
  })
})
