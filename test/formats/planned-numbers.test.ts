import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'
import { slotLabel } from '../../src/pool/slots.ts'
import { pasted } from './pasted-text.ts'

const wide = (text: string): string =>
  text.replaceAll(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0))

describe('the ids of a list, whatever is around them', () => {
  const labels = [
    (code: string, index: number) => `${code}${index}`,
    (code: string, index: number) => `${code} ${index}`,
    (code: string, index: number) => `${code} #${index}`,
    (code: string, index: number) => `{${code}${index}}`,
    (code: string, index: number) => wide(`${code}${index}`),
  ]
  const ids = [(id: number) => `${id}`, (id: number) => `(${id})`, (id: number) => wide(`${id}`)]
  const titles = ['', 'Tin Larks - Oak', 'Tin Larks - Oak (Wren)', '花たん - 桜 [雪]']
  const remarks = ['', ' (new)', ' // hard one', ' 6.21★ 3:20 200bpm', ' 1234x', ' [3:20]']
  const anyList = fc.record({
    label: fc.constantFrom(...labels),
    id: fc.constantFrom(...ids),
    title: fc.constantFrom(...titles),
    isBefore: fc.boolean(),
    sign: fc.constantFrom(' ', ': ', '：', ' | ', '\t', ' ~ ', ' → ', ' / '),
    bullet: fc.constantFrom('', '- ', '• ', '🔹 '),
    remark: fc.constantFrom(...remarks),
  })

  it('are read, asked or refused, and never a part of the name of a map that is planned', () => {
    fc.assert(
      fc.property(anyList, ({ label, id, title, isBefore, sign, bullet, remark }) => {
        const slots = ['NM1', 'NM2', 'HD1', 'DT1'].map((name, at) => ({ name, id: 1_000_001 + at }))
        const text = slots
          .map(({ name, id: own }) => {
            const parts = isBefore ? [title, id(own)] : [id(own), title]
            const joined = parts.filter((part) => part !== '').join(sign)
            return `${bullet}${label(name.slice(0, 2), Number(name[2]))}${sign}${joined}${remark}`
          })
          .join('\n')
        const { pools, others, questions } = readImport(text)
        const lines = [...pools.flatMap((pool) => pool.lines), ...others]
        const isOpen = questions.length > 0 || lines.some(({ outcome }) => outcome === 'refused')
        const read = pools.flatMap(({ round }) =>
          round.slots.map((slot) => `${slotLabel(slot)}=${slot.beatmapId ?? null}`),
        )
        const expected = slots.map(({ name, id: own }) => `${name}=${own}`)
        if (isOpen) expect(expected, text).toEqual(expect.arrayContaining(read))
        else expect(read, text).toEqual(expected)
      }),
      { numRuns: 150 },
    )
  })
})

describe('numbers as long as ids in what is planned', () => {
  it('are asked where they are fewer than three', () => {
    expect(pasted('NM1 | 129891 6.2★ 3:20\nNM2 | 129892 6.3★ 3:20')).toEqual([
      '1? No, leave them out | Yes, such as 129891',
      '2? No, leave them out | Yes, such as 129891',
    ])
  })

  it('are none where they are said to be of another beatmap, or below a header', () => {
    const old = ['NM1', 'NM2', 'HD1'].map((label, at) => `${label} ~ Oak | old: 12989${at}`)
    expect(pasted(old.join('\n')).filter((line) => line.includes('='))).toEqual([])
  })

  it('are of the titles where most have none, or all the same', () => {
    const song = 'Tin Larks - Oak'
    expect(pasted(`NM1 ~ ${song} 129891 Ash\nNM2 ~ ${song}\nNM3 ~ ${song}`).join()).not.toMatch(
      /Yes, such as/,
    )
    expect(pasted(`NM1 ~ ${song} 129891 Ash\nNM2 ~ Elm - 129891 Yew`).join()).not.toMatch(
      /Yes, such as/,
    )
  })
})

it('the length of a beatmap behind its id is no slot', () => {
  expect(pasted('NM1: 129891 6.2★ 3:20\nNM2 » ID: 129892 [3:20]').join()).not.toContain('320=')
})
