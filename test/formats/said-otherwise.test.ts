import { expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'

it('takes no id of a column of sets for a beatmap', () => {
  for (const name of [
    '비트맵셋',
    '맵셋',
    '譜面セット',
    '谱面集',
    'Набор карт',
    'Jeu de beatmaps',
  ]) {
    const { pools } = readImport(`Slot,${name},Title\nNM1,542902,x\n`)
    const ids = pools.flatMap(({ round }) => round.slots.map(({ beatmapId }) => beatmapId))
    expect(
      ids.filter((id) => id === 542902),
      name,
    ).toEqual([])
  }
})
