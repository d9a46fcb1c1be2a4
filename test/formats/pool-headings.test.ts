import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'
import { slotLabel } from '../../src/pool/slots.ts'

const slots = ['NM1=2547849', 'NM2=2547850', 'HD1=2547851']
const lines = [
  'NoMod',
  '1. https://osu.ppy.sh/b/2547849',
  '2. https://osu.ppy.sh/b/2547850',
  'Hidden',
  '1. https://osu.ppy.sh/b/2547851',
]
const article = [
  '- NoMod',
  '  1. [a - b (c) \\[d\\]](https://osu.ppy.sh/beatmapsets/1#osu/2547849)',
  '  2. [a - b (c) \\[d\\]](https://osu.ppy.sh/beatmapsets/1#osu/2547850)',
  '- Hidden',
  '  1. [a - b (c) \\[d\\]](https://osu.ppy.sh/beatmapsets/1#osu/2547851)',
]
/** The heading of a round, that of its pool right below it, the slots, and what ends both. */
const forms: Record<string, (round: string, pool: string) => string[]> = {
  'boxes in a post': (round, pool) => [`[b]${round}[/b]`, `[box=${pool}]`, ...lines, '[/box]'],
  'headings of Markdown': (round, pool) => [`# ${round}`, `## ${pool}`, ...lines],
  'an article': (round, pool) => [`## ${round}`, '', `### ${pool}`, '', ...article, ''],
  'plain lines': (round, pool) => [round, pool, ...lines],
}

const read = (text: string) => {
  const { pools, questions } = readImport(text)
  expect(questions, text).toEqual([])
  return pools.map(({ name, round }) => [
    name,
    round.slots.map((slot) => `${slotLabel({ ...slot })}=${slot.beatmapId}`),
  ])
}

it.each(Object.keys(forms))(
  'a heading that says that the pool follows is no round below that of one: %s',
  (form) => {
    const rounds = fc.subarray(['Round of 16', 'Quarterfinals', 'Finals'], { minLength: 1 })
    const pool = fc.constantFrom('Mappool', 'Map Pool', 'Maps', 'Mappool:', 'Beatmaps', 'Mapas')
    fc.assert(
      fc.property(rounds, pool, (names, heading) => {
        const text = names.flatMap((name) => forms[form]!(name, heading)).join('\n')
        expect(read(text), text).toEqual(names.map((name) => [name, slots]))
      }),
    )
  },
)

it('a pool that has no other name is called so', () => {
  expect(read(['[box=Mappool]', ...lines, '[/box]'].join('\n'))).toEqual([['Mappool', slots]])
  expect(read(['## Maps', '', ...article].join('\n'))).toEqual([['Maps', slots]])
})
