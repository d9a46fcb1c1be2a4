import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { completePool } from '../../src/pool/checks.ts'
import { ByteSink } from '../../src/pool/pack-key/encode.ts'
import {
  crc16,
  decodePackKey,
  encodePackKey,
  findPackKey,
} from '../../src/pool/pack-key/pack-key.ts'
import { slowCrc16 } from './key-bytes.ts'
import { keyRefusalOf } from './refusal.ts'

const guide = readFileSync(new URL('../../docs/pack-keys.md', import.meta.url), 'utf8')

/** What stands below a heading, up to the next one that is not deeper. */
const sectionOf = (heading: string): string => {
  const [marks = ''] = heading.split(' ')
  const begin = guide.indexOf(`\n${heading}\n`)
  if (begin < 0) throw new Error(`the guide has no ${heading}`)
  const rest = guide.slice(begin + heading.length + 2)
  return rest.split(new RegExp(`^#{1,${marks.length}} `, 'm'))[0] ?? ''
}

const blocksOf = (text: string, language: string): string[] =>
  [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, found]) => found === language)
    .map(([, , content = '']) => content.trim())

/** The rows of the tables in a text, without their heads, each as its cells. */
const rowsOf = (text: string): string[][] =>
  [...text.matchAll(/^\|.*\n\| *-.*\n((?:\|.*\n)+)/gm)].flatMap(([, body = '']) =>
    body
      .trim()
      .split('\n')
      .map((row) => row.split('|').slice(1, -1))
      .map((cells) => cells.map((cell) => cell.trim().replace(/^`(.*)`$/, '$1'))),
  )

const checks = sectionOf('## Check values')
const keys = blocksOf(checks, 'text')
const pools = blocksOf(checks, 'json')

describe('docs/pack-keys.md is held to the code', () => {
  it('has a check value for each version', () => {
    expect(new Set(keys.map((key) => key.slice(0, 4)))).toEqual(new Set(['pk1.', 'pk2.', 'pk3.']))
    expect(pools).toHaveLength(keys.length)
  })

  it.each(keys.map((key, at) => [key, pools[at] ?? '']))(
    'the check value %s opens, and is written so',
    (key, text) => {
      const pool = completePool(JSON.parse(text), 0)
      expect(decodePackKey(key)).toEqual(pool)
      expect(encodePackKey(pool)).toBe(key)
    },
  )

  it('takes keys apart into their very bytes', () => {
    const section = sectionOf('## Byte by byte')
    const shown = blocksOf(section, 'text')
    const bytes = rowsOf(section).flatMap(([cell = '']) => cell.split(' '))
    const held = shown.flatMap((key) => [...Buffer.from(key.split('.')[1] ?? '', 'base64url')])
    expect(bytes.map((byte) => Number.parseInt(byte, 16))).toEqual(held)
    expect(shown.map(keyRefusalOf)).toEqual(['none', 'none'])
  })

  const refusals = rowsOf(sectionOf('### Invalid keys'))
  it.each(refusals)('says %s for %s: %s', (code, text) => {
    expect(keyRefusalOf(text ?? '')).toBe(code)
  })

  it('names every code of a refusal, by example and in its order', () => {
    const codes = ['empty', 'prefix', 'version', 'encoding', 'checksum', 'malformed']
    expect(new Set(refusals.map(([code]) => code))).toEqual(new Set(codes))
    const inOrder = sectionOf('## Reading a key').matchAll(/^\d\. .*?`(\w+)`\.$/gms)
    expect([...inOrder].map(([, code]) => code)).toEqual([
      'empty',
      'prefix',
      'version',
      'encoding',
      'malformed',
      'checksum',
      'version',
      'malformed',
    ])
  })

  it('passes over what only looks like a key, as it says', () => {
    expect(findPackKey('pk2.0 is out, see pk1.AQFhAQICrAKFPA.')).toBe('pk1.AQFhAQICrAKFPA')
  })

  it('shows code that does what it says', () => {
    const numbers = [0, 1, 127, 128, 300, 16_383, 16_384, 2_147_483_647, 4_294_967_295]
    const code = blocksOf(guide, 'js').join('\n')
    const results = runInNewContext(
      `${code}
      ({ varints: numbers.map(writeVarint), crc: crc16(ascii), crcOfAll: crc16(all) })`,
      {
        numbers,
        ascii: [...Buffer.from('123456789')],
        all: Array.from({ length: 256 }, (_, byte) => byte),
      },
    ) as unknown
    const all = Array.from({ length: 256 }, (_, byte) => byte)
    const written = numbers.map((value) => {
      const sink = new ByteSink()
      sink.varint(value)
      return [...sink.whole()]
    })
    expect(JSON.parse(JSON.stringify(results))).toEqual({
      varints: written,
      crc: 0x29b1,
      crcOfAll: crc16(all, all.length),
    })
    expect(crc16(all, all.length)).toBe(slowCrc16(all))
  })
})
