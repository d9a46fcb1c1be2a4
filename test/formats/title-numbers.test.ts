import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'
import { pasted } from './pasted-text.ts'

const anyNumber = fc.integer({ min: 10_000, max: 19_999_999 })
/** Round numbers are of titles rather. */
const anyId = fc.integer({ min: 1_400_000, max: 7_999_999 }).filter((id) => id % 100_000 > 0)

describe('the number that a line begins with, or its label', () => {
  it.each([
    'N: Kestrel - Oak [Hard]',
    '(N) Kestrel - Oak',
    '[N] Kestrel - Oak',
    'N - Kestrel - Oak',
  ])('is the id, with its song behind it: %s', (form) => {
    fc.assert(
      fc.property(anyId, (id) => {
        expect(pasted(`NoMod\n${form.replace('N', `${id}`)}`)).toEqual([`NM1=${id}`])
      }),
      { numRuns: 20 },
    )
  })

  it('is none where it is a year, and an id comes behind it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1900, max: 2099 }), anyId, (year, id) => {
        expect(pasted(`NM1 ${year} - ${year + 1} [Hard] ${id}`)).not.toEqual([`NM1=${year}`])
      }),
      { numRuns: 20 },
    )
  })
})

describe('a number in a title', () => {
  it.each([
    'NM1 Kestrel - N years [Insane] (mapper)',
    'NM1 Kestrel - Oak (N remaster) [Insane] (mapper)',
    'NM1 Kestrel - Oak N [Insane]',
    'NM1 Kestrel - Oak [N Hits]',
    'NM1 Kestrel N Band - Oak',
    'NM1 - Kestrel - N years',
    'TB Kestrel - N years [Insane]',
    'NM1\tKestrel - N years\t6.2\t2:30',
    'NM1\tKestrel - N',
    'NM1\tKestrel - Oak N\t6.2',
    '["NM1 Kestrel - N years [Insane]"]',
  ])('is no id, and the slot is planned: %s', (form) => {
    fc.assert(
      fc.property(anyNumber, (number) => {
        const { pools, questions } = readImport(form.replace(/\bN\b/, `${number}`))
        expect(questions).toEqual([])
        expect(pools.flatMap(({ lines }) => lines)).toMatchObject([
          {
            outcome: 'planned',
            filling: { details: { artist: expect.stringContaining('Kestrel') } },
          },
        ])
      }),
      { numRuns: 30 },
    )
  })

  it.each([
    'NM1 Kestrel - N',
    'NM1 Kestrel - N (feat. Ada) [Oni]',
    'NM1 Kestrel - N [Insane] (mapper)',
    'NM1 Kestrel - Oak N',
    'NM1 Kestrel - Oak [N]',
    '["NM1 Kestrel - Oak N"]',
  ])('is asked where it may be the id, and the slot keeps the title: %s', (form) => {
    fc.assert(
      fc.property(anyNumber, (number) => {
        const text = form.replace(/\bN\b/, `${number}`)
        const { pools, questions } = readImport(text)
        expect(pools.flatMap(({ draft }) => draft.slots)).toEqual([])
        expect(questions).toHaveLength(1)
        const { id, choices } = questions[0]!
        const answered = choices.map((choice) =>
          readImport(text, { answers: new Map([[id, choice.id]]) }).pools.flatMap(
            ({ round }) => round.slots,
          ),
        )
        expect(answered).toMatchObject([
          [{ mod: 'NM', index: 1, details: { artist: 'Kestrel' } }],
          [{ mod: 'NM', index: 1, beatmapId: number }],
        ])
      }),
      { numRuns: 20 },
    )
  })

  it('makes no bucket of the artist', () => {
    expect(pasted('NoMod\n1. Kestrel - 10000 [Insane]')).toEqual([
      expect.stringMatching(/^2\? .*such as 10000$/),
    ])
  })
})

describe('an id', () => {
  it.each([
    'NM1 I Kestrel - Oak',
    'NM1 - I - Kestrel - Oak',
    'NM1 Kestrel - Oak [Insane] I',
    'NM1 Kestrel - Oak [Insane] (mapper) I',
    'NM1 Kestrel - Oak [Insane] - I',
    'NM1 Kestrel - Oak [Insane] I 6.2 2:30',
    'NM1 Kestrel - Oak - I',
    'NM1 Kestrel - Oak (I)',
    'NM1 Kestrel - Oak, id: I',
    'NM1 Kestrel - Oak\tI\tmapper',
    'NM1\tKestrel - Oak\tI',
    'NM1\tKestrel - 39 Years\t6.2\tI',
  ])('is read where a list has it: %s', (form) => {
    fc.assert(
      fc.property(anyId, (id) => {
        expect(pasted(form.replace(/\bI\b/, `${id}`))).toEqual([`NM1=${id}`])
      }),
      { numRuns: 20 },
    )
  })

  it('is read at the end of the lines of a list', () => {
    const list = 'NM1 Kestrel - Oak 1400001\nNM2 Kestrel - Elm 1400002\nHD1 Kestrel - Ash 1400003'
    expect(pasted(list)).toEqual(['NM1=1400001', 'NM2=1400002', 'HD1=1400003'])
    expect(pasted(`${list}\nHD2 Kestrel - Fir`).filter((line) => line.includes('='))).toEqual([])
  })

  it('is read there only where each line of the list has another one, and three have one', () => {
    const anyIds = fc
      .uniqueArray(anyId, { minLength: 1, maxLength: 5 })
      .chain((ids) =>
        fc.array(fc.constantFrom(...ids), { maxLength: 1 }).map((twice) => [...ids, ...twice]),
      )
    const property = fc.property(anyIds, (ids) => {
      const lines = ids.map((id, at) => `NM${at + 1} Kestrel - Oak ${id}`)
      const read = pasted(lines.join('\n')).filter((line) => /^NM[0-9]=/.test(line))
      const isList = ids.length >= 3 && new Set(ids).size === ids.length
      expect([ids, read]).toEqual([ids, isList ? ids.map((id, at) => `NM${at + 1}=${id}`) : []])
    })
    fc.assert(property, { numRuns: 60 })
  })
})

it('the number of maps of a bucket is none', () => {
  for (const text of ['TB: 1 map', '- **TB**: 1 map', 'NM: 1 map', 'TB 3 map']) {
    expect(
      readImport(text).pools.flatMap(({ draft }) => draft.slots),
      text,
    ).toEqual([])
  }
})

describe('a number beside what says that nothing is decided yet', () => {
  it.each(['TBD', 'tba', '???', '?', 'pending', 'WIP', '未定', 'to be decided'])(
    'is asked, whatever is between them: %s',
    (words) => {
      const between = fc.constantFrom(
        'W N',
        'W (N)',
        '(W) N',
        ': W - N',
        'W: N',
        '- W (N)',
        '[W] N',
      )
      fc.assert(
        fc.property(between, anyId, (form, id) => {
          const text = `NM1 129891\nNM2 ${form.replace('W', words).replace('N', `${id}`)}`
          const { pools, questions } = readImport(text)
          const slots = pools.flatMap(({ draft }) => draft.slots)
          expect(questions.length, text).toBe(1)
          expect(
            slots.map(({ beatmapId }) => beatmapId),
            text,
          ).toEqual([129891])
        }),
        { numRuns: 30 },
      )
    },
  )
})

describe('a word with a number in front of each id below a bucket', () => {
  it('counts the items of that bucket, in scripts without capitals, too', () => {
    const word = fc.constantFrom('地図', '曲', '노래', '谱面', 'map', 'карта')
    const gap = fc.constantFrom('', ' ')
    const ids = fc.uniqueArray(anyId, { minLength: 2, maxLength: 4 })
    const property = fc.property(word, gap, ids, (item, between, all) => {
      const lines = all.map((id, at) => `${item}${between}${at + 1} ${id}`)
      expect(pasted(['Hidden', ...lines].join('\n')).slice(-all.length)).toEqual(
        all.map((id, at) => `HD${at + 1}=${id}`),
      )
    })
    fc.assert(property, { numRuns: 60 })
  })
})
