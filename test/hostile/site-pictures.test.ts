import { textsIn } from '../../src/site/language.ts'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Stats } from '../../src/contract/packs.ts'
import type { SavedPack } from '../../src/domain/packs.ts'
import { openFonts } from '../../src/site/preview/fonts.ts'
import { drawScene } from '../../src/site/preview/render-thread.ts'
import { sceneOf } from '../../src/site/preview/scene.ts'
import { aNewPack } from '../ports/sample-pack.ts'

// Whatever a pack may hold, it has a picture.
const fonts = openFonts()
const brand = { name: 'Mapcrate', logo: null }
const PNG = Buffer.from('89504e470d0a1a0a', 'hex')

const draw = (changes: Partial<SavedPack>, stars: readonly (number | null)[]): void => {
  const pack = { ...aNewPack(), ownerUsername: 'Ada', ...changes }
  const png = drawScene(sceneOf(pack, stars, 'Tournament pools', null, textsIn('en')), fonts, brand)
  expect(png.subarray(0, 8)).toEqual(PNG)
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630])
}

const bucketsOf = (letters: string) =>
  Array.from({ length: 8 }, (_, at) => ({ code: `${letters}${at}`, color: at }))
const slotsOf = (buckets: readonly { readonly code: string }[]) =>
  Array.from({ length: 64 }, (_, at) => ({
    mod: buckets[at % buckets.length]?.code ?? 'NM',
    index: 92 + Math.floor(at / buckets.length),
    beatmapId: at + 1,
  }))
const none = Array.from({ length: 64 }, () => null)

describe('GET /p/{slug}/preview.png: there is a picture for the largest and oddest of packs (spec 8)', () => {
  test.each(['WWWWWWWWWWW', 'iiiiiiiiiii', 'ＷＷＷＷＷＷＷＷＷＷＷ', '港港港港港港港港港港港'])(
    '64 slots in 8 buckets with codes of 12 letters: %s',
    (letters) => {
      const buckets = bucketsOf(letters)
      draw({ name: 'W'.repeat(64), buckets, slots: slotsOf(buckets) }, none)
    },
  )

  test.each([
    ['none', 0],
    ['very little', 0.000001],
    ['as many as a row may say', 1e9],
  ])('stars: %s', (_title, most) => {
    const buckets = bucketsOf('WWWWWWWWWWW')
    const stars = none.map((_, at) => (at % 2 === 0 ? most : 0))
    draw({ buckets, slots: slotsOf(buckets) }, stars)
  })

  test('numbers with as many digits as the contract allows', () => {
    const most = Number.MAX_SAFE_INTEGER
    const stats = { srMin: 0, srMax: 1e15, lenMin: 0, lenMax: most, bpmMin: 0, bpmMax: most }
    draw({ stats: { ...stats } as Stats }, [])
  })

  test('any name that D-19 lets in', () => {
    const names = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .filter((name) => name.length <= 64 && !/\p{Cc}/u.test(name))
    const odd = fc.constantFrom('\u202e', '\u200d', '﷽'.repeat(64), 'Z\u0300\u0316'.repeat(21), '…')
    fc.assert(
      fc.property(fc.oneof(names, odd), (name) => draw({ name }, [])),
      { numRuns: 12, seed: 20_261_003 },
    )
  })
})
