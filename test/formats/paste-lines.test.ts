import { describe, expect, it } from 'vitest'
import { readPaste } from '../../src/formats/read-paste.ts'
import { pasted } from './pasted-text.ts'

describe('plain lines', () => {
  it.each([
    ['NM1 129891', 'NM1=129891'],
    ['hd2: https://osu.ppy.sh/b/75', 'HD2=75'],
    ['RC1 2 555', 'RC1 2=555'],
    ['RC1 555', 'RC1=555'],
    ['NM 129891', 'NM1=129891'],
    ['129891', '1=129891'],
    ['3 129891', '3=129891'],
    ['129891 NM4', 'NM4=129891'],
    ['https://osu.ppy.sh/b/75 NM4', 'NM4=75'],
  ])('%s', (text, slot) => {
    expect(pasted(text)).toEqual([slot])
  })

  it('without a number take the lowest one that is free', () => {
    expect(pasted('NM2 10\nNM 11\nnm 12')).toEqual(['NM2=10', 'NM1=11', 'NM3=12'])
  })

  it('that are blank or begin with # are skipped', () => {
    const { lines } = readPaste('# pool\n\n  \nNM1 75', { name: '', slots: [] })
    expect(lines.map((line) => line.outcome)).toEqual(['skipped', 'skipped', 'skipped', 'slot'])
  })
})
