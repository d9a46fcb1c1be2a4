import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Import, readImport } from '../../src/formats/import/read-import.ts'
import { slotsInPoolOrder } from '../../src/pool/slots.ts'

const labels = ['NM1', 'NM2', 'HD1', 'HR1', 'DT1', 'TB1']
const idsOf = ({ pools }: Import) =>
  pools.flatMap(({ draft }) =>
    draft.slots.map(({ mod, index, beatmapId }) => `${mod}${index} ${beatmapId}`),
  )
const isSilent = ({ questions }: Import) => questions.length === 0
const aTable = fc.record({
  ids: fc.uniqueArray(fc.integer({ min: 1_100_000, max: 5_900_000 }), {
    minLength: labels.length,
    maxLength: labels.length,
  }),
  separator: fc.constantFrom(',', '\t', ';'),
})
const rowsOf = (ids: readonly number[], before: readonly string[], separator: string) =>
  labels.map((label, at) => [label, ...before, ids[at]].join(separator))

describe('a table whose numbers may be no beatmaps (D-90)', () => {
  it('asks where the name of the column says something else than beatmaps', () => {
    const name = fc.constantFrom(
      'Views',
      'File size',
      'Thread',
      'Picked by',
      'Curator UID',
      'Clip offset (ms)',
      'Replay length',
      'Заметки',
      'ID zapisu',
      'Song no',
    )
    fc.assert(
      fc.property(aTable, name, fc.boolean(), ({ ids, separator }, column, hasTitle) => {
        const before = hasTitle ? ['Slow Comet'] : []
        const header = ['Slot', ...(hasTitle ? ['Title'] : []), column].join(separator)
        const read = readImport([header, ...rowsOf(ids, before, separator)].join('\n'))
        expect(isSilent(read) ? idsOf(read) : [], header).toEqual([])
      }),
    )
  })

  it('asks nothing where it names beatmaps in words of its own', () => {
    const name = fc.constantFrom('Map ID', 'ID (osu)', 'Diff ID new', 'ID da Música', 'Link to map')
    fc.assert(
      fc.property(aTable, name, ({ ids, separator }, column) => {
        const header = ['Slot', 'Title', column].join(separator)
        const read = readImport([header, ...rowsOf(ids, ['Slow Comet'], separator)].join('\n'))
        expect([isSilent(read), idsOf(read)]).toEqual([
          true,
          labels.map((label, at) => `${label} ${ids[at]}`),
        ])
      }),
    )
  })

  it('asks without a header where there are per cents, or words beside numbers as large as scores', () => {
    const scores = (count: number, min: number) =>
      fc.array(fc.integer({ min, max: 1_000_000 }), { minLength: count, maxLength: count })
    const high = fc.tuple(scores(4, 400_000), scores(2, 10_000))
    fc.assert(
      fc.property(
        high.chain((each) => fc.shuffledSubarray(each.flat(), { minLength: 6 })),
        fc.boolean(),
        (all, isWord) => {
          const text = labels
            .map((label, at) =>
              isWord ? `${label}\tkestrel${at}x\t${all[at]}` : `${label}\t${all[at]}\t9${at}.5%`,
            )
            .join('\n')
          const read = readImport(text)
          expect(isSilent(read) ? idsOf(read) : []).toEqual([])
        },
      ),
    )
    expect(isSilent(readImport('NM1\t512345\nNM2\t498123\nHD1\t600123'))).toBe(true)
    expect(isSilent(readImport('NM1,foo,952486\nNM2,foo,977496\nHD1,foo,202003'))).toBe(false)
    expect(idsOf(readImport('NM1,foo,952486\nNM2,foo,1977496\nHD1,foo,202003'))).toHaveLength(3)
    expect(idsOf(readImport('NM1,foo,129891\nNM2,foo,977496\nHD1,foo,202003'))).toHaveLength(3)
    const timed = 'NM1,foo,3:01,952486\nNM2,foo,2:10,977496\nHD1,foo,1:59,202003'
    expect(idsOf(readImport(timed))).toHaveLength(3)
    // What is asked of the first row of a bucket is asked of the others.
    const merged = readImport('NM,foo,952486\n,foo,977496\nHD,foo,712003\n,foo,812003')
    expect(merged.questions.map(({ lines }) => lines)).toEqual([[1, 2, 3, 4]])
  })

  it('asks whether the answers of a form are the pool, in each language of forms', () => {
    const heads = [
      'Timestamp,Your osu! username,Beatmap link,Mod',
      'Zeitstempel,Name,Maplink,Mod',
      'タイムスタンプ,名前,Map link,Mod',
      'Name,Map link,Mod,Why',
    ]
    for (const head of heads) {
      const rows = [75, 76, 77].map((id, at) => {
        const cells = [`2026/04/0${at + 1}`, `kestrel${at}`, `https://osu.ppy.sh/b/${id}`, 'NM']
        return (head.endsWith('Why') ? [...cells.slice(1), 'fun'] : cells).join(',')
      })
      const read = readImport([head, ...rows].join('\n'))
      expect([head, isSilent(read) ? idsOf(read) : []]).toEqual([head, []])
    }
  })

  it('asks about what is below a line for warm-ups, bans and suggestions, and not about the pool after it', () => {
    for (const title of ['Warmups:', 'Warm-up maps', 'Banned maps:', 'Suggestions:', 'Old maps:']) {
      const text = `${title}\nhttps://osu.ppy.sh/b/75\nhttps://osu.ppy.sh/b/76\nNM1 129891\nHD1 129892`
      const read = readImport(text)
      expect(
        read.questions.map(({ lines }) => lines),
        title,
      ).toEqual([[2, 3]])
      const left = readImport(text, { answers: new Map([['*', 'a']]) })
      expect(idsOf(left)).toEqual(['NM1 129891', 'HD1 129892'])
    }
  })

  it('reads a label whose number is behind a hyphen, a full stop or an underscore', () => {
    fc.assert(
      fc.property(aTable, fc.constantFrom('-', '.', '_'), ({ ids, separator }, sign) => {
        const rows = rowsOf(ids, [], separator).map((row) => row.replace(/(?=\d)/, sign))
        const read = readImport([`Slot${separator}ID`, ...rows].join('\n'))
        expect([isSilent(read), idsOf(read)]).toEqual([
          true,
          labels.map((label, at) => `${label} ${ids[at]}`),
        ])
      }),
    )
  })
})

describe('the numbers of slots as programs count them', () => {
  const pool = fc.tuple(...['NM', 'HD', 'HR'].map(() => fc.integer({ min: 2, max: 5 })))
  const made = (counts: readonly number[], number: (within: number, all: number) => number) => {
    let all = 0
    return ['NM', 'HD', 'HR'].flatMap((mod, at) =>
      Array.from({ length: counts[at]! }, (_, within) => {
        all += 1
        return { mod, order: number(within, all), beatmapID: 1_200_000 + all, own: within + 1 }
      }),
    )
  }
  const asJson = (slots: ReturnType<typeof made>) =>
    JSON.stringify({
      roundName: 'Finals',
      beatmaps: slots.map(({ mod, order, beatmapID }) => ({ mod, order, beatmapID })),
    })
  const asCsv = (slots: ReturnType<typeof made>) =>
    [
      'mods,index,beatmap_id',
      ...slots.map((slot) => `${slot.mod},${slot.order},${slot.beatmapID}`),
    ].join('\n')
  const wanted = (slots: ReturnType<typeof made>) =>
    slots.map(({ mod, own, beatmapID }) => `${mod}${own} ${beatmapID}`)

  it('counts from 1 what a file counts from 0, with a note', () => {
    fc.assert(
      fc.property(pool, fc.constantFrom(asJson, asCsv), (counts, write) => {
        const slots = made(counts, (within) => within)
        const read = readImport(write(slots))
        expect([isSilent(read), idsOf(read)]).toEqual([true, wanted(slots)])
        expect(read.notes.join()).toContain('counted from 0')
      }),
    )
  })

  it('asks once where they go on from bucket to bucket, and counts within buckets on wish', () => {
    fc.assert(
      fc.property(pool, fc.constantFrom(asJson, asCsv), (counts, write) => {
        const slots = made(counts, (_, all) => all)
        expect(readImport(write(slots)).questions).toHaveLength(1)
        const read = readImport(write(slots), { answers: new Map([['*', 'a']]) })
        expect(idsOf(read)).toEqual(wanted(slots))
      }),
    )
  })

  const anyGaps = fc.uniqueArray(fc.nat(5), { minLength: 1, maxLength: 3 })
  /** Objects of which some have no beatmap yet, and what their slots hold. */
  const withGaps = (slots: ReturnType<typeof made>, gaps: readonly number[]) => ({
    text: JSON.stringify(
      slots.map(({ mod, order, beatmapID }, at) => {
        return { mod, order, beatmapID: gaps.includes(at) ? null : beatmapID }
      }),
    ),
    slots: slots.map(({ mod, own, beatmapID }, at) => {
      return { mod, index: own, ...(!gaps.includes(at) && { beatmapId: beatmapID }) }
    }),
  })
  const slotsOf = ({ pools }: Import) =>
    pools.flatMap(({ round }) => slotsInPoolOrder({ slots: round.slots }))

  it('counts slots without a beatmap along with the others', () => {
    fc.assert(
      fc.property(pool, anyGaps, (counts, gaps) => {
        const fromZero = withGaps(
          made(counts, (within) => within),
          gaps,
        )
        expect([isSilent(readImport(fromZero.text)), slotsOf(readImport(fromZero.text))]).toEqual([
          true,
          fromZero.slots,
        ])
        const through = withGaps(
          made(counts, (_, all) => all),
          gaps,
        )
        expect(readImport(through.text).questions).toHaveLength(1)
        const read = readImport(through.text, { answers: new Map([['*', 'a']]) })
        expect(slotsOf(read)).toEqual(through.slots)
        const inBuckets = withGaps(
          made(counts, (within) => within + 1),
          gaps,
        )
        expect([isSilent(readImport(inBuckets.text)), slotsOf(readImport(inBuckets.text))]).toEqual(
          [true, inBuckets.slots],
        )
      }),
      { numRuns: 30 },
    )
  })

  it('takes them as they are in a round as the API has it', () => {
    const slots = ['NM', 'NM', 'TB'].map((mod, at) => ({ mod, index: at + 1, beatmapId: 75 + at }))
    const read = readImport(JSON.stringify({ rounds: [{ name: 'Finals', slots }] }))
    expect([isSilent(read), slotsOf(read)]).toEqual([true, slots])
  })
})

describe('a title above a table', () => {
  it('puts it in doubt where it says that what is below it is no pool, unless it is a sentence', () => {
    const word = fc.constantFrom('Banned', 'Removed', 'Rejected', 'Backup', 'Old')
    const length = fc.oneof(fc.integer({ min: 20, max: 100 }), fc.constantFrom(60, 61))
    const rest =
      ' maps of the season as the hosts and their poolers had planned it with all that was said of them'
    const property = fc.property(
      aTable,
      word,
      length,
      fc.boolean(),
      (table, first, size, isHeaded) => {
        const title = (first + rest).slice(0, size - 1) + 'x'
        const { ids, separator } = table
        const header = isHeaded ? [['Slot', 'ID'].join(separator)] : []
        const lines = [title, ...header, ...rowsOf(ids, [], separator)]
        const read = readImport(lines.join('\n'))
        expect([title, isSilent(read), idsOf(read).length]).toEqual(
          size > 60 ? [title, true, labels.length] : [title, false, 0],
        )
      },
    )
    fc.assert(property)
  })
})

describe('rows without a header that name their bucket twice, by a label and by itself', () => {
  it('are at the place that the label names, whatever is between and however few they are', () => {
    const anyRow = fc.record({
      bucket: fc.constantFrom(
        ['HD', 'Hidden'],
        ['NM', 'NoMod'],
        ['DT', 'Double Time'],
        ['FM', 'Free Mod'],
      ),
      index: fc.integer({ min: 1, max: 9 }),
      isNamed: fc.boolean(),
      filling: fc.constantFrom('TBA', '???', 'x'),
      order: fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
    })
    const property = fc.property(fc.array(anyRow, { minLength: 1, maxLength: 3 }), (rows) => {
      const [{ order, isNamed }] = rows as [(typeof rows)[0]]
      const places = rows.map(({ bucket: [code], index }) => `${code}${index}`)
      fc.pre(new Set(places).size === rows.length)
      const text = rows
        .map(({ bucket, filling }, at) => [bucket[isNamed ? 1 : 0], places[at], filling])
        .map((cells) => order.map((at) => cells[at]).join('\t'))
        .join('\n')
      const read = readImport(text).pools.flatMap(({ round }) => round.slots)
      expect([text, read.map(({ mod, index }) => `${mod}${index}`).toSorted()]).toEqual([
        text,
        places.toSorted(),
      ])
    })
    fc.assert(property)
  })
})

describe('rows of numbers below a row of labels', () => {
  it('are asked which of them holds the ids where they name no rounds, though their column is of such', () => {
    const name = fc.constantFrom('', 'Round', 'Stage', 'Pool', 'Slot')
    const property = fc.property(aTable, name, ({ ids, separator }, title) => {
      const rows = [
        [title, ...labels],
        ['', ...ids],
        ['', ...ids.map((id) => id + 1)],
      ]
      const read = readImport(rows.map((cells) => cells.join(separator)).join('\n'))
      expect([title, read.questions.length, idsOf(read)]).toEqual([title, 1, []])
    })
    fc.assert(property, { numRuns: 30 })
  })
})
