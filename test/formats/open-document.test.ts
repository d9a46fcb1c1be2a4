import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fault, FormatError } from '../../src/formats/format-error.ts'
import { readImportFile } from '../../src/formats/import/read-import-file.ts'
import { tagsOf } from '../../src/formats/import/files/xml-tags.ts'
import { slotLabel } from '../../src/pool/slots.ts'
import { odsCell, odsOf, odsRow, odsStyle, odsTable, struckText } from './ods-file.ts'

// What .ods files say of rows and cells beside their values, as LibreOffice and Google Sheets write it.

const header = odsRow(['Slot', 'Beatmap ID'])
const nm1 = odsRow(['NM1', 75])
const hd1 = odsRow(['HD1', 77])

const read = async (file: Uint8Array, sheet?: string) => {
  const options = sheet === undefined ? {} : { sheet }
  const { pools, notes } = await readImportFile(file, 'pool.ods', options)
  const slots = pools.flatMap(({ draft }) =>
    draft.slots.map((slot) => `${slotLabel(slot)} ${slot.beatmapId}`),
  )
  return { slots, notes }
}

const row3 = (how: string): string[] => [`Row 3 of the tab “Pool” is ${how} and was left out.`]

describe('rows of an .ods that are not shown', () => {
  it.each(['collapse', 'filter'])('by visibility %s are left out with a note', async (how) => {
    const hidden = odsRow(['NM1', 76], { attributes: `table:visibility="${how}"` })
    const file = odsOf({ tables: odsTable('Pool', [header, nm1, hidden, hd1]) })
    expect(await read(file)).toEqual({ slots: ['NM1 75', 'HD1 77'], notes: row3('hidden') })
  })

  it('are so as often as they are repeated', async () => {
    const attributes = 'table:visibility="collapse" table:number-rows-repeated="3"'
    const tables = odsTable('Pool', [header, odsRow(['NM1', 76], { attributes }), nm1])
    expect(await read(odsOf({ tables }))).toEqual({
      slots: ['NM1 75'],
      notes: ['3 rows of the tab “Pool” (2, 3, 4) are hidden and were left out.'],
    })
  })

  it('may say that they are visible', async () => {
    const shown = odsRow(['NM2', 76], { attributes: 'table:visibility="visible"' })
    const file = odsOf({ tables: odsTable('Pool', [header, nm1, shown]) })
    expect(await read(file)).toEqual({ slots: ['NM1 75', 'NM2 76'], notes: [] })
  })

  it('a tab that is not displayed is hidden, unless it is named', async () => {
    const styles = odsStyle('ta2', 'table', '<style:table-properties table:display="false"/>')
    const tables =
      odsTable('Pool', [header, nm1]) + odsTable('Finals', [header, hd1], 'table:style-name="ta2"')
    const file = odsOf({ tables, styles })
    expect(await read(file)).toEqual({
      slots: ['NM1 75'],
      notes: ['The hidden tab “Finals” was left out.'],
    })
    expect(await read(file, 'Finals')).toEqual({ slots: ['HD1 77'], notes: [] })
  })
})

describe('rows of an .ods that are struck through lose against their replacement', () => {
  const lines = [
    'style:text-line-through-style="solid"',
    'style:text-line-through-style="solid" style:text-line-through-type="single"',
    'style:text-line-through-type="double"',
  ]
  const replaced = { slots: ['NM1 75', 'HD1 77'], notes: row3('struck through') }

  it.each(lines)('by the style of their cells, %s', async (line) => {
    const styles = odsStyle('ce1', 'table-cell', struckText(line))
    const old = odsRow(['NM1', 76], { style: 'ce1' })
    const file = odsOf({ styles, tables: odsTable('Pool', [header, nm1, old, hd1]) })
    expect(await read(file)).toEqual(replaced)
  })

  it('by the style that theirs is made from, or that has a name of its own', async () => {
    const named = odsStyle('Replaced', 'table-cell', struckText())
    const styles = odsStyle('ce1', 'table-cell', '<style:paragraph-properties/>', 'Replaced')
    for (const style of ['ce1', 'Replaced']) {
      const old = odsRow(['NM1', 76], { style })
      const file = odsOf({ named, styles, tables: odsTable('Pool', [header, nm1, old, hd1]) })
      expect(await read(file), style).toEqual(replaced)
    }
  })

  it('by the style of the row, or of the columns, where cells have none', async () => {
    const styles = odsStyle('ce1', 'table-cell', struckText())
    const ofCells = 'table:default-cell-style-name="ce1"'
    const old = odsRow(['NM1', 76], { attributes: ofCells })
    const byRow = odsOf({ styles, tables: odsTable('Pool', [header, nm1, old, hd1]) })
    expect(await read(byRow)).toEqual(replaced)
    const columns = `<table:table-column table:number-columns-repeated="2" ${ofCells}/>`
    const others = [header, nm1, hd1].map((row) =>
      row.replaceAll('<table:table-cell', '<table:table-cell table:style-name="ce0"'),
    )
    const [first = '', second = '', last = ''] = others
    const rows = [columns, first, second, odsRow(['NM1', 76]), last]
    const byColumn = odsOf({ styles, tables: odsTable('Pool', rows) })
    expect(await read(byColumn)).toEqual(replaced)
  })

  it('by spans over their texts', async () => {
    const styles = odsStyle('T1', 'text', struckText()) + odsStyle('T2', 'text', '')
    const span = (text: string | number, style: string): string =>
      odsCell(`<text:span text:style-name="${style}">${text}</text:span>`)
    const old = odsRow([span('NM1', 'T1'), span('<text:span>7</text:span>6', 'T1')])
    const shown = odsRow([span('HD1', 'T2'), 77])
    const file = odsOf({ styles, tables: odsTable('Pool', [header, nm1, old, shown]) })
    expect(await read(file)).toEqual(replaced)
  })

  it('but not by a style without a line, or by one over a part of their texts', async () => {
    const styles =
      odsStyle('ce0', 'table-cell', struckText()) +
      odsStyle('ce1', 'table-cell', struckText('style:text-line-through-style="none"'), 'ce0') +
      odsStyle('T1', 'text', struckText())
    const part = odsCell('HD1<text:s/><text:span text:style-name="T1">x</text:span>')
    const rows = [header, odsRow(['NM1', 76], { style: 'ce1' }), odsRow([part, 77])]
    const { slots, notes } = await read(odsOf({ styles, tables: odsTable('Pool', rows) }))
    expect([slots[0], notes]).toEqual(['NM1 76', []])
  })
})

describe('an .ods', () => {
  it('is read with the rows of groups and of headers', async () => {
    const rows = [
      `<table:table-header-rows>${header}</table:table-header-rows>`,
      `<table:table-row-group>${nm1}<table:table-row-group>${hd1}</table:table-row-group></table:table-row-group>`,
    ]
    const file = odsOf({ tables: odsTable('Pool', rows) })
    expect(await read(file)).toEqual({ slots: ['NM1 75', 'HD1 77'], notes: [] })
  })

  it('is read with the addresses of links that formulas make', async () => {
    const formula = 'of:=HYPERLINK("https://osu.ppy.sh/b/129891";"Harbour")'.replaceAll(
      '"',
      '&quot;',
    )
    const linked = odsCell('Harbour', { attributes: `table:formula="${formula}"` })
    const rows = [
      odsRow(['Slot', 'Map']),
      odsRow(['NM1', linked]),
      odsRow(['HD1', linked.replace('891', '892')]),
    ]
    const { slots } = await read(odsOf({ tables: odsTable('Pool', rows) }))
    expect(slots).toEqual(['NM1 129891', 'HD1 129892'])
  })

  it('of several tabs, of which none has a pool, has no lines to say anything of', async () => {
    const tab = (name: string) =>
      odsTable(name, [odsRow(['Rules', 'Warm-ups']), odsRow(['HD3', 'see the sheet of 2026'])])
    const linesOf = async (...tabs: readonly string[]) => {
      const { pools, others } = await readImportFile(odsOf({ tables: tabs.join('') }))
      return [...pools.flatMap(({ lines }) => lines), ...others].map(({ line }) => line)
    }
    expect(await linesOf(tab('A'), tab('B'))).toEqual([])
    expect(await linesOf(tab('A'))).toEqual([1, 2])
  })

  it('is read without what is not in its cells: remarks, changes, drawings', async () => {
    const remark = '<office:annotation><text:p>129891</text:p></office:annotation>'
    const cell = odsCell('NM1').replace('<text:p>', `${remark}<text:p>`)
    const tables = [
      `<table:tracked-changes>${odsTable('x', [odsRow(['NM5', 80])])}</table:tracked-changes>`,
      odsTable('Pool', [
        `<table:shapes><draw:frame><text:p>NM6 81</text:p></draw:frame></table:shapes>`,
        header,
        odsRow([cell, 75]),
      ]),
      `<table:dde-links>${odsTable('y', [odsRow(['NM7', 82])])}</table:dde-links>`,
    ]
    expect(await read(odsOf({ tables: tables.join('') }))).toEqual({ slots: ['NM1 75'], notes: [] })
  })

  it('has escaped texts, links, and dates that are no ids', async () => {
    const link =
      '<text:a xlink:href="https://osu.ppy.sh/b/76?a=1&amp;b=2">A &gt; &#66; &lt;c&gt;</text:a>'
    const date = odsCell('1 Jan', {
      attributes: 'calcext:value-type="date" office:date-value="2026-01-01"',
    })
    const rows = [odsRow(['Slot', 'Map', 'Date']), odsRow(['NM1', odsCell(link), date])]
    const file = odsOf({ tables: odsTable('Pool', rows) })
    expect(await read(file)).toEqual({ slots: ['NM1 76'], notes: [] })
  })

  it('with a password says so', async () => {
    const file = odsOf({ tables: '', manifest: '<manifest:encryption-data/>' })
    await expect(read(file)).rejects.toThrow(new FormatError(fault('password')))
  })

  it('has 40 tabs read, and the rest noted', async () => {
    const tables = Array.from({ length: 45 }, (_, at) =>
      odsTable(`Tab ${at}`, at === 0 || at > 39 ? [header, odsRow(['NM1', 75 + at])] : []),
    )
    expect(await read(odsOf({ tables: tables.join('') }))).toEqual({
      slots: ['NM1 75'],
      notes: ['Only the first 40 tabs were read.'],
    })
  })

  it('that repeats its cells without an end is read up to the bounds of a tab', async () => {
    const attributes = 'table:number-columns-repeated="16384"'
    const wide = `<table:table-row table:number-rows-repeated="1048576">${odsCell('<text:a xlink:href="https://osu.ppy.sh/b/75">x</text:a>', { attributes })}</table:table-row>`
    const file = odsOf({ tables: odsTable('Pool', [wide]) })
    const { notes } = await read(file)
    expect(notes).toContain('Only the first 2000 rows of the tab “Pool” were read.')
  })
})

describe('the tags of any document', () => {
  const anyName = fc.stringMatching(/^[a-z]{1,4}(?::[a-z-]{1,6})?$/)
  const anyText = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\r', ''))
  const escaped = (text: string): string =>
    text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

  it('are those that were written, with attributes and texts as they were', () => {
    const anyTag = fc.record({
      name: anyName,
      attributes: fc.dictionary(anyName, anyText, { maxKeys: 3 }),
      text: anyText,
      quote: fc.constantFrom('"', "'"),
      isEmpty: fc.boolean(),
    })
    const property = fc.property(fc.array(anyTag, { maxLength: 6 }), (tags) => {
      const xml = tags.map(({ name, attributes, text, quote, isEmpty }) => {
        const pairs = Object.entries(attributes)
          .map(([key, value]) => ` ${key} = ${quote}${escaped(value)}${quote}`)
          .join('')
        return isEmpty
          ? `<?x <y> ?><${name}${pairs}/>`
          : `<!-- <z> --><${name}${pairs}>${escaped(text)}<![CDATA[<&lt;]]></${name}>`
      })
      const expected = tags.flatMap(({ name, attributes, text, isEmpty }) => {
        const open = { kind: isEmpty ? 'empty' : 'open', name, attributes, text: '' }
        const nothing = { name: '', attributes: {} }
        return isEmpty
          ? [open]
          : [
              open,
              ...(text === '' ? [] : [{ kind: 'text', ...nothing, text }]),
              { kind: 'text', ...nothing, text: '<&lt;' },
              { kind: 'close', name, attributes: {}, text: '' },
            ]
      })
      expect([...tagsOf(xml.join(''))]).toEqual(expected)
    })
    fc.assert(property, { numRuns: 500 })
  })

  it('end where the text ends, or are refused within a tag, whatever it is', () => {
    const anyParts = fc
      .array(fc.constantFrom('<', '>', '"', "'", '<!--', '-->', '/', 'a', '=', '&lt;', '<![CDATA['))
      .map((parts) => parts.join(''))
    const property = fc.property(anyParts, (xml) => {
      try {
        for (const { kind } of tagsOf(xml)) expect(kind).toMatch(/^(?:open|close|empty|text)$/)
      } catch (error) {
        expect(String(error)).toContain('ends within a tag')
      }
    })
    fc.assert(property, { numRuns: 1000 })
  })
})

it('boxes that are ticked or not are read as that', async () => {
  const boxOf = (isTicked: boolean): string =>
    `<table:table-cell office:value-type="boolean" office:boolean-value="${isTicked}"><text:p>x</text:p></table:table-cell>`
  const rows = [
    odsRow(['Slot', 'Beatmap ID', 'Tested']),
    odsRow(['NM1', 75, boxOf(true)]),
    odsRow(['NM2', 76, boxOf(false)]),
  ]
  const { pools } = await readImportFile(odsOf({ tables: odsTable('Pool', rows) }), 'pool.ods')
  expect(pools.flatMap(({ lines }) => lines.map(({ text }) => text.split(/\s+/).at(-1)))).toEqual([
    'Tested',
    'true',
    'false',
  ])
})
