import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readBracket } from '../../src/formats/bracket/read-bracket.ts'
import { mergeRound, writeRounds } from '../../src/formats/bracket/write-bracket.ts'
import { editText, encodeLike } from '../../src/formats/file-content.ts'
import { FormatError } from '../../src/formats/format-error.ts'
import { readImport } from '../../src/formats/import/read-import.ts'
import type { Pool } from '../../src/pool/pool.ts'
import { slotsInPoolOrder } from '../../src/pool/slots.ts'
import { anyPool } from '../pool/pool-arbitrary.ts'
import { anyGap, anyJsonText, anyMembersBut } from './json-text-arbitrary.ts'

type Json = { Rounds?: unknown[] } & Record<string, unknown>

/** What the tournament client shall find in the round. */
const beatmapsOf = (pool: Pool) =>
  slotsInPoolOrder(pool).map(({ mod, beatmapId }) => ({ ID: beatmapId, Mods: mod ?? '' }))

const object = (members: readonly string[], gap: string): string =>
  `{${gap}${members.join(`${gap},${gap}`)}${gap}}`

const anyOtherRound = fc
  .tuple(anyMembersBut('Name', 'Beatmaps'), anyGap, anyJsonText)
  .map(([members, gap, beatmaps]) =>
    object([...members, '"Name": "another"', `"Beatmaps":${beatmaps}`], gap),
  )

const anyRounds = fc.array(anyOtherRound, { maxLength: 3 })

/** What stands around something in a list of rounds: a whole file with a hole in it. */
const anyFileAroundRounds = fc
  .record({
    mark: fc.constantFrom('', '\ufeff'),
    gap: anyGap,
    front: anyMembersBut('Rounds'),
    back: anyMembersBut('Rounds'),
  })
  .map(({ mark, gap, front, back }) => ({
    gap,
    before: `${mark}${gap}{${gap}${front.map((member) => `${member}${gap},${gap}`).join('')}"Rounds"${gap}:${gap}`,
    after: `${back.map((member) => `${gap},${gap}${member}`).join('')}${gap}}${gap}`,
  }))

/** What was written between the two ends, which must have stayed as they were. */
const between = (merged: string, before: string, after: string): string => {
  expect(merged.startsWith(before)).toBe(true)
  expect(merged.endsWith(after)).toBe(true)
  return merged.slice(before.length, merged.length - after.length)
}

const parse = (text: string): Json => JSON.parse(text.replace(/^\ufeff/, '')) as Json

test('a round of the name gets other beatmaps; all else keeps every character', () => {
  const property = fc.property(
    anyPool,
    anyFileAroundRounds,
    fc.tuple(anyRounds, anyRounds),
    fc.tuple(anyMembersBut('Name', 'Beatmaps'), anyMembersBut('Name', 'Beatmaps')),
    anyJsonText,
    (pool, file, [earlier, later], [first, second], old) => {
      const { gap } = file
      const name = `"Name"${gap}:${gap}${JSON.stringify(`${gap}${pool.name} `)}`
      const front = [...first, name, `"Beatmaps"${gap}:${gap}`].join(`${gap},${gap}`)
      const before = `${file.before}[${gap}${earlier.map((round) => `${round}${gap},`).join('')}${gap}{${gap}${front}`
      const end = [gap, ...second].join(`${gap},${gap}`)
      const after = `${end}${gap}}${later.map((round) => `${gap},${round}`).join('')}]${file.after}`
      const text = before + old + after

      const merged = mergeRound(text, pool)
      expect(JSON.parse(between(merged, before, after))).toEqual(beatmapsOf(pool))
      const expected = parse(text)
      const round = expected.Rounds?.[earlier.length] as { Beatmaps: unknown }
      round.Beatmaps = beatmapsOf(pool)
      expect(parse(merged)).toEqual(expected)
      expect(mergeRound(merged, pool)).toBe(merged)
    },
  )
  fc.assert(property, { numRuns: 500 })
})

test('a round of another name is added behind the last; all else keeps every character', () => {
  const property = fc.property(anyPool, anyFileAroundRounds, anyRounds, (pool, file, rounds) => {
    fc.pre(pool.name !== 'another')
    const { gap } = file
    const before = `${file.before}[${rounds.length === 0 ? '' : gap}${rounds.join(`${gap},${gap}`)}`
    const after = `${rounds.length === 0 ? '' : gap}]${file.after}`
    const text = before + after

    const merged = mergeRound(text, pool)
    const added = between(merged, before, after).replace(/^,/, '')
    expect(JSON.parse(added)).toMatchObject({ Name: pool.name, Beatmaps: beatmapsOf(pool) })
    const expected = parse(text)
    expected.Rounds = [...(expected.Rounds ?? []), JSON.parse(added)]
    expect(parse(merged)).toEqual(expected)
    expect(mergeRound(merged, pool)).toBe(merged)
  })
  fc.assert(property, { numRuns: 500 })
})

test('a file is read and merged into alike, whatever the case of its keys', () => {
  const anyCase = fc.constantFrom<(key: string) => string>(
    (key) => key,
    (key) => key.toLowerCase(),
    (key) => key.toUpperCase(),
    (key) => key.charAt(0).toLowerCase() + key.slice(1),
  )
  const withKeys = (text: string, write: (key: string) => string): string =>
    text.replaceAll(/"(\w+)"(?=\s*:)/g, (_, key: string) => `"${write(key)}"`)
  const lower = (text: string): string => withKeys(text, (key) => key.toLowerCase())
  const anyName = fc.constantFrom('Finals', 'Grand Finals', 'Semifinals')
  const anyRoundPool = fc.record({ name: anyName, pool: anyPool }).map(({ name, pool }) => {
    return { ...pool, name }
  })
  const property = fc.property(
    fc.uniqueArray(anyRoundPool, { minLength: 1, maxLength: 3, selector: ({ name }) => name }),
    anyRoundPool,
    fc.infiniteStream(anyCase),
    (pools, pool, cases) => {
      const file = writeRounds(
        pools.map((each) => ({ pool: each })),
        'base',
      )
      const other = withKeys(file, (key) => cases.next().value(key))
      const options = { bestOf: 11, bans: 2, startsAt: '2026-11-01T10:00:00.000Z' }
      expect(lower(mergeRound(other, pool, options))).toBe(lower(mergeRound(file, pool, options)))
      expect(readBracket(other)).toEqual(readBracket(file))
      const slotsIn = (text: string) =>
        readImport(text).pools.map(({ name, draft }) => ({ name, slots: draft.slots }))
      expect(slotsIn(other)).toEqual(slotsIn(file))
    },
  )
  fc.assert(property)
})

test('what was merged is read back in pool order', () => {
  const property = fc.property(anyPool, (pool) => {
    const [round] = readBracket(mergeRound('{}', pool)).rounds
    expect(round?.name).toBe(pool.name)
    expect(round?.slots.map(({ mod, beatmapId }) => [mod, beatmapId])).toEqual(
      slotsInPoolOrder(pool).map(({ mod, beatmapId }) => [mod, beatmapId]),
    )
  })
  fc.assert(property)
})

test('whatever bytes a file has: they come back from its text, or it is refused', () => {
  const anyBytes = fc
    .tuple(fc.constantFrom([], [0xff, 0xfe], [0xef, 0xbb, 0xbf]), fc.uint8Array())
    .map(([mark, bytes]) => Uint8Array.of(...mark, ...bytes))
  const property = fc.property(anyBytes, (bytes) => {
    try {
      expect(editText(bytes, (text) => text)).toEqual(bytes)
    } catch (error) {
      expect(error).toBeInstanceOf(FormatError)
    }
  })
  fc.assert(property, { numRuns: 2000 })
})

test('whatever text a file has: it is edited in the encoding of the file', () => {
  const property = fc.property(fc.string({ unit: 'grapheme' }), fc.boolean(), (text, isWide) => {
    const file = isWide ? Buffer.from(`\ufeff${text}`, 'utf16le') : Buffer.from(`\ufeff${text}`)
    const edited = editText(file, (old) => `${old}é`)
    expect(Buffer.from(edited)).toEqual(Buffer.concat([file, encodeLike(file, 'é')]))
  })
  fc.assert(property)
})
