import { describe, expect, it } from 'vitest'
import { encodings } from './pool-shapes.ts'
import { writeRound } from '../../src/formats/bracket/write-bracket.ts'
import { writeCollections } from '../../src/formats/collection/collection-db.ts'
import { decodeText, editText, recogniseFormat } from '../../src/formats/file-content.ts'
import { FormatError } from '../../src/formats/format-error.ts'
import { osdbFile } from './osdb-bytes.ts'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const utf16 = (text: string): Uint8Array => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'))
const pool = { name: 'Finals', buckets: null, slots: [] }

describe('a file is known by what stands in it', () => {
  it.each([
    ['bracket', utf8(writeRound(pool))],
    ['bracket', utf8('\ufeff \r\n{"a": 1, "Rounds" : [')],
    ['json', utf8('{"pack": {"name": "Finals \\"Rounds\\": 3", "slots": []}}')],
    ['json', utf8('{')],
    ['collection', writeCollections(20150203, [])],
    ['collection', writeCollections(1, [{ name: 'a', hashes: [] }])],
    ['osdb', osdbFile('o!dm8', true)],
    ['osdb', osdbFile('o!dm', false)],
    ['text', utf8('')],
    ['text', utf8('NM1 129891')],
    ['text', utf8('[NM1] 129891')],
    ['text', utf8('Slot,Beatmap ID\r\nNM1,129891')],
    ['text', utf16('NM1\t129891')],
    ['text', Buffer.from('Åre,129891', 'latin1')],
  ])('%s %#', (format, bytes) => {
    expect(recogniseFormat(bytes)).toBe(format)
    expect(recogniseFormat(Buffer.concat([Buffer.of(0), bytes]).subarray(1), 'a.txt')).toBe(format)
  })

  it('a collection.db is one by its number of collections, which has to fit, and the name of the first', () => {
    const fileOf = (count: number, ...rest: number[]): Buffer =>
      Buffer.from([1, 0, 0, 0, count, 0, 0, count < 0 ? 255 : 0, ...rest])
    const kindOf = (bytes: Uint8Array): string => recogniseFormat(bytes, 'pool.osdb')
    expect(kindOf(fileOf(0))).toBe('collection')
    expect(kindOf(fileOf(1, 0, 0, 0, 0, 0))).toBe('collection')
    expect(kindOf(fileOf(1, 11, 0, 0, 0, 0, 0))).toBe('collection')
    // By its name, then.
    for (const bytes of [
      fileOf(0, 0),
      fileOf(1, 11, 0, 0, 0),
      fileOf(1, 1, 0, 0, 0, 0),
      fileOf(-1, 11, 0, 0, 0, 0),
    ]) {
      expect(kindOf(bytes)).toBe('osdb')
    }
    expect(() => recogniseFormat(fileOf(0).subarray(0, 7), 'a.txt')).toThrow('not supported')
  })

  it('its name counts where that does not tell', () => {
    const damaged = Buffer.from([1, 0, 0, 0, 255, 255, 255, 255, 11])
    expect(recogniseFormat(damaged, 'Collection.DB')).toBe('collection')
    expect(recogniseFormat(damaged, 'finals.osdb')).toBe('osdb')
    expect(recogniseFormat(utf8('NM1 75'), 'collection.db')).toBe('text')
  })

  it('shape 23: a spreadsheet file, by what is in its archive', () => {
    const archive = (text: string) => utf8(`PK\u0003\u0004${' '.repeat(22)}${text}`)
    expect(recogniseFormat(archive('[Content_Types].xml'))).toBe('workbook')
    expect(recogniseFormat(archive('xl/workbook.xml'), 'pool.zip')).toBe('workbook')
    const type = 'application/vnd.oasis.opendocument.spreadsheet'
    expect(recogniseFormat(archive(`mimetype${type}`), 'pool.osdb')).toBe('workbook')
  })

  it.each([
    ['504b0304140006000800000000', 'this archive is no spreadsheet'],
    [
      Buffer.from('PK\u0003\u0004 [Content_Types].xml word/document.xml').toString('hex'),
      'no sprea',
    ],
    [
      Buffer.from('PK\u0003\u0004 [Content_Types].xml xl/workbook.bin').toString('hex'),
      'save it as .xlsx',
    ],
    ['d0cf11e0a1b11ae1', 'save it as .xlsx without a password'],
    ['00010203', 'save a spreadsheet as .xlsx, .ods or CSV'],
  ])('what no reader takes is refused: %s', (hex, remedy) => {
    const reading = () => recogniseFormat(Buffer.from(hex, 'hex'), 'pool.xlsx')
    expect(reading).toThrow(FormatError)
    expect(reading).toThrow(remedy)
    expect(reading).toThrow('byte 0: ')
  })
})

describe('the text of a file', () => {
  it('is UTF-8, or UTF-16 behind its mark; the mark stays', () => {
    expect(decodeText(utf8('\ufeff春🌸'))).toBe('\ufeff春🌸')
    expect(decodeText(utf16('春🌸'))).toBe('\ufeff春🌸')
    const turned = Buffer.from(utf16('春🌸')).swap16()
    expect(decodeText(turned)).toBe('\ufeff春🌸')
    expect(Buffer.from(editText(turned, (text) => text))).toEqual(turned)
    expect(recogniseFormat(turned)).toBe('text')
  })

  const refusal = (bytes: Uint8Array): unknown => {
    try {
      return decodeText(bytes)
    } catch (error) {
      return error instanceof FormatError ? error.place : error
    }
  }

  it('is UTF-16 behind both bytes of its mark alone; one of them is no UTF-8', () => {
    for (const marked of [0xfe, 0xff]) {
      for (let other = 0; other < 0x100; other += 1) {
        if (marked + other === 0xfe + 0xff) continue
        // Behind a byte that begins a longer sequence, that one is the first that cannot stand there.
        const isBegun = other >= 0xc2 && other <= 0xf4
        expect(refusal(Uint8Array.of(marked, other))).toEqual({ offset: 0 })
        const offset = other < 0x80 || isBegun ? 1 : 0
        expect([other, refusal(Uint8Array.of(other, marked))]).toEqual([other, { offset }])
      }
    }
  })

  it('is refused at its first byte that cannot stand there, wherever that stands', () => {
    expect(() => decodeText(Buffer.from('Åre', 'latin1'))).toThrow(
      'byte 1: this is not UTF-8; save the file as UTF-8 (in a spreadsheet: CSV UTF-8)',
    )
    const text = utf8('a春🌸ä'.repeat(20_000))
    for (const offset of [0, 1, 9, 65_530, 65_540, 131_072, 199_999]) {
      expect(refusal(Uint8Array.from(text).fill(0xff, offset, offset + 1))).toEqual({ offset })
    }
    for (let offset = 65_525; offset < 65_550; offset += 1) {
      const bytes = Uint8Array.from(text).fill(0xff, offset, offset + 1)
      expect(refusal(bytes)).toEqual({ offset })
    }
    expect(refusal(text.subarray(0, -1))).toEqual({ offset: text.length - 1 })
  })
})

describe('the format of a text', () => {
  it.each([
    ['bracket', '{"Ruleset": {"ShortName": "osu"},\n"Rounds": [{"Name": "Finals"}]}'],
    ['json', '\n{"name": "Finals",\n"slots": []}'],
    ['text', 'NM1 129891\nNM2 75'],
  ] as const)('is %s in each encoding', (format, text) => {
    for (const encode of Object.values(encodings))
      expect(recogniseFormat(encode(text))).toBe(format)
  })
})
