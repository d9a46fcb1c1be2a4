import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCollections, writeCollections } from '../../src/formats/collection/collection-db.ts'
import { mergeCollection, mergeOsdb } from '../../src/formats/collection/merge-collection.ts'
import {
  locateOsdb,
  type OsdbCollection,
  readOsdb,
  writeOsdb,
} from '../../src/formats/collection/osdb.ts'

const hash = (letter: string): string => letter.repeat(32)
const db = (names: readonly string[]): Uint8Array =>
  writeCollections(
    20210101,
    names.map((name, at) => ({ name, hashes: [hash(String(at)), hash('F')] })),
  )

/** None in place of an empty text, and lengths with a byte more than they need. */
const anyText = (...texts: readonly (string | Uint8Array)[]) =>
  fc.tuple(fc.constantFrom(...texts), fc.boolean()).map(([each, isLong]) => {
    if (each === '' && isLong) return [0]
    const bytes = Buffer.from(each)
    return [0x0b, ...(isLong ? [bytes.length | 0x80, 0] : [bytes.length]), ...bytes]
  })

/** The game checks no entry. */
const noChecksums = ['', 'x', 'not a checksum', '春', hash('z'), Uint8Array.of(0xff, 0xfe, 0)]
const anyEntry = anyText(hash('a'), hash('B'), ...noChecksums)

describe('a collection merged into a collection.db', () => {
  it('takes the place of the one of its name, and all others keep every byte', () => {
    const property = fc.property(
      fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 5 }),
      fc.nat(),
      fc.array(fc.constantFrom('a', 'b', 'c').map(hash), { maxLength: 3 }),
      (names, pick, hashes) => {
        const name = names[pick % names.length]!
        const merged = mergeCollection(db(names), { name, hashes })
        const before = readCollections(db(names))
        expect(merged).toEqual(
          writeCollections(
            before.version,
            before.collections.map((each) => (each.name === name ? { name, hashes } : each)),
          ),
        )
        expect(mergeCollection(merged, { name, hashes })).toBe(merged)
      },
    )
    fc.assert(property, { numRuns: 50 })
  })

  it('others keep every byte also where they are written otherwise than here', () => {
    const anyOther = fc
      .tuple(anyText('', 'Mine', '春'), fc.array(anyEntry, { maxLength: 3 }))
      .map(([name, entries]) => [...name, entries.length, 0, 0, 0, ...entries.flat()])
    const anyOthers = fc.array(anyOther, { maxLength: 3 })
    const property = fc.property(anyOthers, anyOthers, (earlier, later) => {
      const old = db(['Finals']).subarray(8)
      const head = [1, 0, 0, 0, earlier.length + later.length + 1, 0, 0, 0]
      const before = [...head, ...earlier.flat()]
      const file = Uint8Array.of(...before, ...old, ...later.flat())
      const merged = mergeCollection(file, { name: 'Finals', hashes: [hash('c')] })
      expect([...merged.subarray(0, before.length)]).toEqual(before)
      const end = merged.length - later.flat().length
      expect([...merged.subarray(end)]).toEqual(later.flat())
      const own = writeCollections(1, [{ name: 'Finals', hashes: [hash('c')] }]).subarray(8)
      expect(merged.subarray(before.length, end)).toEqual(own)
    })
    fc.assert(property)
  })

  it('comes after the others when its name is new, in an empty file, too', () => {
    for (const names of [[], ['One', 'Two']]) {
      const file = db(names)
      const merged = mergeCollection(file, { name: 'New', hashes: [hash('a')] })
      expect(merged.subarray(8, file.length)).toEqual(file.subarray(8))
      expect(readCollections(merged).collections.map(({ name }) => name)).toEqual([...names, 'New'])
    }
  })

  it('changes nothing for another case of the checksums, or where it is there already', () => {
    const file = db(['One', 'Two'])
    expect(mergeCollection(file, { name: 'Two', hashes: [hash('1'), hash('f')] })).toBe(file)
  })

  it('loses nothing of the old collection while beatmaps of the pool are not known', () => {
    const anyHashes = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd').map(hash))
    const property = fc.property(anyHashes, anyHashes, (old, known) => {
      const file = writeCollections(20210101, [{ name: 'Finals', hashes: old }])
      const merged = mergeCollection(file, { name: 'Finals', hashes: known }, true)
      const { hashes } = readCollections(merged).collections[0]!
      expect(hashes.slice(0, known.length)).toEqual(known)
      expect(hashes.toSorted()).toEqual([...new Set([...old, ...known])].toSorted())
      expect(mergeCollection(merged, { name: 'Finals', hashes: known }, true)).toBe(merged)
    })
    fc.assert(property, { numRuns: 50 })
  })

  it('and no byte of entries that are no checksum, wherever they are', () => {
    const anyEntries = fc.array(anyText(...noChecksums), { minLength: 1, maxLength: 4 })
    const property = fc.property(anyEntries, (entries) => {
      const name = [0x0b, 6, ...Buffer.from('Finals')]
      const own = [...name, entries.length, 0, 0, 0, ...entries.flat()]
      const file = Uint8Array.of(1, 0, 0, 0, 1, 0, 0, 0, ...own)
      expect(readCollections(file).collections).toEqual([{ name: 'Finals', hashes: [] }])
      const collection = { name: 'Finals', hashes: [hash('c')] }
      const merged = mergeCollection(file, collection, true)
      expect([...merged.subarray(-entries.flat().length)]).toEqual(entries.flat())
      expect(readCollections(merged).collections).toEqual([collection])
      expect(mergeCollection(merged, collection, true)).toBe(merged)
    })
    fc.assert(property)
  })

  it('refuses a damaged file and two collections of the name', () => {
    expect(() => mergeCollection(db(['One']).subarray(0, 40), { name: 'a', hashes: [] })).toThrow(
      /incomplete/,
    )
    expect(() => mergeCollection(db(['One', 'One']), { name: 'One', hashes: [] })).toThrow(
      /second collection named One; rename/,
    )
  })
})

describe('a collection merged into an .osdb', () => {
  const beatmap = (id: number, checksum = hash('a')) => ({
    id,
    setId: 1,
    artist: 'xi',
    title: 'T',
    difficulty: 'Hard',
    checksum,
    comment: '',
    ruleset: 'base' as const,
    stars: 5.5,
  })
  const collection = (name: string, ...beatmaps: OsdbCollection['beatmaps']): OsdbCollection => ({
    name,
    onlineId: -1,
    beatmaps,
    hashes: [],
  })
  const kept = collection('Kept', { ...beatmap(1), comment: 'mine', stars: 0.1 })
  const file = () =>
    writeOsdb([kept, { ...collection('Finals', { ...beatmap(2), comment: 'old' }), onlineId: 7 }], {
      savedAt: 1_700_000_000_000,
      editor: 'Ada',
    })

  it('takes the place of the one of its name; the head and all others keep every byte', async () => {
    const before = await locateOsdb(await file())
    const merged = await mergeOsdb(
      await file(),
      collection('Finals', beatmap(2, hash('b')), beatmap(3)),
    )
    const after = await locateOsdb(merged)
    const head = before.collections[1]!.start
    expect(after.content.subarray(0, head)).toEqual(before.content.subarray(0, head))
    expect(after.collections[1]).toMatchObject({
      onlineId: 7,
      beatmaps: [{ id: 2, comment: 'old', checksum: hash('b') }, { id: 3 }],
    })
  })

  it('keeps those beatmaps of the old collection that are in the pool and not known now', async () => {
    const bytes = await mergeOsdb(await file(), collection('Finals', beatmap(2), beatmap(3)))
    const merged = await mergeOsdb(bytes, collection('Finals', beatmap(4)), new Set([2, 5]))
    const { collections } = await readOsdb(merged)
    expect(collections[1]?.beatmaps.map(({ id }) => id)).toEqual([4, 2])
  })

  it('is added after the others, and changes nothing where it is there already', async () => {
    const bytes = await file()
    const merged = await mergeOsdb(bytes, collection('New', beatmap(5)))
    expect((await readOsdb(merged)).collections.map(({ name }) => name)).toEqual([
      'Kept',
      'Finals',
      'New',
    ])
    const same = collection('Kept', { ...beatmap(1), title: 'As the site has it' })
    expect(await mergeOsdb(bytes, same)).toBe(bytes)
  })
})
