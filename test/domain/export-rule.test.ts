import { expect, test } from 'vitest'
import { withExport, withoutExport } from '../../src/domain/magnets.ts'

const link = (digit: string) => `magnet:?xt=urn:btih:${digit.repeat(40)}`
const pack = (count: number) => ({
  packKey: 'pk1.now',
  exports: Array.from({ length: count }, (_, at) => ({
    url: link(String(at)),
    createdAt: 100 - at,
  })),
})

test('spec 2.5: a new magnet link comes first', () => {
  const { exports } = pack(2)
  expect(withExport(pack(2), { url: link('f'), packKey: 'pk1.now' }, 200)).toEqual([
    { url: link('f'), createdAt: 200 },
    ...exports,
  ])
})

test('D-43: a link made for another pack key is a conflict', () => {
  expect(() => withExport(pack(0), { url: link('f'), packKey: 'pk1.then' }, 200)).toThrow(
    expect.objectContaining({
      code: 'conflict',
      message: 'the pack has changed since this link was created; create a new link',
    }),
  )
})

test('D-43: the tenth fits, an eleventh and a second of the same are conflicts', () => {
  expect(withExport(pack(9), { url: link('f'), packKey: 'pk1.now' }, 1)).toHaveLength(10)
  expect(() => withExport(pack(10), { url: link('f'), packKey: 'pk1.now' }, 1)).toThrow(
    expect.objectContaining({
      code: 'conflict',
      message: 'a pack can have at most 10 magnet links; remove one first',
    }),
  )
  expect(() => withExport(pack(2), { url: link('1'), packKey: 'pk1.now' }, 1)).toThrow(
    expect.objectContaining({
      code: 'conflict',
      message: 'this magnet link has already been added',
    }),
  )
})

test('D-43: one link is removed, others stay', () => {
  const [first, , third] = pack(3).exports
  expect(withoutExport(pack(3), link('1'))).toEqual([first, third])
  expect(() => withoutExport(pack(3), link('f'))).toThrow(
    expect.objectContaining({
      code: 'not_found',
      message: 'the pack does not have this magnet link',
    }),
  )
})
