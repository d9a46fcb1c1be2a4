import type { WriteSheet } from 'hucre'
import { writeOds } from 'hucre/ods'
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import { FormatError } from '../../src/formats/format-error.ts'
import { readImportFile } from '../../src/formats/import/read-import-file.ts'
import type { Import } from '../../src/formats/import/read-import.ts'
import { slotLabel } from '../../src/pool/slots.ts'
import { bytesOf, filesOf } from './corpus-cases.ts'
import { zipOf } from './ods-file.ts'

// Shape 23: spreadsheet files. What those of the corpus hold is tried by corpus.test.ts.

const header = ['Slot', 'Beatmap ID']
const semifinals: WriteSheet = { name: 'Semifinals', rows: [header, ['NM1', 75], ['HD1', 76]] }
const finals: WriteSheet = { name: 'Finals', rows: [header, ['NM1', 129891], ['TB1', 1872396]] }
const teams: WriteSheet = {
  name: 'Teams',
  rows: [
    ['Team', 'Seed'],
    ['Kestrels', 1],
  ],
}

const poolsOf = ({ pools }: Import) =>
  pools.map(({ name, draft }) => [
    name,
    ...draft.slots.map((slot) => `${slotLabel(slot)} ${slot.beatmapId}`),
  ])

const kinds = [
  ['.xlsx', (...sheets: WriteSheet[]) => writeXlsx({ sheets })],
  ['.ods', (...sheets: WriteSheet[]) => writeOds({ sheets })],
] as const

describe.each(kinds)('a spreadsheet file, %s', (_, write) => {
  it('with one tab is a table; line is the number of the row', async () => {
    const read = await readImportFile(await write(finals))
    expect(read.shape).toMatchObject({ id: 'workbook', isCertain: true })
    expect(poolsOf(read)).toEqual([[null, 'NM1 129891', 'TB 1872396']])
    expect(read.pools[0]?.lines[1]).toMatchObject({ line: 2, text: 'NM1\t129891', mod: 'NM' })
  })

  it('with several tabs of slots has a round for each; other tabs are no pools', async () => {
    const read = await readImportFile(await write(teams, semifinals, finals))
    expect(poolsOf(read)).toEqual([
      ['Semifinals', 'NM1 75', 'HD1 76'],
      ['Finals', 'NM1 129891', 'TB 1872396'],
    ])
    expect([read.others, read.notes]).toEqual([
      [],
      ['A table of teams (tab “Teams”, lines 1 to 2) was left out.'],
    ])
  })

  it('a tab that names rounds itself keeps them', async () => {
    const rounds: WriteSheet = {
      name: 'All rounds',
      rows: [
        ['Kettle Cup'],
        ['Round', ...header],
        ['Quarterfinals', 'NM1', 77],
        ['', 'NM2', 2116202],
        ['Semifinals', 'NM1', 75],
      ],
    }
    expect(poolsOf(await readImportFile(await write(rounds, finals)))).toEqual([
      ['Quarterfinals', 'NM1 77', 'NM2 2116202'],
      ['Semifinals', 'NM1 75'],
      ['Finals', 'NM1 129891', 'TB 1872396'],
    ])
  })

  it('a label merged over rows counts for each of them', async () => {
    const rows = [
      ['Mod', '#', 'Beatmap ID'],
      ['Hidden', 1, 75],
      [null, 2, 76],
      ['Tiebreaker', 1, 77],
    ]
    const merges = [{ startRow: 1, endRow: 2, startCol: 0, endCol: 0 }]
    const read = await readImportFile(await write({ name: 'Pool', rows, merges }))
    expect(poolsOf(read)).toEqual([[null, 'HD1 75', 'HD2 76', 'TB 77']])
    expect(read.pools[0]?.lines[2]?.text).toBe('Hidden\t2\t76')
  })

  it('only the tab that is named is read, in any case', async () => {
    const file = await write(semifinals, finals)
    expect(poolsOf(await readImportFile(file, '', { sheet: 'fINALS ' }))).toEqual([
      [null, 'NM1 129891', 'TB 1872396'],
    ])
    await expect(readImportFile(file, '', { sheet: 'Grand Finals' })).rejects.toThrow(
      'there is no tab “Grand Finals”; there are: Semifinals, Finals',
    )
  })

  it('cut off at any place, it is refused with what to do', async () => {
    const file = await write(semifinals, finals)
    for (let part = 1; part < 20; part += 1) {
      const cut = file.subarray(0, Math.floor((file.length * part) / 20))
      await expect(readImportFile(cut, 'pool.xlsx'), `${part}/20`).rejects.toThrow(FormatError)
      await expect(readImportFile(cut, 'pool.xlsx')).rejects.toThrow(/damaged.*save it again/)
    }
  })

  it('2,000 rows and 200 cells of a tab are read', async () => {
    const rows = Array.from({ length: 2003 }, (): (string | number)[] => [])
    rows[1999] = ['NM1', 75]
    rows[2000] = ['NM2', 76]
    const read = await readImportFile(await write({ name: 'Pool', rows }))
    expect(poolsOf(read)).toEqual([[null, 'NM1 75']])
    expect(read.notes).toEqual(['Only the first 2000 rows of the tab “Pool” were read.'])
  })
})

describe('links in cells', () => {
  const target = 'https://osu.ppy.sh/beatmapsets/1#osu/129891'
  const linked = (rows: WriteSheet['rows'], place: string, hyperlink: object) =>
    writeXlsx({
      sheets: [
        {
          name: 'Pool',
          rows: rows!,
          cells: new Map([[place, { hyperlink } as never]]),
        },
      ],
    })

  it.each([
    [
      'a title, in a column of any name',
      [
        ['Slot', 'Title'],
        ['NM1', 'Salt on Copper'],
      ],
      '1,1',
    ],
    [
      'words in a column for links',
      [
        ['Slot', 'Link'],
        ['NM1', 'Open'],
      ],
      '1,1',
    ],
    [
      'the slot',
      [
        ['Slot', 'Title'],
        ['NM1', 'Salt on Copper'],
      ],
      '1,0',
    ],
    ['a title without a header', [['NM1', 'Salt on Copper']], '0,1'],
  ])('of %s', async (_, rows, place) => {
    const read = await readImportFile(await linked(rows, place, { target }))
    expect(poolsOf(read)).toEqual([[null, 'NM1 129891']])
  })

  // A link in a column about something else says nothing of the beatmap of the row.
  it.each([
    ['Title', true],
    ['Mapper', true],
    ['', true],
    ['Beatmap set', false],
  ])('under “%s” beside another id are asked: %s', async (title, isAsked) => {
    const rows = [
      ['Slot', 'ID', title],
      ['NM1', 129_892, 'Salt on Copper'],
      ['NM2', 129_893, 'Moss Cathedral'],
    ]
    const { questions } = await readImportFile(await linked(rows, '1,2', { target }))
    expect(questions.map(({ text }) => text)).toEqual(
      isAsked ? ['The id and the link of this line are different beatmaps. Which one is it?'] : [],
    )
  })

  it('whose part from the # on is saved apart', async () => {
    const [link = '', location = ''] = target.split('#')
    const rows = [
      ['Slot', 'Map'],
      ['NM1', 'Salt on Copper'],
    ]
    const read = await readImportFile(await linked(rows, '1,1', { target: link, location }))
    expect(poolsOf(read)).toEqual([[null, 'NM1 129891']])
  })
})

describe('what is left out', () => {
  it('rows that are hidden', async () => {
    const rowDefs = new Map([[2, { hidden: true }]])
    const rows = [header, ['NM1', 75], ['NM2', 76], ['HD1', 77]]
    const read = await readImportFile(
      await writeXlsx({ sheets: [{ name: 'Pool', rows, rowDefs }] }),
    )
    expect(poolsOf(read)).toEqual([[null, 'NM1 75', 'HD1 77']])
    expect(read.notes).toEqual(['Row 3 of the tab “Pool” is hidden and was left out.'])
  })

  it('rows that are struck through, which others replace', async () => {
    const style = { font: { strikethrough: true } }
    const cells = new Map(['1,0', '1,1'].map((place) => [place, { style }]))
    const rows = [header, ['NM1', 75], ['NM1', 76], ['HD1', 77]]
    const read = await readImportFile(await writeXlsx({ sheets: [{ name: 'Pool', rows, cells }] }))
    expect(poolsOf(read)).toEqual([[null, 'NM1 76', 'HD1 77']])
    expect(read.notes).toEqual(['Row 2 of the tab “Pool” is struck through and was left out.'])
  })

  it('a tab of suggestions, where another has a pool', async () => {
    const read = await readImportFile(
      await writeXlsx({ sheets: [{ ...semifinals, name: 'Suggestions' }, finals] }),
    )
    expect(poolsOf(read)).toEqual([[null, 'NM1 129891', 'TB 1872396']])
    expect(read.notes).toEqual(['Suggestions (tab “Suggestions”, lines 1 to 3) were left out.'])
  })

  it('numbers of a tab or above a header that are no ids, without a question', async () => {
    const info = { name: 'Information', rows: [['Prize pool', 200_000]] }
    const beside = await readImportFile(await writeXlsx({ sheets: [info, finals] }))
    expect(beside.questions).toEqual([])
    expect(poolsOf(beside)).toEqual([[null, 'NM1 129891', 'TB 1872396']])
    const rows = [['Host', 'Ada', 1_234_567], ['Prize pool', 200_000], [], ...(finals.rows ?? [])]
    const above = await readImportFile(await writeXlsx({ sheets: [{ name: 'Pool', rows }] }))
    expect(above.questions).toEqual([])
    expect(poolsOf(above)).toEqual([[null, 'NM1 129891', 'TB 1872396']])
  })

  it('not the slots of a tab that has nothing but labels below its header', async () => {
    const next = { name: 'Grand Finals', rows: [header, ['NM1'], ['NM2'], ['HD1'], ['TB']] }
    const read = await readImportFile(await writeXlsx({ sheets: [finals, next] }))
    expect(read.pools.map(({ name, round }) => [name, ...round.slots.map(slotLabel)])).toEqual([
      ['Finals', 'NM1', 'TB'],
      ['Grand Finals', 'NM1', 'NM2', 'HD1', 'TB'],
    ])
  })

  it('hidden tabs, unless they are named', async () => {
    const file = await writeXlsx({ sheets: [finals, { ...semifinals, hidden: true }] })
    const read = await readImportFile(file)
    expect(poolsOf(read)).toEqual([[null, 'NM1 129891', 'TB 1872396']])
    expect(read.notes).toEqual(['The hidden tab “Semifinals” was left out.'])
    const named = await readImportFile(file, '', { sheet: 'Semifinals' })
    expect(poolsOf(named)).toEqual([[null, 'NM1 75', 'HD1 76']])
  })

  it('files with a password are refused', async () => {
    const encryption = { password: 'kettle', spinCount: 1 }
    const file = await writeXlsx({ sheets: [finals], encryption })
    await expect(readImportFile(file)).rejects.toThrow('save it as .xlsx without a password')
  })

  it('a file that has no tabs refuses the name of one', async () => {
    const text = new TextEncoder().encode('NM1 75')
    await expect(readImportFile(text, 'a.txt', { sheet: 'Pool' })).rejects.toThrow(FormatError)
  })

  it('an archive that is larger than it may be unpacked, before it is', async () => {
    const file = await writeXlsx({ sheets: [finals] })
    const view = new DataView(file.buffer, file.byteOffset)
    const at = Buffer.from(file).indexOf('PK\u0001\u0002', 0, 'latin1')
    view.setUint32(at + 24, 50_000_001, true)
    await expect(readImportFile(file)).rejects.toThrow('larger than 50 MB unpacked')
    view.setUint32(at + 24, 0, true)
    await expect(readImportFile(file)).rejects.toThrow('damaged')
  })
})

it('damaged in any byte, a file is read or refused', async () => {
  for (const name of filesOf('workbook').filter((each) => each.startsWith('simple'))) {
    const bytes = bytesOf('workbook', name)
    for (let at = 4; at < bytes.length; at += 37) {
      const damaged = bytes.slice()
      damaged[at]! ^= 0xff
      const outcome = await readImportFile(damaged, name).then(
        () => null,
        (error: unknown) => error,
      )
      expect(outcome === null || outcome instanceof FormatError, `${name} ${at}`).toBe(true)
    }
  }
})

it('damaged in any byte, or cut off anywhere, a small .ods is read or refused', async () => {
  const type = { mimetype: 'application/vnd.oasis.opendocument.spreadsheet' }
  const cell = (text: string): string =>
    `<table:table-cell><text:p>${text}</text:p></table:table-cell>`
  const content = `<office:spreadsheet><table:table table:name="Finals"><table:table-row>${cell('NM1')}${cell('129891')}</table:table-row></table:table></office:spreadsheet>`
  const whole = zipOf({ ...type, 'content.xml': content })
  expect((await readImportFile(whole, 'pool.ods')).pools[0]?.draft.slots).toHaveLength(1)
  const files = [
    ...Array.from(whole, (byte, at) => whole.with(at, byte ^ 0xff)),
    ...Array.from(content, (_, length) =>
      zipOf({ ...type, 'content.xml': content.slice(0, length) }),
    ),
    zipOf(type),
  ]
  for (const [at, file] of files.entries()) {
    const outcome = await readImportFile(file, 'pool.ods').then(
      () => null,
      (error: unknown) => error,
    )
    expect(outcome === null || outcome instanceof FormatError, `${at}`).toBe(true)
  }
})
