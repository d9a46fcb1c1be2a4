import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'
import { slotLabel } from '../../src/pool/slots.ts'
import { pasted } from './pasted-text.ts'

const link = (id: number): string => `https://osu.ppy.sh/b/${id}`
const code = fc.constantFrom('NM', 'HD', 'HR', 'DT', 'FM')
const anyId = fc.integer({ min: 100_000, max: 5_000_000 }).filter((id) => id % 1000 !== 0)
const anySlot = fc.record({ code, index: fc.integer({ min: 1, max: 9 }), id: anyId })

/** The slots of a text, and whether anything in it is asked or refused. */
const readOf = (text: string) => {
  const { pools, others, questions } = readImport(text)
  const lines = [...pools.flatMap((pool) => pool.lines), ...others]
  const isOpen = questions.length > 0 || lines.some(({ outcome }) => outcome === 'refused')
  const slots = pools.flatMap(({ draft }) =>
    draft.slots.map((slot) => ({ slot, name: draft.name })),
  )
  const words = slots.map(({ slot }) => `${slotLabel(slot)}=${slot.beatmapId}`)
  return { slots: words, names: pools.map(({ name }) => name), isOpen }
}

describe('a label that is in a line with one beatmap', () => {
  const apart = fc.constantFrom(
    ' - ',
    ' # ',
    ' // ',
    ': ',
    ' -> ',
    ' (',
    ' [',
    ' | ',
    ' ~ ',
    ' = ',
    ' ',
  )
  const rest = fc.constantFrom('', ' - Artist - Title', ' (new)', ' Artist - Title', ' | mapper')
  const beatmap = fc.constantFrom(
    String,
    link,
    (id: number) => `[Artist - Title](${link(id)})`,
    (id: number) => `[url=${link(id)}]Artist - Title[/url]`,
    (id: number) =>
      `[url=${link(id)}][img]https://assets.ppy.sh/beatmaps/1/covers/cover.jpg[/img][/url]`,
    (id: number) => `![](https://assets.ppy.sh/beatmaps/1/covers/cover.jpg) ${link(id)}`,
  )

  it('is its slot, or the line is asked or refused: it is never without a slot', () => {
    fc.assert(
      fc.property(anySlot, beatmap, apart, rest, (slot, write, mark, end) => {
        const label = `${slot.code}${slot.index}`
        const closing = mark === ' (' ? ')' : mark === ' [' ? ']' : ''
        const read = readOf(`${write(slot.id)}${mark}${label}${closing}${end}`)
        if (!read.isOpen) expect(read.slots).toEqual([`${label}=${slot.id}`])
        if (end === '') expect(read.isOpen).toBe(false)
      }),
      { numRuns: 400 },
    )
  })

  it.each([
    '129891 - NM1',
    '129891 (NM1)',
    '129891 # NM1',
    '129891 // NM1',
    '129891 - NM1 - A - B',
  ])('may follow the id: %s', (text) => expect(pasted(text)).toEqual(['NM1=129891']))

  it.each(['129891 Artist - Title NM1', `${link(75)} (this is our HD1)`])(
    'is refused where it may be part of a title: %s',
    (text) => expect(pasted(text)).toEqual([expect.stringContaining('not clear which slot')]),
  )

  it('is asked for where there are two, however they are joined', () => {
    const joint = fc.constantFrom(' & ', ' + ', ', ', ' and ', ' or ', '/', ' / ', '&', ' - ')
    fc.assert(
      fc.property(anySlot, anySlot, joint, fc.boolean(), (one, other, joined, isLinked) => {
        const [first, second] = [one, other].map(({ code, index }) => `${code}${index}`)
        const beatmap = isLinked ? link(one.id) : one.id
        const read = readOf(`${first}${joined}${second}: ${beatmap}\nTB: ${other.id}`)
        // One that is named twice is one.
        expect(read.isOpen).toBe(first !== second)
        expect(read.slots).toContain(`TB=${other.id}`)
        expect(read.slots).toHaveLength(first === second ? 2 : 1)
      }),
    )
  })

  it.each(['NM1 (foo) 952486', 'HD1 [bar]: 877496', 'NM1 - (foo) - 952486'])(
    'is asked about where a name in brackets follows it, which may have a score: %s',
    (text) => expect(pasted(text)).toEqual([expect.stringMatching(/^1\? No, leave them out/)]),
  )

  it.each([
    'NM1 (HD) 952486',
    'NM1 (HD/HR/EZ) 952486',
    'NM1 (HD+HR) 952486',
    'NM1 (6.2*) 952486',
    'NM1 (Artist - Title) 952486',
  ])('is certain where mods, figures or a song are in the brackets: %s', (text) =>
    expect(pasted(text)).toEqual(['NM1=952486']),
  )

  it.each([
    'NM1 129891 NF',
    'NM1\ufe0f\u20e3 129891',
    'NM 1\ufe0f\u20e3 129891',
    '[spoiler]NM1 129891[/spoiler]',
  ])('may have mods behind its beatmap, a digit as a key, and tags around it: %s', (text) =>
    expect(pasted(text)).toEqual(['NM1=129891']),
  )
})

describe('letters and digits of other scripts', () => {
  const alike: Readonly<Record<string, string>> = {
    N: 'NＮΝ𝐍',
    M: 'MМΜＭ𝐌',
    H: 'HНΗＨ',
    D: 'DＤ',
    R: 'RＲ',
    T: 'TТΤ',
    F: 'FＦ',
    '1': '1１¹①',
    '2': '2２²②',
  }
  const written = (label: string) =>
    fc
      .tuple(...Array.from(label, (sign) => fc.constantFrom(...Array.from(alike[sign] ?? sign))))
      .map((signs) => signs.join(''))

  it('are read as the code that they look like, and make no bucket of their own', () => {
    const label = fc.tuple(code, fc.constantFrom('1', '2')).map((parts) => parts.join(''))
    const line = label.chain((each) => fc.tuple(fc.constant(each), written(each), anyId))
    fc.assert(
      fc.property(line, fc.boolean(), ([plain, sign, id], isLinked) => {
        expect(pasted(`${sign} ${isLinked ? link(id) : id}`)).toEqual([`${plain}=${id}`])
      }),
      { numRuns: 200 },
    )
  })

  it.each([
    ['НМ1 129891', 'NM1=129891'],
    ['ТВ 129891', 'TB=129891'],
    ['РЦ1 129891', 'РЦ1=129891'],
  ])('may sound like it, or be a code: %s', (text, slot) => {
    expect(pasted(text)).toEqual([slot])
  })
})

describe('numbers of mods', () => {
  const bits = { NM: 0, EZ: 2, HD: 8, HR: 16, DT: 64, HT: 256, FL: 1024, HDDT: 72, HRDT: 80 }
  const names = { DT: 'DoubleTime', HD: 'Hidden', HR: 'HardRock', NM: 'NoMod' }

  it('are no beatmaps, whatever is above, around or in front of their lines', () => {
    const before = fc.constantFrom('', 'Hey, here is the pool:\n\n', 'Mods\n', '# pool\n')
    const lead = fc.constantFrom('', '\t', '  ', '- ')
    const form = fc.constantFrom(' = ', '=', ': ', '\t', ' - ')
    const list = fc.shuffledSubarray(Object.entries(bits), { minLength: 2 })
    fc.assert(
      fc.property(before, lead, form, list, (above, start, mark, mods) => {
        const lines = mods.map(([mod, value]) => `${start}${mod}${mark}${value}`)
        const { slots } = readOf(`${above}${lines.join('\n')}\nNM1 129891\nHD1 129892`)
        expect(slots).toEqual(['NM1=129891', 'HD1=129892'])
      }),
      {
        numRuns: 200,
        examples: [['', '', '\t', Object.entries({ EZ: 2, HR: 16 })]],
      },
    )
  })

  it('no number is a beatmap that none has, in cells beside those of others', () => {
    const rows = fc.shuffledSubarray(['NM', 'HD', 'DT', 'TB'], { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 49 }), rows, (number, codes) => {
        const others = codes.map((code, at) => `${code}1\t${129_891 + at}\tAda - One`)
        const { slots, isOpen } = readOf(`${others.join('\n')}\nHR\t${number}\t\tBo - Two`)
        expect(slots).toEqual(
          codes.map((code, at) => `${code === 'TB' ? code : `${code}1`}=${129_891 + at}`),
        )
        expect(isOpen).toBe(true)
      }),
      { numRuns: 50 },
    )
  })

  it('name the bucket of the beatmaps below them', () => {
    const above = fc.constantFrom('', 'Hey, here is the pool:\n\n', 'Pool, final; 2026\n')
    fc.assert(
      fc.property(above, fc.constantFrom('', '\t', '    '), (first, start) => {
        const sections = Object.entries(names).flatMap(([mod, name], at) => [
          `${start}[${name}=${bits[mod as keyof typeof names]}]`,
          `${start}${link(1000 + at)}`,
          `${start}${link(2000 + at)}`,
        ])
        expect(readOf(first + sections.join('\n')).slots.toSorted()).toEqual(
          Object.keys(names)
            .flatMap((mod, at) => [`${mod}1=${1000 + at}`, `${mod}2=${2000 + at}`])
            .toSorted(),
        )
      }),
    )
  })
})

describe('a list below the name of a bucket', () => {
  const forms: readonly ((at: number, id: number) => string)[] = [
    (at, id) => `${at}. ${link(id)}`,
    (at, id) => `${at}) ${id}`,
    (at, id) => `Map ${at}: ${id}`,
    (at, id) => `Map #${at} ${link(id)}`,
    (at, id) => `${at}\tArtist - Title\t${id}`,
    (at, id) => `${at},Artist - Title,${id}`,
    (at, id) => `${at} - ${link(id)}`,
    (at, id) => `${['0', 'I', 'II', 'III', 'IV', 'V', 'VI'][at]}. ${link(id)}`,
  ]

  it('has its slots by distinct numbers, in whatever order they come', () => {
    const order = fc.integer({ min: 2, max: 6 }).chain((count) => {
      const numbers = Array.from({ length: count }, (_, at) => at + 1)
      return fc.shuffledSubarray(numbers, { minLength: count })
    })
    fc.assert(
      fc.property(order, fc.constantFrom(...forms), (numbers, write) => {
        const lines = numbers.map((number) => write(number, 1_234_500 + number))
        const { slots, isOpen } = readOf(`NoMod\n${lines.join('\n')}`)
        expect(isOpen).toBe(false)
        expect(slots.toSorted()).toEqual(numbers.map((n) => `NM${n}=${1_234_500 + n}`).toSorted())
      }),
      { numRuns: 200 },
    )
  })

  it('has them by its order where they are the same, and is refused where they may go on from another', () => {
    expect(pasted(`HD\n1. ${link(75)}\n1. ${link(76)}`)).toEqual(['HD1=75', 'HD2=76'])
    expect(pasted(`HD\n3. ${link(75)}\n4. ${link(76)}`)).toEqual(['HD1=75', 'HD2=76'])
    expect(readOf(`HD\n6. ${link(75)}\n5. ${link(76)}`).isOpen).toBe(true)
  })

  it('makes no bucket of a word of a title', () => {
    const word = fc.stringMatching(/^[A-Z][a-z]{4,9}$/)
    const line = fc.constantFrom<(word: string, id: number) => string>(
      (artist, id) => `1. ${artist} - ${id}`,
      (artist, id) => `${artist} - ${id}`,
      (artist, id) => `${artist} ${id}`,
    )
    fc.assert(
      fc.property(word, line, anyId, (artist, write, id) => {
        const { slots, isOpen } = readOf(`NoMod\n75\n${write(artist, id)}\n76`)
        const isBucket = slots.some((slot) => slot.startsWith(artist))
        expect(isBucket).toBe(false)
        expect(isOpen || slots.includes(`NM2=${id}`)).toBe(true)
      }),
    )
  })

  it.each(['Replay 1380940', 'Mappack: 44444', 'Alt: 129892', 'Sub: 129892', 'Backup: 129892'])(
    'is asked about what is beside it: %s',
    (text) => {
      const asked = /^3\? Leave this line out \| In no bucket \| In a new bucket \w+$/
      expect(pasted(`NM1 75\nHD1 76\n${text}`)).toEqual([
        'NM1=75',
        'HD1=76',
        expect.stringMatching(asked),
      ])
    },
  )

  it.each(['Alt', 'Backup', 'Sub'])('is asked about %s, wherever it is', (word) => {
    const asked = 'Leave this line out | In no bucket | In a new bucket'
    const slots = ['NM1=129891', 'HD1=129892']
    const above = pasted(`${word}: 129893\nNM1 129891\nHD1 129892`)
    expect(above).toEqual([`1? ${asked} ${word}`, ...slots])
    const below = pasted(`Slot,Map ID\nNM1,129891\nHD1,129892\n${word},129893`)
    expect(below).toEqual([...slots, `4? ${asked} ${word}`])
  })

  it('has titles with numbers, which are asked among planned ones', () => {
    const text = 'NM1 A - B\nNM2 100000 Fahrenheit - Lost [Oni] (m)\nHD1 Artist - Title (20230)'
    expect(readOf(text)).toMatchObject({ slots: [], isOpen: true })
  })
})

describe('the same buckets, again', () => {
  const heading = fc.constantFrom(
    '',
    'Div N:',
    'Set N',
    '🔥 Rookie N 🔥',
    'Day N:',
    '---',
    '* Pool N *',
  )
  const bucket = fc.constantFrom<(code: string, id: number) => string>(
    (name, id) => `${name}\n${id}`,
    (name, id) => `${name}\n1. ${link(id)}`,
    (name, id) => `${name}: ${id}`,
  )

  it('are rounds, asked or refused: they never go on with the first pool', () => {
    const codes = fc.shuffledSubarray(['NM', 'HD', 'HR', 'DT'], { minLength: 2 })
    fc.assert(
      fc.property(heading, bucket, codes, (title, write, all) => {
        const pool = (at: number): string =>
          [
            title.replace('N', String(at)),
            ...all.map((each, n) => write(each, 10_000 * at + n)),
          ].join('\n')
        const { slots, names, isOpen } = readOf(`${pool(1)}\n\n${pool(2)}`)
        expect(isOpen || names.length === 2).toBe(true)
        expect(slots.filter((slot) => /[A-Z]2=/.test(slot))).toEqual([])
      }),
      { numRuns: 200 },
    )
  })
})

describe('links of Markdown by reference', () => {
  it('are those at the end of the text', () => {
    const refs = `[1]: ${link(129891)}\n[nm2]: <${link(76)}> "Title"\n[E - F]: ${link(77)}`
    const list = 'NM1 [A - B][1]\nNM2 [C - D \\[Hard\\]][nm2]\nHD1 [E - F][]'
    expect(pasted(`${list}\n\n${refs}`)).toEqual(['NM1=129891', 'NM2=76', 'HD1=77'])
    const article =
      '### Finals\n\n- NoMod\n  1. [A - B][1]\n  2. [C - D][nm2]\n- Hidden\n  1. [E - F][]'
    expect(pasted(`${article}\n\n${refs}`)).toEqual(['NM1=129891', 'NM2=76', 'HD1=77'])
  })
})
