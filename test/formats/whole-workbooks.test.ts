import type { WriteSheet } from 'hucre'
import { writeXlsx } from 'hucre/xlsx'
import { expect, it } from 'vitest'
import { odsCell, odsOf, odsRow, odsStyle, odsTable, struckText } from './ods-file.ts'
import { wholeFile } from './whole-readings.ts'

const link = (id: number) => `https://osu.ppy.sh/beatmapsets/1#osu/${id}`

it('all that is read of an .ods: tabs, hidden and struck rows, repeated and merged cells, links, dates and boxes', async () => {
  const styles =
    odsStyle('hidden', 'table', '<style:table-properties table:display="false"/>') +
    odsStyle('struck', 'table-cell', struckText()) +
    odsStyle('plain', 'table-cell', struckText('style:text-line-through-type="none"'), 'struck') +
    odsStyle('T1', 'text', struckText())
  const gone = { attributes: 'table:visibility="collapse"' }
  const value = (kind: string, attributes: string, text = '') =>
    `<table:table-cell office:value-type="${kind}" ${attributes}><text:p>${text}</text:p></table:table-cell>`
  const url = (id: number, text: string | number) =>
    odsCell(`<text:a xlink:href="${link(id)}">${text}</text:a>`)
  const many = (count: number) => `table:number-rows-repeated="${count}"`
  const pool = odsTable('Semifinals', [
    odsRow(['Mod', '#', 'Title', 'Beatmap ID', 'Used', 'Date']),
    odsRow([
      odsCell('NoMod', { attributes: 'table:number-rows-spanned="3"' }),
      value('float', 'office:value="1"'),
      'Slow <text:span>Com</text:span>et<text:line-break/>(new)',
      129_891,
      value('boolean', 'office:boolean-value="true"', 'WAHR'),
      value('date', 'office:date-value="2026-05-03T12:00:00"', '3 May'),
    ]),
    odsRow([
      '<table:covered-table-cell/>',
      value('percentage', 'office:value="2"', '200 %'),
      url(129_892, 'Moss Cathedral'),
      129_892,
      value('boolean', 'office:boolean-value="false"', 'FALSCH'),
    ]),
    odsRow([
      '<table:covered-table-cell/>',
      value('currency', 'office:value="3"'),
      url(129_893, 'Gulls Sleep'),
      129_894,
      'TRUE',
    ]),
    odsRow(['Hidden', 1, 'Tide', 129_895, 'yes'], { style: 'struck' }),
    odsRow(['Hidden', 1, 'Kite', 129_896, 'yes'], { style: 'plain' }),
    odsRow(['Hidden', 2, 'Heron', 129_897], gone),
    odsRow(['', '', '', ''], { attributes: many(5) }),
    odsRow([odsCell('Tiebreaker'), value('string', 'office:string-value="1"'), 'Plover', 129_898]),
  ])
  const finals = odsTable('Finals', [
    odsRow([
      'NM1',
      odsCell('', { attributes: 'table:number-columns-repeated="3"' }),
      url(129_899, 'Merlin'),
    ]),
    odsRow([
      'NM2',
      `<table:table-cell table:formula="of:=HYPERLINK(&quot;${link(129_900)}&quot;;&quot;x&quot;)"><text:p>Wren</text:p></table:table-cell>`,
    ]),
    odsRow([
      'HD1',
      '<table:table-cell><text:p>TBA</text:p><office:annotation><text:p>NM9 75</text:p></office:annotation></table:table-cell>',
    ]),
  ])
  const old = odsTable('Old', [odsRow(['NM1', 75])], 'table:style-name="hidden"')
  const rules = odsTable('Rules', [odsRow(['Be nice, in 2026']), odsRow(['Prizes', 200_000])])
  expect(await wholeFile(odsOf({ styles, tables: pool + old + finals + rules }), 'cup.ods')).toBe(
    [
      'workbook, certain: It is a spreadsheet file with 2 tabs of slots. 8 of 8',
      '# Semifinals',
      '2: NM1 129891 by columns in "NoMod\\t1\\tSlow Comet (new)\\t129891\\ttrue\\t2026-05-03"',
      '3: ? 1 in "NoMod\\t2\\tMoss Cathedral https://osu.ppy.sh/beatmapsets/1#osu/129892\\t129892\\tfalse"',
      '4: ? 2 in "NoMod\\t3\\tGulls Sleep https://osu.ppy.sh/beatmapsets/1#osu/129893\\t129894\\tTRUE"',
      '6: HD1 129896 by columns in "Hidden\\t1\\tKite\\t129896\\tyes"',
      '13: TB 129898 by columns in "Tiebreaker\\t1\\tPlover\\t129898"',
      'unread NM2 NM3 NM3',
      '# Finals',
      '1: NM1 129899 by line in "NM1\\t\\t\\t\\tMerlin https://osu.ppy.sh/beatmapsets/1#osu/129899"',
      '2: NM2 129900 by line in "NM2\\tWren https://osu.ppy.sh/beatmapsets/1#osu/129900"',
      '3: HD1 planned: “TBA” in "HD1\\tTBA"',
      '2 in the pack',
      'note The hidden tab “Old” was left out.',
      'note Row 7 of the tab “Semifinals” is hidden and was left out.',
      'note Row 5 of the tab “Semifinals” is struck through and was left out.',
      '? 1, 3: “Used: false” says that this is not the pool. Is it the pool?',
      '  a: No, leave it out',
      '  b: Yes, use it',
      '     # Semifinals 3: NM2 129892 by answer',
      '? 2, 4: The id and the link of this line are different beatmaps. Which one is it?',
      '  a: The link, 129893',
      '     # Semifinals 4: NM3 129893 by answer',
      '  b: The id 129894',
      '     # Semifinals 4: NM3 129894 by answer',
      '  c: Leave this line out',
    ].join('\n'),
  )
})

it('all that is read of an .xlsx: tabs, hidden and struck rows, merged cells, links and failed formulas', async () => {
  const rows: WriteSheet['rows'] = [
    ['Mod', '#', 'Title', 'Beatmap ID', 'Note'],
    ['Hidden', 1, 'Slow  Comet ', 129_891, new Date('2026-05-03T12:00:00Z')],
    [null, 2, 'Moss Cathedral', '#N/A', true],
    [null, 3, 'Gulls Sleep', 129_893, 6.25],
    ['Hard Rock', 1, 'Tide', 129_894, '#REF!'],
    ['Hard Rock', 1, 'Kite', 129_895, 12_345_678_901],
    ...Array.from({ length: 12 }, (_, at) => ['Double Time', at + 1, 'Heron', 139_891 + at, '']),
    ['TB', null, 'Plover', null, ''],
  ]
  const style = { font: { strikethrough: true } }
  const cells = new Map<string, object>([
    ['4,0', { style }],
    ['4,2', { style }],
    ['4,3', { style }],
    ['5,3', { style }],
    ['1,2', { hyperlink: { target: link(129_891) } }],
    ['3,2', { hyperlink: { target: link(129_999) } }],
    ['18,2', { formula: `HYPERLINK("${link(129_896)}", "Plover")` }],
  ])
  const sheets = [
    {
      name: 'Pool',
      rows,
      cells,
      merges: [{ startRow: 1, endRow: 3, startCol: 0, endCol: 0 }],
      rowDefs: new Map(Array.from({ length: 12 }, (_, at) => [at + 6, { hidden: true }])),
    },
    {
      name: 'Staff',
      rows: [
        ['Role', 'Name'],
        ['Referee', 'Ada'],
      ],
    },
    { name: 'Hidden one', rows: [['NM1', 75]], hidden: true },
    { name: 'Empty', rows: [], hidden: true },
  ] as WriteSheet[]
  expect(await wholeFile(await writeXlsx({ sheets }), 'cup.xlsx')).toBe(
    [
      'workbook, certain: It is a spreadsheet file. 5 of 5',
      '2: HD1 129891 by columns in "Hidden\\t1\\tSlow Comet https://osu.ppy.sh/beatmapsets/1#osu/129891\\t129891\\t2026-05-03"',
      '3: HD2 planned: Moss Cathedral in "Hidden\\t2\\tMoss Cathedral\\t\\ttrue"',
      '4: ? 1 in "Hidden\\t3\\tGulls Sleep https://osu.ppy.sh/beatmapsets/1#osu/129999\\t129893\\t6.25"',
      '6: HR1 129895 by columns in "Hard Rock\\t1\\tKite\\t129895\\t12345678901"',
      '19: TB 129896 by columns in "TB\\t\\thttps://osu.ppy.sh/beatmapsets/1#osu/129896"',
      '3 in the pack',
      'unread HD3 HD3',
      'note The hidden tab “Hidden one” was left out.',
      'note 12 rows of the tab “Pool” (7, 8, 9, 10, 11, 12, 13, 14, 15, 16 …) are hidden and were left out.',
      'note Row 5 of the tab “Pool” is struck through and was left out.',
      'note A table of staff (tab “Staff”, lines 1 to 2) was left out.',
      '? 1, 4: The id and the link of this line are different beatmaps. Which one is it?',
      '  a: The link, 129999',
      '     4: HD3 129999 by answer',
      '  b: The id 129893',
      '     4: HD3 129893 by answer',
      '  c: Leave this line out',
    ].join('\n'),
  )
})
