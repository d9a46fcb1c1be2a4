import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CustomBucket } from '../../src/contract/pools.ts'
import { guardCell, readRows, unguardCell, writeCsv, writeTsv } from '../../src/formats/tables.ts'
import type { DetailsBySlot, SlotDetails } from '../../src/formats/sheet.ts'
import { completePool } from '../../src/pool/checks.ts'
import type { Pool } from '../../src/pool/pool.ts'
import { slotsInPoolOrder } from '../../src/pool/slots.ts'
import { anyPool, anyText, withLikelyIds } from '../pool/pool-arbitrary.ts'
import { aBeatmap, pool } from '../support/a-beatmap.ts'
import { emptyDraft, readPaste } from './pasted-text.ts'

const header = 'Slot,Beatmap ID,Set ID,Artist,Title,Version,Mapper,Stars,Length,BPM,CS,AR,OD,HP\r\n'

const poolOf = (...slots: string[]): Pool => ({ name: 'a', ...pool(...slots) })

const known = (changes: Parameters<typeof aBeatmap>[1], stars: number | null): SlotDetails => ({
  details: aBeatmap(129_891, changes),
  stars,
})

/** The only row that a slot makes. */
const rowOf = (label: string, details: SlotDetails): string =>
  writeCsv(poolOf(`${label} 129891`), new Map([[0, details]])).slice(header.length, -2)

const forced = (...set: ('EZ' | 'DT' | 'HT' | 'HR')[]): CustomBucket => ({
  code: 'X',
  color: 0,
  mods: { kind: 'forced', set },
})

describe('CSV', () => {
  it('has a header and a row for each slot in pool order, with CRLF', () => {
    const details: DetailsBySlot = new Map([
      [1, known({ setId: 39_804, bpm: 222.22, length: 258 }, 7.8058)],
    ])
    expect(writeCsv(poolOf('DT1 75', 'NM1 129891'), details)).toBe(
      `${header}NM1,129891,39804,Nine Rivers,Harbour,Insane,arbor,7.81,258,222,4,9,8,5\r\n` +
        'DT1,75,,,,,,,,,,,,\r\n',
    )
  })

  it('has every number with the mods of the slot, rounded last (D-32)', () => {
    const details = known({ bpm: 222.22, length: 258 }, 5.705)
    expect(rowOf('NM1', details)).toContain(',5.71,258,222,4,9,8,5')
    expect(rowOf('DT1', details)).toContain(',5.71,172,333,4,10.33,9.78,5')
    expect(rowOf('HR1', details)).toContain(',5.71,258,222,5.2,10,10,7')
    const half = { name: 'a', buckets: [forced('EZ', 'HT')], slots: pool('X1 129891').slots }
    expect(writeCsv(completePool(half), new Map([[0, details]]))).toContain(
      ',5.71,344,167,2,1,0.89,2.5',
    )
  })

  it('leaves empty what is not known', () => {
    expect(rowOf('NM1', known({ bpm: null }, null))).toContain(',arbor,,120,,4,9,8,5')
  })

  it('tells two slots of one beatmap apart', () => {
    const details = new Map([
      [0, known({}, 5)],
      [1, known({}, 7.2)],
    ])
    const rows = writeCsv(poolOf('NM1 129891', 'DT1 129891'), details).split('\r\n')
    expect(rows[1]).toContain(',5.00,120,180,')
    expect(rows[2]).toContain(',7.20,80,270,')
  })

  it('names slots as people do', () => {
    const draft = {
      name: 'a',
      slots: [
        { mod: null, index: 3, beatmapId: 1 },
        { mod: 'RC1', index: 2, beatmapId: 2 },
        { mod: 'TB', index: 1, beatmapId: 3 },
      ],
    }
    const labels = readRows(writeCsv(completePool(draft), new Map()), ',').map(
      (row) => row.cells[0],
    )
    expect(labels).toEqual(['Slot', '3', 'RC1 2', 'TB'])
  })

  it('quotes what would be read otherwise', () => {
    expect(rowOf('NM1', known({ artist: 'a, "b"', title: 'c\nd', difficulty: 'e\tf' }, 1))).toBe(
      'NM1,129891,229891,"a, ""b""","c\nd",e\tf,arbor,1.00,120,180,4,9,8,5',
    )
  })
})

describe('TSV', () => {
  it('is what spreadsheets copy: tabs, line feeds, quotes where they must be', () => {
    const details = new Map([[0, known({ artist: 'a, b', title: 'c\td', difficulty: '"e"' }, 1)]])
    expect(writeTsv(poolOf('NM1 129891'), details)).toBe(
      header.replaceAll(',', '\t').replace('\r', '') +
        'NM1\t129891\t229891\ta, b\t"c\td"\t"""e"""\tarbor\t1.00\t120\t180\t4\t9\t8\t5\n',
    )
  })
})

/** Texts of beatmaps, some of them made to be taken for something else. */
const evilText = fc.oneof(
  anyText,
  fc
    .array(
      fc.constantFrom(
        "'",
        '"',
        '=',
        '+',
        '-',
        '@',
        ',',
        ';',
        '\t',
        '\n',
        '\r',
        '|',
        ' ',
        '\ufeff',
        'a',
        '#',
        'NM9 666',
        'https://osu.ppy.sh/b/666',
        'Slot',
        'Beatmap ID',
        'pk1.AQFhAQICrAKFPA',
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join('')),
)
describe('a cell that a spreadsheet could run as a formula', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(1)', "'@SUM(1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    [' =1', "' =1"],
    ['＝1', "'＝1"],
    ["'=1", "''=1"],
    ['=HYPERLINK("http://x.test","a")', '"\'=HYPERLINK(""http://x.test"",""a"")"'],
  ])('%j is guarded', (title, cell) => {
    expect(rowOf('NM1', known({ title }, 1))).toContain(`,Nine Rivers,${cell},Insane,`)
  })

  it.each(['a=1', "it's", "'quoted'", '(-1)', '1-2'])('%j is no such cell', (title) => {
    expect(rowOf('NM1', known({ title }, 1))).toContain(`,${title},Insane,`)
  })

  it('is guarded whatever it is, and the guard comes off again', () => {
    fc.assert(
      fc.property(evilText, (cell) => {
        const guarded = guardCell(cell)
        expect(guarded).not.toMatch(/^[\s\p{Cf}]*[=+\-@]|^\p{Cc}/u)
        expect(unguardCell(guarded)).toBe(cell)
      }),
      { numRuns: 2000 },
    )
  })
})

const anyDetails = fc
  .record({
    artist: evilText,
    title: evilText,
    difficulty: evilText,
    mapper: evilText,
    bpm: fc.option(fc.double({ min: 0, max: 1000, noNaN: true })),
    length: fc.nat(5000),
  })
  .map((changes) => known(changes, 5))

const poolWithDetails = anyPool
  .map(withLikelyIds)
  .filter(({ slots }) => slots.length > 0)
  .chain((pool) =>
    fc.record({
      pool: fc.constant(pool),
      details: fc
        .array(fc.option(anyDetails), {
          minLength: pool.slots.length,
          maxLength: pool.slots.length,
        })
        .map((all) => new Map(all.flatMap((each, at) => (each === null ? [] : [[at, each]])))),
    }),
  )

describe('a table that was written', () => {
  it('reads back as the same slots, whatever the beatmaps are called', () => {
    fc.assert(
      fc.property(
        poolWithDetails,
        fc.constantFrom(writeCsv, writeTsv),
        ({ pool, details }, write) => {
          const text = write(pool, details)
          const { draft, lines } = readPaste(text, emptyDraft)
          expect(lines.filter((line) => line.outcome === 'refused')).toEqual([])
          expect(draft.slots, text).toEqual(slotsInPoolOrder(pool))
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('reads back by its own header, whatever its cells hold', () => {
    const pool = {
      name: 'Pool',
      buckets: null,
      slots: [{ mod: null, index: 46, beatmapId: 16383 }],
    }
    const details = known({ difficulty: '\nSlot', mapper: '\tBeatmap ID\n' }, 5)
    expect(readPaste(writeCsv(pool, new Map([[0, details]])), emptyDraft).draft.slots).toEqual(
      pool.slots,
    )
  })

  it('reads back the numbers of slots in no bucket, which count no rows, beside titles with links', () => {
    const none = [71, 72].map((index) => ({ mod: null, index, beatmapId: 2_000_000 + index }))
    const slots = [
      ...none,
      ...[1, 2, 3, 4].map((index) => ({ mod: 'HD', index, beatmapId: 3_000_000 + index })),
    ]
    const title = known({ title: 'https://osu.ppy.sh/b/666' }, 5)
    const details = new Map([
      [0, title],
      [1, title],
    ])
    const text = writeCsv({ name: 'Pool', buckets: null, slots }, details)
    expect(readPaste(text, emptyDraft).draft.slots).toEqual(slots)
  })

  it('reads back as the same cells', () => {
    fc.assert(
      fc.property(poolWithDetails, ({ pool, details }) => {
        const rows = readRows(writeCsv(pool, details), ',')
        const titles = slotsInPoolOrder(pool).map(
          (slot) => details.get(pool.slots.indexOf(slot))?.details.title ?? '',
        )
        expect(rows.slice(1).map((row) => row.cells[4])).toEqual(titles)
      }),
      { numRuns: 500 },
    )
  })
})
