import { makeZip } from 'client-zip'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isArchive } from '../../src/web/maps/mirror.ts'

type Bytes = Uint8Array<ArrayBuffer>

const bytesOf = async (stream: ReadableStream<Uint8Array>): Promise<Bytes> =>
  new Uint8Array(await new Response(stream as ReadableStream<Bytes>).arrayBuffer())

const zipOf = (files: readonly Bytes[]): Promise<Bytes> =>
  bytesOf(makeZip(files.map((input, at) => ({ name: `${at}`, input }))))

/** The same archive as programs write it that count with 64 bits. */
const zip64 = (archive: Bytes): Bytes => {
  const end = archive.length - 22
  const before = new DataView(archive.buffer, end)
  const [size, offset] = [before.getUint32(12, true), before.getUint32(16, true)]
  const tail = new DataView(new ArrayBuffer(56 + 20 + 22))
  tail.setUint32(0, 0x504b0606)
  tail.setBigUint64(4, 44n, true)
  tail.setBigUint64(40, BigInt(size), true)
  tail.setBigUint64(48, BigInt(offset), true)
  tail.setUint32(56, 0x504b0607)
  tail.setBigUint64(64, BigInt(end), true)
  tail.setUint32(76, 0x504b0506)
  tail.setUint32(88, 0xffffffff)
  tail.setUint32(92, 0xffffffff)
  return new Uint8Array([...archive.subarray(0, end), ...new Uint8Array(tail.buffer)])
}

/** With a comment, which may look like an end itself. */
const commented = (archive: Bytes, comment: Bytes): Bytes => {
  const all = new Uint8Array([...archive, ...comment])
  new DataView(all.buffer).setUint16(archive.length - 2, comment.length, true)
  return all
}

const content = fc.uint8Array({ maxLength: 40 }) as fc.Arbitrary<Bytes>
const plain = fc.array(content, { minLength: 1, maxLength: 3 }).map((files) => () => zipOf(files))
const archive = fc
  .record({ inner: plain, wraps: fc.nat({ max: 2 }), is64: fc.boolean(), comment: content })
  .map(({ inner, wraps, is64, comment }) => async () => {
    let whole = await inner()
    for (let left = wraps; left > 0; left--) whole = await zipOf([whole])
    if (is64) whole = zip64(whole)
    return comment.length === 0 ? whole : commented(whole, comment)
  })

describe('an archive', () => {
  it('is whole, whatever is in it and after it', async () => {
    await fc.assert(
      fc.asyncProperty(archive, async (make) => {
        expect(await isArchive(new Blob([await make()]))).toBe(true)
      }),
    )
  })

  it('is not whole where it is cut off, wherever that is, even after an archive inside', async () => {
    await fc.assert(
      fc.asyncProperty(archive, async (make) => {
        const bytes = await make()
        for (let length = 0; length < bytes.length; length++) {
          const isWhole = await isArchive(new Blob([bytes.subarray(0, length)]))
          expect(isWhole, `${length} of ${bytes.length}`).toBe(false)
        }
      }),
      { numRuns: 15 },
    )
  })

  it('is found at the end of as many bytes as it takes', async () => {
    const large = await zipOf([new Uint8Array(300_000), new Uint8Array(10)])
    for (const make of [large, zip64(large)]) {
      const bytes = commented(make, new Uint8Array(65_535).fill(0x50))
      expect(await isArchive(new Blob([bytes]))).toBe(true)
      expect(await isArchive(new Blob([bytes.subarray(0, -1)]))).toBe(false)
    }
  })

  it('is no page, whatever status it comes with', async () => {
    expect(await isArchive(new Blob(['<h1>Checking your browser</h1>']))).toBe(false)
  })
})
