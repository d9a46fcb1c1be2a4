import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { named, say } from '../../src/formats/import/import-message.ts'
import { readLeavingOut } from '../../src/formats/import/text/left-out.ts'
import { readImport } from '../../src/formats/import/read-import.ts'
import { slotLabel } from '../../src/pool/slots.ts'

const read = (text: string) => {
  const { pools, questions, notes } = readImport(text)
  const slots = pools.flatMap(({ draft }) =>
    draft.slots.map((slot) => `${slotLabel(slot)} ${slot.beatmapId}`),
  )
  return { slots: slots.toSorted(), notes, isAsked: questions.length > 0 }
}

const codes = ['NM', 'HD', 'HR', 'DT', 'FM']
const pool = codes.flatMap((code, n) =>
  [1, 2, 3].map((index) => `${code}${index} ${129_891 + n * 40 + index}`),
)
const link = (slot: string): string => slot.replace(' ', ': https://osu.ppy.sh/b/')

type Mark = (slot: string) => string
/** Ways of leaving out a line, with a note. */
const marks: Readonly<Record<string, Mark>> = {
  'a comment': (slot) => `<!-- ${slot} -->`,
  'a comment over several lines': (slot) => `<!--\n\n${slot}\n-->`,
  'a comment of a program': (slot) => `/* ${slot} */`,
  'one of several lines': (slot) => `/*\n * so far\n${slot}\n*/`,
  'a comment of a note': (slot) => `%% ${slot} %%`,
  'a comment of a template': (slot) => `{# ${slot} #}`,
  'one with an exclamation mark': (slot) => `{{! ${slot} }}`,
  'one with hyphens': (slot) => `{{!-- ${slot} --}}`,
  'one with a number sign': (slot) => `<%# ${slot} %>`,
  'one with hyphens over several lines': (slot) => `<%--\n${slot}\n--%>`,
  tildes: (slot) => `~~${slot}~~`,
  'tildes in an item': (slot) => `- ~~${slot}~~`,
  'tildes at the id': (slot) => slot.replace(/\S+$/, '~~$&~~'),
  'tildes at the slot': (slot) => slot.replace(/^\w+/, '~~$&~~'),
  'a tag of posts': (slot) => `[s]${slot}[/s]`,
  'a tag of posts over lines': (slot) => `[s]\n${slot}\n[/s]`,
  'a tag of posts at the id': (slot) => slot.replace(/\S+$/, '[s]$&[/s]'),
  'a longer tag': (slot) => `[strike]${slot}[/strike]`,
  'a tag of pages': (slot) => `<s>${slot}</s>`,
  'another tag of pages': (slot) => `<del>${slot}</del>`,
}
const lines = fc.record({
  at: fc.integer({ min: 0, max: pool.length - 1 }),
  mark: fc.constantFrom(...Object.keys(marks)),
  isLinked: fc.boolean(),
})

describe('what a text leaves out', () => {
  it('is no slot, and said so, and nothing else changes', () => {
    fc.assert(
      fc.property(lines, ({ at, mark, isLinked }) => {
        const form = isLinked ? link : String
        const text = pool.map((slot, n) => (n === at ? marks[mark]!(form(slot)) : form(slot)))
        const { slots, notes, isAsked } = read(text.join('\n'))
        expect(slots).toEqual(pool.filter((_, n) => n !== at).toSorted())
        expect(notes).toHaveLength(1)
        expect(isAsked).toBe(false)
      }),
      { numRuns: 300 },
    )
  })

  it('has a place for what comes instead', () => {
    expect(read('NM1 ~~129891~~ 129892\n~~HD1 129893~~ HD1 129894').slots).toEqual([
      'HD1 129894',
      'NM1 129892',
    ])
  })

  it('is struck through in a page, in its cells and in its links', () => {
    const cell = (text: string): string => `<td>${text}</td>`
    const page = `<table>
      <tr>${cell('NM1')}${cell('129891')}</tr>
      <tr>${cell('<s>NM2</s>')}${cell('<s>129892</s>')}</tr>
      <tr>${cell('<del>NM3</del>')}${cell('129893')}</tr>
      <tr>${cell('HD1')}${cell('<a href="https://osu.ppy.sh/b/129894"><strike>A - B</strike></a>')}</tr>
    </table>`
    const { slots, notes } = read(page)
    expect(slots).toEqual(['NM1 129891'])
    expect(notes).toEqual(['3 lines (3, 4, 5) are struck through and were left out.'])
  })

  it('is a comment in the lines of a configuration', () => {
    const { slots, notes } = read('[NoMod]\n129891\n;129892\n129893')
    expect(slots).toEqual(['NM1 129891', 'NM2 129893'])
    expect(notes).toEqual(['“;129892” was left out.'])
  })

  it('is asked where words say so', () => {
    for (const line of ['NM2 129892 (removed)', 'NM2 129892 (banned)', 'Bans: NM2 129892']) {
      const { slots, isAsked } = read(`NM1 129891\n${line}`)
      expect(slots).toEqual(['NM1 129891'])
      expect(isAsked).toBe(true)
    }
  })

  it('is asked where words behind a beatmap say so, in whatever column it is', () => {
    const words = fc.constantFrom('(removed)', '[banned]', '(do not use)', '(old)')
    const cells = fc.shuffledSubarray(['slot', 'stars', 'title', 'map'] as const, { minLength: 4 })
    const names = { slot: 'Slot', stars: 'SR', title: 'Title', map: 'Beatmap ID' }
    fc.assert(
      fc.property(
        words,
        cells,
        fc.constantFrom(',', '\t', ';'),
        fc.boolean(),
        fc.boolean(),
        (out, columns, separator, isQuoted, isLinked) => {
          const rows = ['NM1', 'NM2', 'HD1'].map((slot, at) => {
            const id = `${isLinked ? 'https://osu.ppy.sh/b/' : ''}${129_891 + at}`
            const own = { slot, stars: `6.${at}`, title: `Low Tide ${slot}`, map: id }
            const map = at === 1 ? `${id} ${out}` : id
            const cell = isQuoted && at === 1 ? `"${map}"` : map
            return columns.map((column) => (column === 'map' ? cell : own[column]))
          })
          const text = [columns.map((column) => names[column]), ...rows]
            .map((row) => row.join(separator))
            .join('\n')
          const { slots, isAsked } = read(text)
          expect([text, slots, isAsked]).toEqual([text, ['HD1 129893', 'NM1 129891'], true])
        },
      ),
    )
  })

  it('is no more than it was where nothing closes it', () => {
    for (const mark of ['<!-- ', '/* ', '{{! ', '<%# ', '[s]', '<s>', '~~ ']) {
      expect(read(`NM1 129891\n${mark}\nNM2 129892`).slots).toEqual(['NM1 129891', 'NM2 129892'])
    }
  })
})

describe('a change in version control', () => {
  const fences = ['', '```', '```diff', '~~~diff', '```patch']
  const changes = fc.record({
    fence: fc.constantFrom(...fences),
    gap: fc.constantFrom('', ' '),
    words: fc.constantFrom('', 'New pool:\n'),
    changed: fc.uniqueArray(fc.integer({ min: 0, max: pool.length - 1 }), { minLength: 1 }),
  })

  it('never has the line that was taken out', () => {
    fc.assert(
      fc.property(changes, ({ fence, gap, words, changed }) => {
        const after = (slot: string): string => slot.replace(/ 1/, ' 4')
        const text = pool.map((slot, n) =>
          changed.includes(n) ? `-${gap}${slot}\n+${gap}${after(slot)}` : ` ${gap}${slot}`,
        )
        const end = fence.slice(0, 3)
        const { slots } = read(`${words}${fence}\n${text.join('\n')}\n${end}`)
        expect(slots).toEqual(
          pool.map((slot, n) => (changed.includes(n) ? after(slot) : slot)).toSorted(),
        )
      }),
    )
  })

  it('is told from lists with either sign as their bullet', () => {
    const links = pool.slice(0, 4).map((slot) => `https://osu.ppy.sh/b/${slot.split(' ')[1]}`)
    const [one, two, three, four] = links
    const text = `NoMod:\n- ${one}\n- ${two}\nHidden:\n+ ${three}\n+ ${four}`
    expect(read(text).slots.map((slot) => slot.split(' ')[0])).toEqual(['HD1', 'HD2', 'NM1', 'NM2'])
  })
})

describe('a text without what is not meant in it', () => {
  it.each<[string, string, string[], number[]]>([
    ['a <!-- NM1 1234 --> b', 'a  b', ['<!-- NM1 1234 -->'], []],
    ['a <!-- NM1 123 --> b', 'a  b', [], []],
    ['a <!-- b', 'a <!-- b', [], []],
    ['<!-- 1234\n5678 -->\nx', '\n\nx', ['<!-- 1234 5678 -->'], []],
    ['/* NM1 1234 */\nNM2 1234', '\nNM2 1234', ['/* NM1 1234 */'], []],
    ['a /* NM1 1234 */', 'a /* NM1 1234 */', [], []],
    ['%% NM1 1234 %%', '', ['%% NM1 1234 %%'], []],
    ['{# 1234 #}', '', ['{# 1234 #}'], []],
    ['{{! 1234 }} x', ' x', ['{{! 1234 }}'], []],
    ['<%# 1234 %>y', 'y', ['<%# 1234 %>'], []],
    ['<% 1234 %>', '<% 1234 %>', [], []],
    ['[a]\n;NM1=1234\nx', '[a]\n\nx', [';NM1=1234'], []],
    ['; NM1 1234', '; NM1 1234', [], []],
    ['// NM1 1234\n//NM2 x', '\n//NM2 x', ['// NM1 1234'], []],
    ['#NM1 1234\n# NM2 1234', '\n# NM2 1234', ['#NM1 1234'], []],
    ['[//]: # (NM1 1234)', '', ['[//]: # (NM1 1234)'], []],
    ['// TB 1234', '', ['// TB 1234'], []],
    ['"a"\n// NM1 1234', '"a"\n// NM1 1234', [], []],
    ['~~NM1 1234~~', '', [], [11]],
    ['NM1 ~~1234~~ 1235', 'NM1   1235', [], []],
    ['~~NM1~~ 1234', '', [], [11]],
    ['NM1 ~~low~~ 1234', 'NM1 ~~low~~ 1234', [], []],
    ['NM1 ~~1234~~ TBA', 'NM1   TBA', [], []],
    ['[~~NM1~~](https://osu.ppy.sh/b/1)', '', [], [11]],
    ['[s]NM1\nNM2[/s]\nNM3 1234', '\n\nNM3 1234', [], [11, 12]],
    ['<del>1234</del> 1235', '  1235', [], []],
    ['-NM1 1234-', '', [], [11]],
    ['--NM1 1234--', '', [], [11]],
    ['-NM1 1234', '-NM1 1234', [], []],
    ['~~~NM1~~~', '~~~NM1~~~', [], []],
    ['~~ NM1 ~~', '~~ NM1 ~~', [], []],
    ['[url=x][s]NM1[/s][/url]', '[url=x][s]NM1[/s][/url]', [], []],
    [
      '~~NM1 1234~~\n~~NM2 1234~~\n~~NM3 1~~\n~~NM4 1~~\n~~NM5 1~~\n~~NM6 1~~',
      '\n\n\n\n\n',
      [],
      [11, 12, 13, 14, 15, 16],
    ],
  ])(
    'keeps its lines, and notes what may have had a beatmap: %j',
    (text, left, comments, struck) => {
      const { notes, plain } = readLeavingOut(
        text,
        (own) => ({ findings: [], notes: [], plain: own }),
        (line) => line + 10,
      )
      expect(plain).toBe(left)
      expect(notes).toEqual([
        ...comments.map((what) => say('leftOut', { what: `“${what}”` })),
        ...(struck.length === 0
          ? []
          : [say('struckLines', { n: struck.length, lines: named(struck, 5) })]),
      ])
    },
  )
})

describe('a comment in data', () => {
  type Slot = readonly [label: string, id: number]
  const forms: Readonly<Record<string, (slots: readonly Slot[], out: number) => string>> = {
    'a list of objects': (slots, out) =>
      `[\n${slots.map(([slot, id], at) => `${at === out ? '  // ' : '  '}{ "slot": "${slot}", "id": ${id} },`).join('\n')}\n]`,
    'keys of a program': (slots, out) =>
      `const pool = {\n${slots.map(([slot, id], at) => (at === out ? `/* ${slot}: ${id}, */` : `${slot}: ${id},`)).join('\n')}\n}`,
    'keys of Python': (slots, out) =>
      `pool = {\n${slots.map(([slot, id], at) => `    ${at === out ? '# ' : ''}'${slot}': ${id},`).join('\n')}\n}`,
    YAML: (slots, out) =>
      `maps:\n${slots
        .map(([slot, id], at) => {
          const sign = at === out ? '#' : ''
          return `${sign}  - slot: ${slot}\n${sign}    id: ${id}`
        })
        .join('\n')}`,
    TOML: (slots, out) =>
      `[pool]\n${slots.map(([slot, id], at) => `${at === out ? '# ' : ''}${slot} = ${id}`).join('\n')}`,
  }

  it.each(Object.entries(forms))('is named in a note where it has a beatmap: %s', (_, form) => {
    const anyIds = fc.uniqueArray(fc.integer({ min: 10_000, max: 5_900_000 }), {
      minLength: 4,
      maxLength: 4,
    })
    fc.assert(
      fc.property(anyIds, fc.nat(3), (ids, out) => {
        const slots = ['NM1', 'NM2', 'HD1', 'HR1'].map((label, at) => [label, ids[at]!] as const)
        const text = form(slots, out)
        const { pools, questions, notes } = readImport(text)
        const read = pools.flatMap(({ round }) => round.slots.map(({ beatmapId }) => beatmapId))
        expect({ text, read, questions }).toEqual({
          text,
          read: ids.toSpliced(out, 1),
          questions: [],
        })
        expect({ text, notes }).toEqual({ text, notes: [expect.stringContaining(`${ids[out]}`)] })
      }),
      { numRuns: 30, endOnFailure: true },
    )
  })

  it('is nothing to say where it has none, or only what is read', () => {
    const text =
      '[\n// of 2024, in 2 parts\n// 129891 is the first one\n{"slot":"NM1","id":129891}]'
    expect(readImport(text).notes).toEqual([])
  })
})

describe('a line behind # in a list', () => {
  it.each(['# NM2 129895', '# NM2: https://osu.ppy.sh/b/129895', '# alternative: 129895'])(
    'is named in a note where it has a beatmap: %s',
    (comment) => {
      expect(read(`NM1 129891\n${comment}\nHD1 129893`)).toEqual({
        slots: ['HD1 129893', 'NM1 129891'],
        notes: [`“${comment}” was left out.`],
        isAsked: false,
      })
    },
  )

  it.each(['# Finals of 2024', '# NM1', '# a remark, 3 of 20'])(
    'is nothing to say else: %s',
    (comment) => {
      expect(read(`NM1 129891\n${comment}\nHD1 129893`).notes).toEqual([])
    },
  )

  it.each(['#N: Elm - Ash (129895)', '#N. Elm - Ash 129895', '# N) Elm - Ash [Hard] 129895'])(
    'is an item with its number, and never left out: %s',
    (form) => {
      const text = `NoMod\n${form.replace('N', '1')}\n${form.replace('N', '2').replace('5', '6')}`
      const { pools, others } = readImport(text)
      const lines = [...pools.flatMap((pool) => pool.lines), ...others]
      const told = lines.filter(({ line, outcome }) => line > 1 && outcome !== 'skipped')
      expect({ text, told: told.length }).toEqual({ text, told: 2 })
    },
  )
})
