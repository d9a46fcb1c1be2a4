import { describe, expect, it } from 'vitest'
import { dropPlace, type LaneExtent } from '../../src/web/editing/lanes/lanes.ts'

/** Two lanes of 100 with rows of 20, and an empty one in between. */
const lanes: LaneExtent[] = [
  { mod: 'NM', top: 0, bottom: 100, rows: [1, 2, 3].map((key) => row(key, 20 * key)) },
  { mod: 'HD', top: 110, bottom: 140, rows: [] },
  { mod: 'TB', top: 150, bottom: 200, rows: [row(4, 170)] },
]
function row(key: number, top: number) {
  return { key, top, bottom: top + 20 }
}

describe('where a dragged slot would come to stand', () => {
  it.each([
    ['on the head of a lane: in front', 5, { mod: 'NM', at: 0 }],
    ['on the lower half of a row: behind it', 35, { mod: 'NM', at: 1 }],
    ['below the last row: at the end', 99, { mod: 'NM', at: 3 }],
    ['between lanes: in the nearest', 104, { mod: 'NM', at: 3 }],
    ['in an empty lane', 120, { mod: 'HD', at: 0 }],
    ['above everything', -500, { mod: 'NM', at: 0 }],
    ['below everything', 900, { mod: 'TB', at: 1 }],
  ])('%s', (_, y, place) => {
    expect(dropPlace(lanes, 99, y)).toEqual(place)
  })

  it('does not count the slot itself', () => {
    expect(dropPlace(lanes, 1, 45)).toEqual({ mod: 'NM', at: 0 })
    expect(dropPlace(lanes, 1, 99)).toEqual({ mod: 'NM', at: 2 })
  })

  it('is nowhere without lanes', () => {
    expect(dropPlace([], 1, 5)).toBeNull()
  })
})
