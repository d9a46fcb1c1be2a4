import { crc32 } from 'node:zlib'

/** A file of an archive that is not compressed. */
export type ZippedFile = { readonly name: string; readonly content: Buffer }

/** Reads an archive by the directory at its end, as programs do, and checks the sum of each file. */
export const readZip = (archive: Buffer): ZippedFile[] => {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  let at = archive.readUInt32LE(end + 16)
  return Array.from({ length: archive.readUInt16LE(end + 10) }, () => {
    const [sum, size] = [archive.readUInt32LE(at + 16), archive.readUInt32LE(at + 24)]
    const [nameLength, extra, comment] = [28, 30, 32].map((place) =>
      archive.readUInt16LE(at + place),
    )
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength!)
    const local = archive.readUInt32LE(at + 42)
    const begin = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
    const content = archive.subarray(begin, begin + size)
    if (crc32(content) !== sum) throw new Error(`${name} is damaged`)
    at += 46 + nameLength! + extra! + comment!
    return { name, content }
  })
}
