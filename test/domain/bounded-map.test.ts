import { describe, expect, it } from 'vitest'
import { BoundedMap } from '../../src/domain/loading.ts'

describe('a bounded map', () => {
  it('drops the entry that was used least recently', () => {
    const map = new BoundedMap<string, number>({ maxEntries: 2 })
    map.set('a', 1)
    map.set('b', 2)
    expect(map.get('a')).toBe(1)
    map.set('c', 3)
    expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, undefined, 3])
    expect(map.size).toBe(2)
  })

  it('does not count a peek as a use', () => {
    const map = new BoundedMap<string, number>({ maxEntries: 1 })
    map.set('a', 1)
    expect(map.peek('a')).toBe(1)
    map.set('b', 2)
    expect(map.peek('a')).toBeUndefined()
  })

  it('is bounded by the size of its values too, also of those set anew and deleted', () => {
    const map = new BoundedMap<string, string>({ maxSize: 10, sizeOf: ({ length }) => length })
    map.set('a', 'aaaa')
    map.set('b', 'bbbb')
    map.set('a', 'aa')
    map.set('c', 'cccc')
    expect([map.peek('a'), map.peek('b'), map.peek('c')]).toEqual(['aa', 'bbbb', 'cccc'])
    expect(map.delete('b')).toBe(true)
    map.set('d', 'dddd')
    expect(map.size).toBe(3)
    // What is too large for it is not kept, and drops nothing else.
    map.set('d', 'd'.repeat(11))
    expect([map.peek('d'), map.size]).toEqual([undefined, 2])
    map.set('f', 'f'.repeat(10))
    map.clear()
    map.set('g', 'g'.repeat(10))
    expect(map.get('g')).toHaveLength(10)
  })
})
