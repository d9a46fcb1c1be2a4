import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'

const labels = ['NM1', 'NM2', 'HD1', 'HR1', 'DT1', 'TB']
const anyIds = fc.uniqueArray(fc.integer({ min: 1_300_001, max: 5_999_999 }), {
  minLength: 12,
  maxLength: 12,
})
const anyTitle = fc.constantFrom('The Harbour', 'Old Lighthouse', 'Part one: tides', '항구의 밤')

type Row = { readonly label: string; readonly id: number }
const rowsOf = (ids: readonly number[]): Row[] =>
  labels.map((label, at) => ({ label, id: ids[at]! }))

/** What is read, and whether anything of it is refused or asked. */
const read = (text: string) => {
  const { pools, others, questions } = readImport(text)
  const lines = [...pools.flatMap((pool) => pool.lines), ...others]
  return {
    isWhole: questions.length === 0 && lines.every(({ outcome }) => outcome !== 'refused'),
    pools: pools.map(({ name, draft }) => ({
      name,
      slots: draft.slots.map(({ mod, index, beatmapId }) => `${mod}${index} ${beatmapId}`),
    })),
  }
}
const plainly = (rows: readonly Row[]) =>
  rows.map(({ label, id }) => `${label === 'TB' ? 'TB1' : label} ${id}`)

/** Each writes a pool so that it says the same as `NM1 129891`, line by line. */
const ways: Readonly<Record<string, (row: Row) => string>> = {
  'with the link broken after a slash, as in a PDF': ({ label, id }) =>
    `${label} Artist - Title\nhttps://osu.ppy.sh/beatmapsets/\n2095112#osu/${id}`,
  'with the short link broken': ({ label, id }) => `${label}\nhttps://osu.ppy.sh/b/\n${id}`,
  'with an emoji of the bucket in front': ({ label, id }) =>
    `<:${label.slice(0, 2).toLowerCase()}:123456789012345678> **${label}** | [Artist - Title](<https://osu.ppy.sh/b/${id}>)`,
  'with an emoji for the label': ({ label, id }) =>
    `<:${label}:123456789012345678> https://osu.ppy.sh/b/${id}`,
  'with mods after the id': ({ label, id }) => `${label} ${id} +HDHR`,
  'as a block, with title, artist and mapper': ({ label, id }) =>
    `${label}\nTitle of it\nby Artist\nmapped by Somebody\nhttps://osu.ppy.sh/b/${id}`,
  'as a block of three lines, with a bare id': ({ label, id }) => `${label}\nTitle of it\n${id}`,
  'with each of its cells on a line of its own': ({ label, id }) =>
    `${label.replace(/[0-9]*$/, '')}\n${/[0-9]+$/.exec(label)?.[0] ?? 1}\n${id}\n180`,
  'with slashes between its cells': ({ label, id }) =>
    `${label.replace(/[0-9]*$/, '')} / ${/[0-9]+$/.exec(label)?.[0] ?? 1} / ${id} / 180`,
  'with its round and slashes': ({ label, id }) => `QF/${label}/${id}`,
  'with the number of the slot in Roman digits': ({ label, id }) =>
    `${label.replace(/[0-9]*$/, '')} ${label.endsWith('2') ? 'II' : 'I'}: ${id}`,
  'behind a plus of a chat': ({ label, id }) => `+${label} https://osu.ppy.sh/b/${id}`,
  'behind the time and the name of a speaker': ({ label, id }) =>
    `14:05 <Ada> ${label} https://osu.ppy.sh/b/${id}`,
  'in the cell of the title, before cells of figures': ({ label, id }) =>
    `[${label}] Artist - Title [Extra] | 6.51* | 180bpm | 3:45 | https://osu.ppy.sh/b/${id}`,
  'in full-width letters between wide bars': ({ label, id }) =>
    `${wide(label)}｜Artist - Title｜https://osu.ppy.sh/b/${id}`,
  'underlined, in a quotation': ({ label, id }) =>
    `> __${label}__ Title <https://osu.ppy.sh/b/${id}>`,
  'beside a round in a script of which nothing is known': ({ label, id }) =>
    `รอบรองชนะเลิศ\t${label}\thttps://osu.ppy.sh/b/${id}`,
}
const wide = (text: string): string =>
  text.replaceAll(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0))
/** A text of numbered items below the names of buckets, as the message of a chat has them. */
const quotedList = (rows: readonly Row[]): string =>
  rows
    .map(({ label, id }, at) => {
      const code = label.slice(0, 2)
      const isFirst = rows[at - 1]?.label.startsWith(code) !== true
      const item = `> ${label.slice(2) || 1}. Artist - Title [Extra] <https://osu.ppy.sh/b/${id}>`
      return isFirst ? `__${bucketNames[code]}__\n${item}` : item
    })
    .join('\n')
const bucketNames: Readonly<Record<string, string>> = {
  NM: 'NoMod',
  HD: 'Hidden',
  HR: '**Hard Rock**',
  DT: 'Double Time',
  TB: 'Tiebreaker',
}

describe('a pool is read as it is meant, without a question (D-90)', () => {
  it.each(Object.entries(ways))('%s', (_, way) => {
    fc.assert(
      fc.property(anyIds, (ids) => {
        const rows = rowsOf(ids)
        const { pools, isWhole } = read(rows.map(way).join('\n'))
        expect(isWhole).toBe(true)
        expect(pools.flatMap(({ slots }) => slots)).toEqual(plainly(rows))
      }),
      { numRuns: 30 },
    )
  })

  it('as a quotation of numbered items below underlined names', () => {
    fc.assert(
      fc.property(anyIds, (ids) => {
        const { pools, isWhole } = read(quotedList(rowsOf(ids)))
        expect([isWhole, pools.flatMap(({ slots }) => slots)]).toEqual([true, plainly(rowsOf(ids))])
      }),
      { numRuns: 30 },
    )
  })

  it('keeps the numbers of lines, and their text as it was written', () => {
    const text = '<:nm:123456789012345678> NM1 | https://osu.ppy.sh/b/1300001\nNM2 1,300,002'
    const [pool] = readImport(text).pools
    expect(pool!.lines.map(({ line, text: own }) => [line, own])).toEqual(
      text.split('\n').map((own, at) => [at + 1, own]),
    )
  })
})

describe('labels that begin anew begin another pool (D-90)', () => {
  const namesOf = (one: string, other: string): string[] => (one === other ? [one] : [one, other])

  it('below titles that are no usual names of rounds', () => {
    fc.assert(
      fc.property(anyIds, anyTitle, anyTitle, fc.boolean(), (ids, one, other, isSpaced) => {
        fc.pre(namesOf(one, other).length === 2)
        const [first, second] = [rowsOf(ids.slice(0, 6)), rowsOf(ids.slice(6))]
        const list = (rows: readonly Row[]) =>
          rows.map(({ label, id }) => `${label} ${id}`).join(isSpaced ? '\n\n' : '\n')
        const text = [one, list(first), '', other, list(second)].join('\n')
        expect(read(text)).toEqual({
          isWhole: true,
          pools: [
            { name: one, slots: plainly(first) },
            { name: other, slots: plainly(second) },
          ],
        })
      }),
      { numRuns: 30 },
    )
  })

  it('below tiers and divisions, which name no column where they are alone in a line', () => {
    const kind = fc.constantFrom('Tier', 'Division', 'League', 'Bracket')
    fc.assert(
      fc.property(anyIds, kind, fc.boolean(), (ids, name, isListed) => {
        const halves = [rowsOf(ids.slice(0, 6)), rowsOf(ids.slice(6))]
        const line = ({ label, id }: Row): string => `${isListed ? '- ' : ''}${label} ${id}`
        const text = halves.map((rows, at) => [`${name} ${'AB'[at]}`, ...rows.map(line)].join('\n'))
        expect(read(text.join('\n\n'))).toEqual({
          isWhole: true,
          pools: halves.map((rows, at) => ({ name: `${name} ${'AB'[at]}`, slots: plainly(rows) })),
        })
      }),
      { numRuns: 30 },
    )
  })

  it('but a remark between the slots of one pool begins none', () => {
    const rows = rowsOf(Array.from({ length: 6 }, (_, at) => 1_300_001 + at))
    const lines = rows.map(({ label, id }) => `${label} ${id}`)
    const text = [...lines.slice(0, 3), 'these are not final', ...lines.slice(3)].join('\n')
    expect(read(text).pools).toEqual([{ name: null, slots: plainly(rows) }])
  })

  it('in each of several lists of JSON, one after the other', () => {
    fc.assert(
      fc.property(anyIds, (ids) => {
        const pools = [rowsOf(ids.slice(0, 6)), rowsOf(ids.slice(6))]
        const text = pools
          .map((rows) => JSON.stringify(rows.map(({ label, id }) => ({ slot: label, id }))))
          .join('\n')
        const wanted = pools.map((rows) => ({ name: null, slots: plainly(rows) }))
        expect(read(text)).toEqual({ isWhole: true, pools: wanted })
      }),
      { numRuns: 30 },
    )
  })
})

describe('numbers that are those of something else are asked or refused (D-90)', () => {
  it.each([
    ['seats of groups in JSON', '{"A1": 1234567, "A2": 2234567, "B1": 3234567}'],
    ['the set in the name of an .osz file', 'NM1 2095112 Artist - Title.osz'],
  ])('%s', (_, text) => {
    const { isWhole } = read(text)
    expect(isWhole).toBe(false)
  })

  it.each(['Week', 'Round'])('names of rounds in the place of slots: %s 1', (word) => {
    for (const sign of [' ', '\t', ',']) {
      const text = `${word} 1${sign}129891${sign}Reef\n${word} 2${sign}129892${sign}Owl`
      const { questions } = readImport(sign === ' ' ? text.replaceAll(/ \p{L}+$/gmu, '') : text)
      expect(questions.map((question) => question.text)).toEqual([
        `“${word}” is not a known bucket. Where do its beatmaps belong?`,
      ])
    }
  })

  it.each([
    '<pool><map slot="NM1" id="129891"/><map slot="HD1" id="129893"/></pool>',
    '<?xml version="1.0"?>\n<pool>\n  <map>\n    <slot>NM1</slot>\n    <id>129891</id>\n  </map>\n</pool>',
    'return {\n  NM = {129891, 129892},\n  HD = {129893},\n}',
    'pool = { ["NM1"] = 129891, ["HD1"] = 129893 }',
    'var pool = map[string]int{\n  "NM1": 129891,\n}',
    'map[string][]int{"NM": {129891, 129892}, "HD": {129893}}',
  ])('what a program reads, which says so: %j', (text) => {
    const [line] = readImport(text).pools.flatMap(({ lines }) => lines)
    expect(line).toMatchObject({
      outcome: 'refused',
      reason: 'This is program text. Paste the list of beatmaps instead.',
    })
  })

  it('answers of a form, each with its time, its sender and the reason', () => {
    fc.assert(
      fc.property(anyIds, fc.constantFrom('Username', 'Discord tag', 'Player'), (ids, sender) => {
        const rows = rowsOf(ids).map(
          ({ label, id }, at) => `4/${at + 1}/2026 12:01,Ada${at},${label},${id},fits well`,
        )
        const text = [`Timestamp,${sender},What slot is it for?,Beatmap ID,Why?`, ...rows].join(
          '\n',
        )
        expect(readImport(text).questions).toHaveLength(1)
        expect(read(text).pools.flatMap(({ slots }) => slots)).toEqual([])
      }),
      { numRuns: 30 },
    )
  })

  it('not where usual buckets are beside seats', () => {
    const text = '{"A1": 1234567, "NM1": 2234567, "HD1": 3234567}'
    expect(read(text).isWhole).toBe(true)
  })
})

describe('ids in front of songs (D-90)', () => {
  it.each(['', 'NM\n'])('are asked, since folders begin with the id of a set: %j', (head) => {
    const text = `${head}2345671 Reef - Harbour\n2345672 Owl - Lark`
    const { questions, pools } = readImport(text)
    expect(questions.map((question) => question.text)).toEqual(['Are these numbers beatmap ids?'])
    expect(pools.flatMap(({ draft }) => draft.slots)).toEqual([])
    const answered = readImport(text, { answers: new Map([['*', 'b']]) }).pools
    const mod = head === '' ? null : 'NM'
    expect(answered.flatMap(({ draft }) => draft.slots)).toEqual([
      { mod, index: 1, beatmapId: 2_345_671 },
      { mod, index: 2, beatmapId: 2_345_672 },
    ])
  })
})

describe('mods with slashes between them', () => {
  it('are those of a bucket as others are: HD/HR 129891', () => {
    expect(read('NM1 129890\nHD/HR 129891\nHD/HR 129892').pools[0]?.slots).toEqual([
      'NM1 129890',
      'HDHR1 129891',
      'HDHR2 129892',
    ])
  })
})

describe('lists of mods in JSON', () => {
  const count = fc.integer({ min: 1, max: 4 })
  it('mean no mod where they are empty and others are not', () => {
    fc.assert(
      fc.property(anyIds, count, count, count, (ids, none, hidden, hard) => {
        const buckets = [
          ['', none],
          ['HD', hidden],
          ['HR', hard],
        ] as const
        const slots = buckets.flatMap(([code, count]) =>
          Array.from({ length: count }, (_, at) => ({ code, order: at + 1 })),
        )
        const objects = slots.map(({ code, order }, at) => {
          return { mods: code === '' ? [] : [code], order, beatmapId: ids[at]! }
        })
        const wanted = slots.map(({ code, order }, at) => `${code || 'NM'}${order} ${ids[at]}`)
        expect(read(JSON.stringify(objects)).pools).toEqual([{ name: null, slots: wanted }])
      }),
      { numRuns: 50 },
    )
  })

  it('say nothing where all are empty', () => {
    const objects = [1_300_001, 1_300_002].map((beatmapId) => ({ mods: [], beatmapId }))
    const [pool] = read(JSON.stringify(objects)).pools
    expect(pool?.slots).toEqual(['null1 1300001', 'null2 1300002'])
  })
})
