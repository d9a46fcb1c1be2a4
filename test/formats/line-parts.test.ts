import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'
import { pasted } from './pasted-text.ts'
import { slotLabel } from '../../src/pool/slots.ts'

/** The slots of a text by round, `QF NM1=129891`, and how many of its lines are asked or refused. */
const read = (text: string) => {
  const { pools, others, questions } = readImport(text)
  const lines = [...pools.flatMap((pool) => pool.lines), ...others]
  const slots = pools.flatMap(({ name, round }) =>
    round.slots.map((slot) => `${name ?? '-'} ${slotLabel(slot)}=${slot.beatmapId ?? 'TBA'}`),
  )
  const refused = lines.filter(({ outcome }) => outcome === 'refused').length
  return { slots, open: questions.length + refused }
}
const link = (id: number): string => `https://osu.ppy.sh/b/${id}`

describe('the name of a round in front of a slot', () => {
  const anyName = fc.constantFrom(
    'Stage 1',
    'QF',
    'Grand Finals',
    'Round of 16',
    'Week 2',
    'Losers Round 2',
    '16 Besar',
    '1. Tur',
    '決勝',
    '半决赛',
    '패자조 결승',
    'Division 1 Finals',
  )
  const anyWay = fc.constantFrom(
    (name: string, slot: string) => `${name} - ${slot}`,
    (name: string, slot: string) => `${name} ${slot}`,
    (name: string, slot: string) => `${name}: ${slot}`,
    (name: string, slot: string) => `[${name}] ${slot}`,
    (name: string, slot: string) => `- **${name}** ${slot}`,
    (name: string, slot: string) => `【${name}】${slot}`,
    (name: string, slot: string) => `[b]${name}[/b] ${slot}`,
    (name: string, slot: string) => `${name} | ${slot}`,
  )
  const anySlot = fc.constantFrom(
    (label: string, id: number) => `${label}: ${id}`,
    (label: string, id: number) => `${label} ${link(id)}`,
    (label: string, id: number) => `${label}: [Artist - Title](${link(id)})`,
  )

  it('is its round, however it is set apart; lines of the same name are in one', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(anyName, { minLength: 1, maxLength: 3 }),
        anyWay,
        anySlot,
        (names, way, slot) => {
          const all = names.flatMap((name, at) =>
            ['NM1', 'HD1'].map((label, place) => ({ name, label, id: 129_891 + 2 * at + place })),
          )
          const text = all.map(({ name, label, id }) => way(name, slot(label, id))).join('\n')
          const expected = all.map(({ name, label, id }) => `${name} ${label}=${id}`)
          expect(read(text), text).toEqual({ slots: expected, open: 0 })
        },
      ),
      { numRuns: 150 },
    )
  })

  it.each([
    ['Finals NM: 129891, 131891', ['Finals NM1=129891', 'Finals NM2=131891']],
    ['Finals NoMod\n129891\n131891', ['Finals NM1=129891', 'Finals NM2=131891']],
    ['RO16NM1 129891\nGF-HD1 131891', ['RO16 NM1=129891', 'GF HD1=131891']],
    [
      'Week 1: NM1 129891, HD1 131891\nWeek 2: NM1 75',
      ['Week 1 NM1=129891', 'Week 1 HD1=131891', 'Week 2 NM1=75'],
    ],
    ['QF NM1: 129891 | SF NM1: 131891', ['QF NM1=129891', 'SF NM1=131891']],
    ['Stage 1 - NM1: TBA\nStage 1 - NM2: 75', ['Stage 1 NM1=TBA', 'Stage 1 NM2=75']],
  ])('is that of all in the line: %j', (text, slots) => {
    expect(read(text)).toEqual({ slots, open: 0 })
  })

  it('begins none where no slot follows', () => {
    const text = 'NM1 129891\nFinals NM1 is too hard\nWeek 1 was fun\nHD1 131891'
    expect(readImport(text).pools.map(({ name }) => name)).toEqual([null])
  })
})

describe('several labels in front of as many beatmaps', () => {
  it.each([
    'NM1, NM2: 129891, 129892',
    'NM1,NM2: 129891,129892',
    'NM1/NM2: 129891/129892',
    'NM1 & NM2 = 129891 & 129892',
    'NM1-2: 129891, 129892',
    'NM1-NM2: 129891 | 129892',
    `NM1 + NM2: ${link(129_891)} ${link(129_892)}`,
  ])('are each the slot of one: %s', (text) => {
    expect(read(text)).toEqual({ slots: ['- NM1=129891', '- NM2=129892'], open: 0 })
    expect(read(`Finals ${text}`).slots).toEqual(['Finals NM1=129891', 'Finals NM2=129892'])
  })

  it.each([
    'NM1-3: 129891, 129892\nHD1-2: 41823, 41824',
    'NM1,NM2,NM3: 129891,129892\nHD1-2: 41823,41824',
    'NM2-1: 129891, 129892\nHD1-2: 41823, 41824',
  ])('are refused or asked where there are more or fewer: %j', (text) => {
    expect(read(text).slots.filter((slot) => slot.startsWith('- NM'))).toEqual([])
    expect(read(text).open).toBeGreaterThan(0)
  })
})

describe('the beatmaps of a bucket in one line', () => {
  const forms = ['A, B', 'A,B', 'A、B', 'A／B', 'A/B', 'A & B', 'A+B', 'A | B', 'A B']
  const named = [
    ['NM: ', 'NM'],
    ['无mod：', 'NM'],
    ['Hidden: ', 'HD'],
  ] as const
  it('are in its order, whatever is between them', () => {
    for (const [front, code] of named) {
      for (const form of forms) {
        const text = front + form.replace('A', '129891').replace('B', '129892')
        const slots = [`- ${code}1=129891`, `- ${code}2=129892`]
        expect(read(text), text).toEqual({ slots, open: 0 })
      }
    }
  })

  it('are not passed over where nothing says what they are', () => {
    for (const word of ['ids 129891/129892', '129891・129892', 'see 129891_129892'])
      expect(read(`NM1 75\nHD1 76\n${word}`).open, word).toBeGreaterThan(0)
  })
})

it('the stages of a qualifier are slots, with ids and with links', () => {
  const stages = ['- Stage1=129891', '- Stage2=129892']
  for (const form of ['Stage N: ID', 'Stage N - LINK', 'Stage N: Artist - Title LINK']) {
    const lines = [1, 2].map((at) => {
      const id = 129_890 + at
      return form.replace('N', String(at)).replace('ID', String(id)).replace('LINK', link(id))
    })
    expect(read(lines.join('\n')), form).toEqual({ slots: stages, open: 0 })
  }
})

describe('slots with their titles in one line', () => {
  const titles = ['Freedom Dive', 'Exit, the Sequel', 'Artist - Title [Insane]', 'Area 51 & more']

  it('are all read, whatever is between them', () => {
    const join = fc.constantFrom(' | ', '|', '\t', '; ', ', ', ' • ', ' / ')
    const slots = fc.uniqueArray(fc.constantFrom('NM1', 'NM2', 'HD1', 'DT3', 'FM1'), {
      minLength: 2,
    })
    fc.assert(
      fc.property(slots, join, fc.constantFrom(...titles), (labels, between, title) => {
        const all = labels.map((label, at) => ({ label, id: 129_891 + at }))
        const text = all.map(({ label, id }) => `${label} ${title} ${link(id)}`).join(between)
        const expected = all.map(({ label, id }) => `- ${label}=${id}`)
        expect(read(text).slots.toSorted(), text).toEqual(expected.toSorted())
        expect(read(text).open).toBe(0)
      }),
      { numRuns: 60 },
    )
  })

  it('may have ids in place of links, and a slot to be announced', () => {
    expect(read('NM1 Freedom Dive 129891 | HD1 Exit 41823 | TB Fury 131891').slots).toEqual([
      '- NM1=129891',
      '- HD1=41823',
      '- TB=131891',
    ])
    expect(read(`NM1 Exit ${link(75)} | HD1 TBA | TB Fury ${link(76)}`)).toEqual({
      slots: ['- NM1=75', '- HD1=TBA', '- TB=76'],
      open: 0,
    })
  })

  it.each([
    `NM1 ${link(75)} | NM2 ${link(76)} ${link(77)}`,
    'NM1 Title 129891 | HD1 Title 131891 | and 41823',
    'NM1 Title 129891 | HD1 NM2 Title 131891',
  ])('are asked or refused where one has no single beatmap: %s', (text) => {
    expect(read(text).open).toBeGreaterThan(0)
  })
})

describe('titles that are links, in one line', () => {
  const forms: Readonly<Record<string, (title: string, link: string) => string>> = {
    Markdown: (title, link) => `[${title}](${link})`,
    BBCode: (title, link) => `[url=${link}]${title}[/url]`,
  }
  const anyTitle = fc.constantFrom(
    'Elm - Ash',
    'Elm - Ash (Yew) [Hard]',
    'Elm – Ash, Fir',
    'Oak - [x] Elm',
  )
  const anyIds = fc.uniqueArray(fc.integer({ min: 100_000, max: 5_900_000 }), {
    minLength: 2,
    maxLength: 6,
  })
  const anyGap = fc.constantFrom(' ', ', ', '; ', ' · ')

  it.each(Object.entries(forms))('are a list below the name of a bucket: %s', (_, form) => {
    fc.assert(
      fc.property(anyIds, anyTitle, anyGap, ([last, ...ids], title, gap) => {
        const link = (id: number): string =>
          form(title, `https://osu.ppy.sh/beatmapsets/1#osu/${id}`)
        const text = `NM\n${ids.map(link).join(gap)}\nHD\n${link(last!)}`
        const read = pasted(text)
        expect({ text, read }).toEqual({
          text,
          read: [...ids.map((id, at) => `NM${at + 1}=${id}`), `HD1=${last}`],
        })
      }),
      { numRuns: 60, endOnFailure: true },
    )
  })

  it.each(Object.entries(forms))(
    'are none below one slot, or with anything else: %s',
    (_, form) => {
      const link = (id: number, title = 'Elm - Ash'): string =>
        form(title, `https://osu.ppy.sh/b/${id}`)
      for (const text of [
        `NM1\n${link(129891)} ${link(129892)}`,
        `NM\n${link(129891)} or ${link(129892)}`,
        `NM\n${link(129891)} ${link(129892, 'backup')}`,
        `NM\n1. ${link(129891)} ${link(129892)}`,
      ]) {
        const read = pasted(text).filter((line) => line.includes('='))
        expect({ text, read }).toEqual({ text, read: [] })
      }
    },
  )
})
