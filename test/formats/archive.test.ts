import { describe, expect, it } from 'vitest'
import { FormatError } from '../../src/formats/format-error.ts'
import { checkArchive } from '../../src/formats/import/files/archive.ts'
import { zipOf } from './ods-file.ts'

/** What the directory of an archive says of a file; `isOpen`: its sizes are found only while it is unpacked. */
type Entry = { readonly packed: number; readonly size: number; readonly isOpen: boolean }

/** An archive of empty files, of which the directory says this. */
function archiveOf(entries: readonly Entry[]): Uint8Array {
  const bytes = zipOf(Object.fromEntries(entries.map((_, at) => [`file-${at}`, ''])))
  const view = new DataView(bytes.buffer)
  let at = view.getUint32(bytes.length - 6, true)
  for (const [place, { packed, size, isOpen }] of entries.entries()) {
    view.setUint16(at + 8, isOpen ? 8 : 0, true)
    view.setUint32(at + 20, packed, true)
    view.setUint32(at + 24, size, true)
    at += 46 + `file-${place}`.length
  }
  return bytes
}

const MB = 1_000_000

describe('an archive, before anything is unpacked', () => {
  it.each<[string, Entry]>([
    ['a file', { packed: 100, size: 400, isOpen: false }],
    ['a file that was written as a stream', { packed: 100, size: 400, isOpen: true }],
    ['an empty file or a folder', { packed: 0, size: 0, isOpen: false }],
    ['an empty file, compressed', { packed: 2, size: 0, isOpen: false }],
    ['an empty file, compressed as a stream', { packed: 2, size: 0, isOpen: true }],
    ['50 MB', { packed: MB, size: 50 * MB, isOpen: false }],
  ])('is accepted with %s', (_, entry) => {
    expect(() => checkArchive(archiveOf([entry]))).not.toThrow()
  })

  it.each<[string, readonly Entry[]]>([
    ['sizes that are not said', [{ packed: 0, size: 0, isOpen: true }]],
    ['something packed that would be nothing', [{ packed: 17, size: 0, isOpen: false }]],
    ['more than 50 MB', [{ packed: 1, size: 50 * MB + 1, isOpen: false }]],
    [
      'more than 50 MB in several files',
      [
        { packed: 1, size: 25 * MB, isOpen: false },
        { packed: 25 * MB + 1, size: 1, isOpen: false },
      ],
    ],
  ])('is refused with %s', (_, entries) => {
    expect(() => checkArchive(archiveOf(entries))).toThrow(FormatError)
  })
})
