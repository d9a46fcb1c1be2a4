import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'
import { slotLabel } from '../../src/pool/slots.ts'

const read = (text: string) => {
  const { pools, questions, notes } = readImport(text)
  const slots = pools.flatMap(({ draft }) =>
    draft.slots.map((slot) => `${slotLabel(slot)} ${slot.beatmapId}`),
  )
  const lines = pools.flatMap((pool) => pool.lines)
  const isRefused = lines.some(({ outcome }) => outcome === 'refused')
  return { slots, notes, isAsked: questions.length > 0, isRefused }
}

describe('the same slot with the same beatmap again', () => {
  it('is no conflict, and noted', () => {
    fc.assert(
      fc.property(fc.constantFrom('NM', 'HD', 'XY'), fc.integer({ min: 1, max: 20 }), (code, n) => {
        const { slots, notes, isRefused } = read(`${code}${n} 129891\n${code}${n} 129891`)
        expect(slots).toEqual([`${code}${n} 129891`])
        expect(notes).toHaveLength(1)
        expect(isRefused).toBe(false)
        expect(read(`${code}${n} 129891\n${code}${n} 129892`).isRefused).toBe(true)
      }),
    )
  })
})

describe('labels and beatmaps in blocks', () => {
  const label = fc.constantFrom('NM1', 'NM2', 'HD1', 'HR1', 'DT2', 'FM1', 'SP1', 'SP2')
  const labels = fc.uniqueArray(label, { minLength: 2, maxLength: 6 })
  const between = fc.constantFrom('\n', '\n\n', '\nLinks\n', '\n-----\n')
  const bullet = fc.constantFrom('', '- ', '* ', '> ')
  const isLinked = fc.boolean()
  const idOf = (at: number, linked: boolean): string =>
    `${linked ? 'https://osu.ppy.sh/b/' : ''}${129_891 + at}`
  const titled = fc.constantFrom('', ' Artist - Title', ' Artist - Title [Hard]')

  it('belong together by their places', () => {
    fc.assert(
      fc.property(
        fc.record({ labels, between, bullet, isLinked, titled, isAbove: fc.boolean() }),
        (drawn) => {
          const names = drawn.labels.map((each) => `${drawn.bullet}${each}${drawn.titled}`)
          const ids = names.map((_, at) => `${drawn.bullet}${idOf(at, drawn.isLinked)}`)
          const [first, second] = drawn.isAbove ? [ids, names] : [names, ids]
          const text = first.join('\n') + drawn.between + second.join('\n')
          const wanted = drawn.labels.map((each, at) => `${each} ${129_891 + at}`)
          expect(read(text), text).toMatchObject({ isAsked: false, isRefused: false })
          expect(read(text).slots.toSorted(), text).toEqual(wanted.toSorted())
        },
      ),
    )
  })

  it('are refused where their numbers differ', () => {
    fc.assert(
      fc.property(labels, fc.integer({ min: 2, max: 6 }), isLinked, (names, count, linked) => {
        fc.pre(count !== names.length)
        const ids = Array.from({ length: count }, (_, at) => idOf(at, linked))
        for (const parts of [
          [...names, ...ids],
          [...ids, ...names],
        ]) {
          const text = parts.join('\n')
          expect(read(text), text).toMatchObject({ slots: [], isRefused: true })
        }
      }),
    )
  })

  it('are refused where a number or a title of both says otherwise', () => {
    for (const text of [
      'NM1\nNM2\n2. https://osu.ppy.sh/b/2\n1. https://osu.ppy.sh/b/1',
      'NM1 A - B *\nNM2 A - C **\n\n** https://osu.ppy.sh/b/2\n* https://osu.ppy.sh/b/1',
      'NM1 A - B\nNM2 A - C\n[A - C](https://osu.ppy.sh/b/2)\n[A - B](https://osu.ppy.sh/b/1)',
    ])
      expect(read(text), text).toMatchObject({ slots: [], isRefused: true })
  })

  it('may stand one above the other all through, if empty lines part them or the first slot is at the top; else they are refused', () => {
    fc.assert(
      fc.property(labels, isLinked, titled, fc.constantFrom('\n', '\n\n'), (...drawn) => {
        const [names, linked, title, apart] = drawn
        const text = names.map((each, at) => `${idOf(at, linked)}\n${each}${title}`).join(apart)
        const wanted = names.map((each, at) => `${each} ${129_891 + at}`)
        const isApart = apart === '\n\n' || names[0]!.endsWith('1')
        expect(read(text), text).toMatchObject({ isAsked: false, isRefused: !isApart })
        expect(read(text).slots.toSorted(), text).toEqual(isApart ? wanted.toSorted() : [])
        expect(read(`${text}\n129999`), text).toMatchObject({ slots: [], isRefused: true })
      }),
    )
  })
})

describe('a line', () => {
  const label = fc.constantFrom('NM1', 'NM2', 'HD1', 'HR1', 'DT2', 'FM1')
  const labels = fc.uniqueArray(label, { minLength: 2, maxLength: 4 })
  const sign = fc.constantFrom(' & ', '&', '+', ' + ', ', ', '; ', ' | ', ' • ', ' / ', ' ', ') ')
  const between = fc.constantFrom('=', ' ', ': ', ' - ', ' -> ', ' (', '：')
  const start = fc.constantFrom('', 'https://osu.ppy.sh/b/')

  it('with several slots has each of them', () => {
    fc.assert(
      fc.property(labels, sign, between, start, (names, apart, sure, prefix) => {
        const text = names.map((name, at) => `${name}${sure}${prefix}${129_891 + at}`).join(apart)
        const wanted = names.map((name, at) => `${name} ${129_891 + at}`)
        expect(read(text).slots.toSorted(), text).toEqual(wanted.toSorted())
      }),
    )
  })

  it('with the lists of several buckets has each of them', () => {
    const codes = fc.uniqueArray(
      fc.constantFrom('NM', 'HD', 'HR', 'NoMod', 'Hidden', 'Hard Rock'),
      {
        selector: (name) => name.slice(0, 1) + name.slice(-1).toLowerCase(),
        minLength: 2,
        maxLength: 3,
      },
    )
    const comma = fc.constantFrom(', ', ' ', ',', ' | ')
    const apart = fc.constantFrom(' ', '; ', ', ', ' / ', ' • ')
    fc.assert(
      fc.property(codes, comma, apart, fc.integer({ min: 1, max: 3 }), (names, own, end, count) => {
        const idsOf = (at: number) => Array.from({ length: count }, (_, n) => 129_891 + at * 10 + n)
        const text = names.map((name, at) => `${name}: ${idsOf(at).join(own)}`).join(end)
        const { slots } = read(text)
        const byLine = read(names.map((name, at) => `${name}:\n${idsOf(at).join('\n')}`).join('\n'))
        expect(slots, text).toHaveLength(count * names.length)
        expect(slots, text).toEqual(byLine.slots)
      }),
    )
  })

  it('ends with a break of a page', () => {
    fc.assert(
      fc.property(
        labels,
        fc.constantFrom('<br>', '<br/>', ' <BR /> '),
        start,
        (names, end, prefix) => {
          const lines = names.map((name, at) => `${name} ${prefix}${129_891 + at}`)
          expect(read(lines.join(end) + end).slots).toEqual(read(lines.join('\n')).slots)
        },
      ),
    )
  })

  it('that says how many beatmaps the buckets have names none', () => {
    const counts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 2, maxLength: 5 })
    const apart = fc.constantFrom(', ', ' ', ' | ', ' / ', '; ', ' + ', ',')
    const pair = fc.constantFrom(
      (code: string, count: number) => `${code} ${count}`,
      (code: string, count: number) => `${code}: ${count}`,
      (code: string, count: number) => `${code}:${count}`,
      (code: string, count: number) => `${code} (${count})`,
      (code: string, count: number) => `${code}=${count}`,
      (code: string, count: number) => `${count} ${code}`,
    )
    const around = fc.constantFrom(
      (text: string) => text,
      (text: string) => `Pool (${text})`,
      (text: string) => `Mappool: ${text}`,
    )
    fc.assert(
      fc.property(counts, apart, pair, around, (all, sign, write, wrap) => {
        const line = all.map((count, at) => write(['NM', 'HD', 'HR', 'DT', 'TB'][at]!, count))
        const text = `${wrap(line.join(sign))}\nNM1 129891\nHD1 129892`
        expect(read(text).slots, text).toEqual(['NM1 129891', 'HD1 129892'])
      }),
    )
  })

  it('that counts the beatmaps below it is the heading of their bucket', () => {
    const names = fc.constantFrom(
      ['NoMod', 'NM'],
      ['Hidden', 'HD'],
      ['Hard Rock', 'HR'],
      ['DT', 'DT'],
    )
    const write = fc.constantFrom(
      (name: string, count: number) => `${count} ${name}`,
      (name: string, count: number) => `${count}x ${name}`,
      (name: string, count: number) => `${count} × ${name}`,
      (name: string, count: number) => `${name} (${count})`,
    )
    fc.assert(
      fc.property(names, write, fc.integer({ min: 1, max: 9 }), ([name = '', code], of, count) => {
        const links = Array.from(
          { length: count },
          (_, at) => `https://osu.ppy.sh/b/${129_891 + at}`,
        )
        const slots = links.map((_, at) => `${code}${at + 1} ${129_891 + at}`)
        expect(read([of(name, count), ...links].join('\n')).slots).toEqual(slots)
      }),
    )
  })

  it('with two slots and one beatmap is asked', () => {
    const joint = fc.oneof(
      fc.constantFrom(';', ', ', ': ', '和', 'または', ' & ', '/', ' > ', '=', ' (', ' ', ' + '),
      fc.stringMatching(/^ [a-zäéñßø가-힣あ-ん]{1,6} $/u),
    )
    const after = fc.constantFrom(': ', '：', ' - ', ' ', ' (both): ', ' 둘 다: ')
    fc.assert(
      fc.property(labels, joint, after, start, ([one, other], sign, behind, prefix) => {
        const text = `${one}${sign}${other}${behind}${prefix}129891`
        expect(read(text), text).toMatchObject({ slots: [], isAsked: true })
        expect(read(`FM9 129890\n${text}`).slots, text).toEqual(['FM9 129890'])
      }),
    )
  })

  it('with a second number behind a word is asked which of them it is', () => {
    const word = fc.stringMatching(/^[a-zäéñа-я가-힣]{3,8}$/u)
    const joint = fc.constantFrom(', ', ' - ', ' | ', ' (', ' / ')
    const end = fc.constantFrom(' ', ': ', ' = ')
    fc.assert(
      fc.property(label, joint, word, end, (slot, before, name, after) => {
        const text = `${slot} 129891${before}${name}${after}129892`
        expect(read(text), text).toMatchObject({ slots: [], isAsked: true })
      }),
    )
  })

  it('with a word alone in front of a link, below a bucket, is asked', () => {
    const word = fc.stringMatching(/^[a-zäéñа-я]{4,8}( [a-zäéñа-я]{2,8})?$/u)
    fc.assert(
      fc.property(word, fc.constantFrom(': ', ' : ', '：'), (name, sign) => {
        const text = `NoMod\n${name}${sign}https://osu.ppy.sh/b/129891\nhttps://osu.ppy.sh/b/129892`
        const { slots, isAsked } = read(text)
        const isBucket = readImport(`${name}:`).pools.some(({ lines }) => lines.length > 1)
        if (!isBucket)
          expect([text, slots.includes('NM1 129891') && !isAsked]).toEqual([text, false])
      }),
    )
  })
})

describe('a word with one number beside a pool', () => {
  it('is left out by the first answer', () => {
    const word = fc.constantFrom(
      'Password',
      'password',
      'PIN',
      'BWS',
      'Lobby code',
      'Пароль',
      '비밀번호',
    )
    fc.assert(
      fc.property(
        word,
        fc.constantFrom('NM1 129891\nHD1 129892', 'NoMod\n129891'),
        (name, pool) => {
          const text = `${pool}\n${name}: 123456`
          const { pools } = readImport(text, { answers: new Map([['*', 'a']]) })
          const ids = pools.flatMap(({ draft }) => draft.slots.map(({ beatmapId }) => beatmapId))
          expect(ids, text).not.toContain(123_456)
        },
      ),
    )
  })
})

it('slots behind a minus beside others behind a plus are asked', () => {
  const text = '+ NM1 129891\n+ HD1 129892\n- HR1 129893'
  expect(read(text)).toMatchObject({ slots: ['NM1 129891', 'HD1 129892'], isAsked: true })
  expect(read(text.replaceAll('+', '-')).isAsked).toBe(false)
  expect(read(text.replaceAll('-', '+')).isAsked).toBe(false)
})

describe('a bit of a mod', () => {
  const bits = {
    NF: 1,
    EZ: 2,
    HD: 8,
    HR: 16,
    SD: 32,
    DT: 64,
    HT: 256,
    NC: 576,
    FL: 1024,
    PF: 16416,
  }

  it('is no beatmap', () => {
    const several = fc.uniqueArray(fc.constantFrom(...Object.entries(bits)), {
      selector: ([code]) => code,
      minLength: 2,
      maxLength: 5,
    })
    fc.assert(
      fc.property(several, fc.constantFrom(' = ', '=', ' ', ': ', ' - '), (mods, sign) => {
        const text = `${mods.map(([code, bit]) => `${code}${sign}${bit}`).join('\n')}\nNM1 129891`
        expect(read(text).slots, text).toEqual(['NM1 129891'])
      }),
    )
    expect(read('DT = 1<<6\nNM1 129891').slots).toEqual(['NM1 129891'])
    expect(read('NC 576\nhttps://osu.ppy.sh/b/129891').slots).toEqual(['NC1 129891'])
  })
})
