import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainScalar } from '../../src/formats/json/parse-flow.ts'
import { parseToml } from '../../src/formats/json/parse-toml.ts'
import { parseYaml } from '../../src/formats/json/parse-yaml.ts'
import { plainValue } from '../../src/formats/json/parse-literal.ts'
import { readImport } from '../../src/formats/import/read-import.ts'
import { slotLabel } from '../../src/pool/slots.ts'

type Slot = { readonly mod: string; readonly index: number; readonly beatmapId: number }
type Round = { readonly name: string; readonly slots: readonly Slot[] }

const anyRounds: fc.Arbitrary<readonly Round[]> = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom('Qualifiers', 'Round of 16', 'Finals', 'Grand Finals', '16강', '半决赛'),
    slots: fc
      .uniqueArray(fc.constantFrom('NM', 'HD', 'HR', 'DT', 'RC', 'LN', 'HDHR', 'TB'), {
        minLength: 1,
      })
      .chain((mods) =>
        fc.tuple(
          ...mods.map((mod) =>
            fc
              .uniqueArray(fc.integer({ min: 100, max: 6_000_000 }), {
                minLength: 1,
                maxLength: mod === 'TB' ? 1 : 4,
              })
              .map((ids) => ids.map((beatmapId, at) => ({ mod, index: at + 1, beatmapId }))),
          ),
        ),
      )
      .map((groups) => groups.flat())
      .filter((slots) => slots.some(({ mod }) => mod === 'NM')),
  }),
  { selector: ({ name }) => name, minLength: 1, maxLength: 3 },
)

const byBucket = (slots: readonly Slot[]): [string, Slot[]][] => [
  ...Map.groupBy(slots, ({ mod }) => mod),
]
const label = ({ mod, index }: Slot): string => `${mod}${index}`
const link = ({ beatmapId }: Slot): string => `https://osu.ppy.sh/beatmapsets/7#osu/${beatmapId}`

const notations: Readonly<Record<string, (rounds: readonly Round[]) => string>> = {
  'a list of maps in YAML': (rounds) =>
    `rounds:\n${rounds
      .map(
        ({ name, slots }) =>
          `  - name: "${name}"  # best of 9\n    best_of: 9\n    maps:\n${slots
            .map((slot) => `    - slot: ${label(slot)}\n      id: ${slot.beatmapId}\n`)
            .join('')}`,
      )
      .join('')}`,
  'maps in braces in YAML': (rounds) =>
    rounds
      .map(
        ({ name, slots }) =>
          `---\nround: ${name}\nmaps:\n${slots
            .map(
              (slot) => `  - { slot: ${label(slot)}, id: ${slot.beatmapId}, title: "A: b, #c" }\n`,
            )
            .join('')}`,
      )
      .join(''),
  'a map of lists in YAML': (rounds) =>
    rounds
      .map(
        ({ name, slots }) =>
          `'${name}':\n${byBucket(slots)
            .map(
              ([mod, own]) => `  ${mod}:\n${own.map((slot) => `  - ${slot.beatmapId}\n`).join('')}`,
            )
            .join('')}`,
      )
      .join('\n'),
  'a map of short lists in YAML': (rounds) =>
    rounds
      .map(
        ({ name, slots }) =>
          `${name}:\n${byBucket(slots)
            .map(
              ([mod, own]) => `    ${mod}: [${own.map(({ beatmapId }) => beatmapId).join(', ')}]\n`,
            )
            .join('')}`,
      )
      .join(''),
  'links by slot in YAML': (rounds) =>
    rounds
      .map(
        ({ name, slots }) =>
          `${name}:\n${slots.map((slot) => `  ${label(slot)}: ${link(slot)}\n`).join('')}`,
      )
      .join(''),
  'lists of tables in TOML': (rounds) =>
    rounds
      .map(
        ({ name, slots }) =>
          `[[rounds]]\nname = "${name}"\n\n${slots
            .map(
              (slot) =>
                `[[rounds.maps]]\nslot = "${label(slot)}" # a remark\nid = ${slot.beatmapId}\n`,
            )
            .join('\n')}`,
      )
      .join('\n'),
  'sections of slots in TOML': (rounds) =>
    rounds
      .map(
        ({ name, slots }) =>
          `["${name}"]\n${slots.map((slot) => `${label(slot)} = ${slot.beatmapId}\n`).join('')}`,
      )
      .join('\n'),
  'sections of lists in TOML': (rounds) =>
    rounds
      .map(
        ({ name, slots }) =>
          `[pools."${name}"]\n${byBucket(slots)
            .map(
              ([mod, own]) =>
                `${mod} = [\n  ${own.map(({ beatmapId }) => beatmapId).join(',\n  ')},\n]\n`,
            )
            .join('')}`,
      )
      .join('\n'),
  'an .ini file': (rounds) =>
    rounds
      .map(
        ({ name, slots }) =>
          `; ${name}\n[${name}]\n${slots.map((slot) => `${label(slot)}=${link(slot)}\n`).join('')}`,
      )
      .join('\n'),
  'the template of osu!collector, with ids': (rounds) =>
    rounds
      .flatMap(({ name, slots }) =>
        byBucket(slots).map(
          ([mod, own]) =>
            `[${name.toLowerCase()}.${mod}]\n${own.map(({ beatmapId }) => beatmapId).join('\n')}\n`,
        ),
      )
      .join('\n# a remark\n'),
  'the template of osu!collector, with links': (rounds) =>
    rounds
      .flatMap(({ name, slots }) =>
        byBucket(slots).map(([mod, own]) => `[${name}.${mod}]\n${own.map(link).join('\n')}\n`),
      )
      .join('\n'),
}

describe('a pool in the notation of a configuration file', () => {
  it.each(Object.entries(notations))('is read by its keys and sections: %s', (_, write) => {
    fc.assert(
      fc.property(anyRounds, fc.constantFrom('\n', '\r\n'), (rounds, lineBreak) => {
        const { pools, questions, others } = readImport(write(rounds).replaceAll('\n', lineBreak))
        expect(questions).toEqual([])
        const lines = [...pools.flatMap((pool) => pool.lines), ...others]
        expect(lines.filter(({ outcome }) => outcome === 'refused')).toEqual([])
        const found = pools.map(({ name, draft }) => ({
          name: name?.toLowerCase(),
          slots: draft.slots.map((slot) => `${slotLabel(slot)} ${slot.beatmapId}`).toSorted(),
        }))
        expect(found).toEqual(
          rounds.map(({ name, slots }) => ({
            name: name.toLowerCase(),
            slots: slots.map((slot) => `${slotLabel(slot)} ${slot.beatmapId}`).toSorted(),
          })),
        )
      }),
      { numRuns: 40 },
    )
  })

  it('keeps slots without a beatmap as planned (D-77)', () => {
    const yaml = 'maps:\n  - { slot: NM1, id: 75 }\n  - { slot: NM2, id: null, title: "A - B" }\n'
    expect(readImport(yaml).pools[0]!.round.slots).toEqual([
      { mod: 'NM', index: 1, beatmapId: 75 },
      { mod: 'NM', index: 2, details: { artist: 'A', title: 'B' } },
    ])
  })

  it('is no reason to lose a list that only looks like it', () => {
    const text = 'Pool:\n- HD1 129891 - Artist: Title\n- HD2 129892 - Artist: Title\n'
    expect(readImport(text).pools[0]!.draft.slots).toHaveLength(2)
  })
})

describe('YAML', () => {
  it.each<[string, unknown]>([
    ['a: 1\nb:\n  - x\n  -\n    y: z\nc:\n- 1', { a: 1, b: ['x', { y: 'z' }], c: [1] }],
    ['- - 1\n  - 2\n- a: b\n  c: null', [[1, 2], { a: 'b', c: null }]],
    ["a: \"b # c\" # d\n'e': 'it''s'\nf: x#y", { a: 'b # c', e: "it's", f: 'x#y' }],
    [
      'a: {b: [1, 2], "c": d e}\nf: [\n  1, # x\n  2\n]\ng: h',
      { a: { b: [1, 2], c: 'd e' }, f: [1, 2], g: 'h' },
    ],
    ['%a', undefined],
    ['a: &b c', undefined],
    ['a: |\n  text', undefined],
    ['a: b\n  c', undefined],
    ['a: b: c', undefined],
    ['a: [1, 2', undefined],
    ['a: "b', undefined],
    ['\ta: b', undefined],
  ])('%j', (text, expected) => {
    if (expected === undefined) expect(() => parseYaml(text)).toThrow()
    else expect(parseYaml(text).map(plainValue)).toEqual([expected])
  })
})

describe('TOML', () => {
  it.each<[string, unknown]>([
    ['a = 1\n[b.c]\nd = "e" # f', { a: 1, b: { c: { d: 'e' } } }],
    ['[[a]]\nb = 1\n[[a]]\nb = 2\n[[a.c]]\nd = 3', { a: [{ b: 1 }, { b: 2, c: [{ d: 3 }] }] }],
    ['["a b".c]\nd=e f ; g', { 'a b': { c: { d: 'e f' } } }],
    ['a = [\n  1,\n  2,\n]\nb = { c = "d" }', { a: [1, 2], b: { c: 'd' } }],
    ['a', undefined],
    ['a = [1', undefined],
    ['a = 1\n[a]\nb = 2', undefined],
  ])('%j', (text, expected) => {
    if (expected === undefined) expect(() => parseToml(text)).toThrow()
    else expect(plainValue(parseToml(text))).toEqual(expected)
  })
})

it.each([
  ['null', ['null', 'Null', 'NULL', '~', '']],
  ['true', ['true', 'True', 'TRUE']],
  ['false', ['false', 'False', 'FALSE']],
])('%s is the word, in any case', (value, words) => {
  for (const word of words) {
    expect(plainScalar(word, 0, word.length)).toMatchObject({ kind: 'word', value })
  }
})
