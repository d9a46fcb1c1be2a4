import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'

const idsOf = (text: string): string[] =>
  readImport(text).pools.flatMap(({ round }) =>
    round.slots.map(({ mod, index, beatmapId }) => `${mod}${index} ${beatmapId ?? 'planned'}`),
  )
const anyBuckets = fc.shuffledSubarray(['NM', 'HD', 'HR', 'DT', 'FM'], { minLength: 2 })
const anySeparator = fc.constantFrom(',', '\t', ';')

it('joins no two tables in which buckets begin again, and tables that go on', () => {
  const middles = [['Mod', 'ID'], ['', ''], null]
  fc.assert(
    fc.property(
      anyBuckets.chain((codes) =>
        fc.tuple(fc.constant(codes), fc.shuffledSubarray(codes, { minLength: 2 })),
      ),
      anySeparator,
      fc.constantFrom(...middles),
      fc.boolean(),
      ([codes, again], separator, middle, isNumbered) => {
        const rows = (own: readonly string[], id: number, n: number): string[] =>
          own.map((code, at) => `${code}${isNumbered ? n : ''}${separator}${id + at}`)
        const head = `Mod${separator}ID`
        const between = middle === null ? ['', head] : [middle.join(separator)]
        // Without a header, only what begins in the same order begins again.
        const second = middle?.[0] === '' ? codes : again
        const text = [head, ...rows(codes, 129891, 1), ...between, ...rows(second, 131891, 2)]
        const { questions } = readImport(text.join('\n'))
        expect(questions.length, text.join('\n')).toBe(isNumbered ? 0 : 1)
        if (isNumbered) expect(idsOf(text.join('\n'))).toHaveLength(codes.length + second.length)
      },
    ),
  )
})

it('names rounds by the rows of one cell above buckets that come again', () => {
  const text = 'Mod,ID\nGold,\nNM,129891\nHD,129892\nSilver,\nNM,129893\nHD,129894\n'
  expect(readImport(text).pools.map(({ name }) => name)).toEqual(['Gold', 'Silver'])
})

it('takes no id of a column of sets for a beatmap', () => {
  for (const name of [
    '비트맵셋',
    '맵셋',
    '譜面セット',
    '谱面集',
    'Набор карт',
    'Jeu de beatmaps',
  ]) {
    const { pools } = readImport(`Slot,${name},Title\nNM1,542902,x\n`)
    const ids = pools.flatMap(({ round }) => round.slots.map(({ beatmapId }) => beatmapId))
    expect(
      ids.filter((id) => id === 542902),
      name,
    ).toEqual([])
  }
})

it('asks about numbers as long as ids in a column of any other name, and never drops them', () => {
  const names = [
    'Song no',
    'Song #',
    'Map no',
    'Pick #',
    'Lied Nr',
    '곡 #',
    'Trek ID',
    'bộ beatmap',
  ]
  const anyName = fc.oneof(
    fc.constantFrom(...names),
    fc.stringMatching(/^[bdgkvz][aou]{2}[bdgkvz][aeou] (?:ID|no|#)$/),
  )
  const anyId = fc.integer({ min: 10_000, max: 5_000_000 })
  const anyIds = fc.uniqueArray(anyId, { minLength: 2, maxLength: 5 })
  fc.assert(
    fc.property(anyName, anyIds, anySeparator, fc.boolean(), (name, ids, separator, isFirst) => {
      const row = (...cells: string[]): string => cells.join(separator)
      const rows = ids.map((id, at) =>
        isFirst ? row(`NM${at + 1}`, `${id}`, 'x') : row(`NM${at + 1}`, 'x', `${id}`),
      )
      const head = isFirst ? row('Slot', name, 'Title') : row('Slot', 'Title', name)
      const text = [head, ...rows].join('\n')
      expect(readImport(text).questions.length, text).toBe(1)
      const used = readImport(text, { answers: new Map([['*', 'b']]) })
      const read = used.pools.flatMap(({ draft }) => draft.slots.map(({ beatmapId }) => beatmapId))
      expect(read, text).toEqual(ids)
    }),
  )
  // Titles may be numbers, and the ids of mappers are no beatmaps.
  for (const name of ['Title', 'Song', 'Mapper ID'])
    expect(readImport(`Slot,${name}\nNM1,542902\nHD1,542903`).questions, name).toEqual([])
})

it('says so where a column of backups is left out', () => {
  for (const name of ['Backup', 'Reserva', 'Old ID', '备用']) {
    const { notes } = readImport(`Slot,ID,${name}\nNM1,129891,129895\nHD1,129892,\n`)
    expect(notes, name).toEqual([`Line 2: “${name}” (129895) was left out.`])
  }
})

it('asks about what is out of the pool in whatever language and form it is said', () => {
  const words =
    'eliminado|supprimé|gestrichen|entfernt|removido|удалено|удалена|삭제됨|已删除|削除|reserva|备用|quitado|vetoed'
  const forms: readonly ((word: string) => string)[] = [
    (word) => `NM1 129891\nNM2 129892 (${word})`,
    (word) => `NM1 129891\nNM2 129892 - ${word}`,
    (word) => `NM1: 129891\nNM2: 129892 [${word}]`,
    (word) => `Slot,ID,Note\nNM1,129891,\nNM2,129892,${word}`,
  ]
  const anyWord = fc.constantFrom(...words.split('|'))
  fc.assert(
    fc.property(anyWord, fc.constantFrom(...forms), (word, form) => {
      expect(readImport(form(word)).questions.length, form(word)).toBe(1)
    }),
  )
  const article = (name: string): string =>
    `- ${name}\n  1. [A](https://osu.ppy.sh/b/129895)\n- NoMod\n  1. [A](https://osu.ppy.sh/b/129891)\n`
  for (const name of [
    'Calentamiento',
    'Descartados',
    'Honorable mentions',
    'Verworfen',
    'Échauffement',
  ])
    expect(readImport(article(name)).questions.length, name).toBe(1)
})

it('counts no headings without slots for the rounds of a text', () => {
  const groups = Array.from({ length: 20 }, (_, at) => `### Group ${at}\n\nSome words.\n`)
  const list = (id: number): string => `\n- NoMod\n  1. [A](https://osu.ppy.sh/b/${id})\n`
  const text = `## Semifinals\n${list(129891)}\n${groups.join('\n')}\n## Finals\n${list(129892)}`
  const { pools } = readImport(text)
  expect(pools.map(({ name }) => name)).toEqual(['Semifinals', 'Finals'])
})

it('reads columns of pools by their letters', () => {
  const text = 'Mod,Pool A,Pool B\nNM1,129891,129892\nHD1,129893,129894'
  expect(readImport(text).pools.map(({ name }) => name)).toEqual(['Pool A', 'Pool B'])
})

it('asks about a word in the place of a label beside rows that have one', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('Custom', 'Gimmick', 'Extra', 'Speziell'),
      anySeparator,
      (word, mark) => {
        const text = [
          ['A - B', '1018247', word],
          ['A - C', '1018248', 'NM1'],
          ['A - D', '1018249', 'NM2'],
        ]
        const asked = readImport(text.map((row) => row.join(mark)).join('\n')).questions
        expect(asked.map((question) => question.text)).toEqual([
          `${word} is not a known bucket. Where do its beatmaps belong?`,
        ])
      },
    ),
  )
})

it('parts rows below titles where the first label is of a new bucket', () => {
  const text =
    'Semifinals\n\nRC1 | 129891\nHD1 | 129892\n\nQuarterfinals\n\nRC1 | 129893\nHD1 | 129894'
  expect(readImport(text).pools.map(({ name }) => name)).toEqual(['Semifinals', 'Quarterfinals'])
  expect(idsOf(text)).toEqual(['RC1 129891', 'HD1 129892', 'RC1 129893', 'HD1 129894'])
})
