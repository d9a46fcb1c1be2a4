import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'

const STRAY = 4_321_987
const link = (id: number): string => `https://osu.ppy.sh/b/${id}`
const buckets = { NoMod: 'NM', Hidden: 'HD', Doubletime: 'DT' } as const
const entries = Object.entries(buckets).flatMap(([word, code], at) =>
  [1, 2, 3].map((index) => ({ word, code, index, id: 1_290_000 + at * 500 + index * 37 })),
)
const byBucket = (
  item: (each: (typeof entries)[number]) => string,
  head: (word: string) => string,
) => entries.flatMap((each) => (each.index === 1 ? [head(each.word), item(each)] : [item(each)]))

/** Ways of writing one pool, in lines of which each is an item or a heading. */
const pools: Readonly<Record<string, readonly string[]>> = {
  lines: entries.map(({ code, index, id }) => `${code}${index} ${id}`),
  links: entries.map(({ code, index, id }) => `${code}${index}: ${link(id)}`),
  headings: byBucket(
    ({ id }) => link(id),
    (word) => word,
  ),
  'numbered items': byBucket(
    ({ index, id }) => `${index}. [Reef - Tide [Hard]](${link(id)})`,
    (word) => `**${word}**`,
  ),
  article: [
    '### Finals',
    '',
    ...byBucket(
      ({ index, id }) => `  ${index}. [Reef - Tide \\[Hard\\]](${link(id)})`,
      (word) => `- ${word}`,
    ),
  ],
  'forum post': byBucket(
    ({ id }) => `[*][url=${link(id)}]Reef - Tide [Hard][/url]`,
    (word) => `[b]${word}[/b]`,
  ),
  page: [
    '<h2>Finals</h2>',
    ...entries.map(
      ({ code, index, id }) => `<ul><li>${code}${index} <a href="${link(id)}">Tide</a></li></ul>`,
    ),
  ],
}

const word = fc.stringMatching(/^[A-Za-z]{1,9}$/)
const form = fc.constantFrom(
  (name: string) => `- ${name} ${STRAY}`,
  (name: string) => `- ${name}: ${link(STRAY)}`,
  (name: string) => `  - ${name} [Reef - Foam](${link(STRAY)})`,
  (name: string) => `* ${name}1 - ${STRAY}`,
  (name: string) => `${name} ${link(STRAY)}`,
  (name: string) => `${name}: ${STRAY}`,
  (name: string) => `${name}2 ${link(STRAY)} (${name})`,
  (name: string) => `#2 ${link(STRAY)} ${name}`,
  () => `#2 ${STRAY}`,
  (name: string) => `#${name}2 ${STRAY}`,
  (name: string) => `[${name}](${link(STRAY)})`,
  (name: string) => `"${name}" ${link(STRAY)}`,
  (name: string) => `<b>${name}</b> ${link(STRAY)}`,
  (name: string) => `${name}\t${link(STRAY)}`,
  (name: string) => `10. ${name} = ${STRAY}`,
  (name: string) => `> ${name}: ${link(STRAY)}`,
  (name: string) => `| ${name} | ${link(STRAY)} |`,
  (name: string) => `### ${name} ${link(STRAY)}`,
  (name: string) => `see ${link(STRAY)} for ${name}`,
)

describe('a line with a beatmap among those of a pool', () => {
  it('is a slot, a question, a refusal or a note, whatever it looks like', () => {
    const shape = fc.constantFrom(...Object.keys(pools))
    fc.assert(
      fc.property(shape, word, form, fc.nat({ max: 20 }), (name, own, stray, at) => {
        const lines = pools[name]!.toSpliced(at % (pools[name]!.length + 1), 0, stray(own))
        const read = readImport(lines.join('\n'))
        const all = [...read.pools.flatMap((each) => each.lines), ...read.others]
        // What looks like a program is refused whole.
        const isTold =
          all.every(({ outcome }) => outcome === 'refused') ||
          read.beatmapIds.includes(STRAY) ||
          read.notes.some((note) => note.includes(`${STRAY}`)) ||
          all.some(
            ({ outcome, text }) =>
              (outcome === 'asked' || outcome === 'refused') && text.includes(`${STRAY}`),
          )
        expect(isTold, lines.join('\n')).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })
})

it('a line among those of a pool is told, if only as one that says nothing of a slot', () => {
  const shapes = Object.keys(pools).filter((name) => name !== 'page')
  const stray = fc.constantFrom(
    'NM 3, HD 3',
    'NM: 3, HD: 3, DT: 3',
    'Good luck to all of you',
    '***',
  )
  fc.assert(
    fc.property(fc.constantFrom(...shapes), stray, fc.nat({ max: 20 }), (name, own, at) => {
      const lines = pools[name]!.toSpliced(at % (pools[name]!.length + 1), 0, own)
      const read = readImport(lines.join('\n'))
      const told = new Set(
        [...read.pools.flatMap((each) => each.lines), ...read.others].map(({ line }) => line),
      )
      const lost = lines.filter((text, place) => text !== '' && !told.has(place + 1))
      expect(lost, lines.join('\n')).toEqual([])
    }),
  )
})
