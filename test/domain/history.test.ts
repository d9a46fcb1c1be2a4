import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  changedSlots,
  countChanges,
  mayReadHistory,
  presentKept,
  presentWholeVersion,
  type PackHistory,
  type SavedVersion,
  versionOf,
  versionsFor,
} from '../../src/domain/history.ts'
import { comparePacks } from '../../src/pool/comparison.ts'
import { storedFields } from '../../src/pool/pack-fields.ts'
import { encodePackKey } from '../../src/pool/pack-key/pack-key.ts'
import { slotLabel } from '../../src/pool/slots.ts'
import { aNewPack } from '../ports/sample-pack.ts'
import { withBuckets } from '../support/a-beatmap.ts'

const visibilities = ['public', 'unlisted', 'private'] as const

/** What one version holds: a beatmap for each of four slots, a table of buckets, a name. */
const states = fc.record({
  ids: fc.tuple(...Array.from({ length: 4 }, () => fc.integer({ min: 1, max: 2 }))),
  hasBucket: fc.boolean(),
  name: fc.constantFrom('Quals', 'Finals'),
  visibility: fc.constantFrom(...visibilities),
  isHidden: fc.boolean(),
})
type State = typeof states extends fc.Arbitrary<infer T> ? T : never

const places = [
  { mod: 'NM', index: 1 },
  { mod: 'NM', index: 2 },
  { mod: 'HD', index: 1 },
  { mod: 'TB', index: 1 },
]
const custom = { code: 'X1', color: 1 }

const packOf = ({ ids, hasBucket, name, visibility }: State) => {
  const slots = places.map((place, at) => ({ ...place, beatmapId: ids[at]! }))
  const { buckets } = hasBucket ? withBuckets({ slots }, custom) : { buckets: null }
  const packKey = encodePackKey({ name, slots, buckets })
  return aNewPack({ name, slots, buckets, packKey, ...storedFields({ visibility }) })
}

/** Newest first. */
const historyOf = (made: readonly State[]): PackHistory => {
  const versions = made.map((state, at): SavedVersion => {
    const savedAt = 1_000 * (made.length - at)
    const pack = { ...packOf(state), ownerUsername: 'ada' }
    return { ...versionOf(pack), savedAt, version: made.length - at, isHidden: state.isHidden }
  })
  const pack = { ...packOf(made[0]!), ownerUsername: 'ada', historyPublic: true }
  return { pack, versions }
}

const isOpen = ({ visibility, isHidden }: State) => visibility !== 'private' && !isHidden
const histories = fc.array(states, { minLength: 1, maxLength: 6 })

test('a slot has changed when the last version that all may read gave it another beatmap (D-80)', () => {
  fc.assert(
    fc.property(histories, (made) => {
      const open = made.map((state, at) => ({ state, at })).filter(({ state }) => isOpen(state))
      const expected = places.flatMap((place, slot) => {
        const found = open.find(({ state }, at) => {
          const before = open[at + 1]?.state
          return before !== undefined && before.ids[slot] !== state.ids[slot]
        })
        if (found === undefined) return []
        const at = new Date(1_000 * (made.length - found.at)).toISOString()
        return [{ label: slotLabel(place), at }]
      })
      const changed = changedSlots(historyOf(made))
      expect(new Set(changed)).toEqual(new Set(expected))
      expect(changed).toHaveLength(expected.length)
      expect(changed.map(({ at }) => at)).toEqual(
        changed
          .map(({ at }) => at)
          .toSorted()
          .toReversed(),
      )
    }),
  )
})

test('versions are counted that differ from the one before that all may read (D-70)', () => {
  fc.assert(
    fc.property(histories, (made) => {
      const open = made.filter(isOpen)
      const words = open.map(({ ids, hasBucket, name, visibility }) =>
        JSON.stringify([ids, hasBucket, name, visibility]),
      )
      const changes = words.filter((each, at) => at + 1 < words.length && each !== words[at + 1])
      expect(countChanges(historyOf(made))).toBe(changes.length)
    }),
  )
})

test('a whole version has the slots and buckets that were saved, and what it changed (D-71)', () => {
  fc.assert(
    fc.property(states, states, (before, after) => {
      const [newer, older] = versionsFor(historyOf([after, before]), 'owner')
      const [was, is] = [packOf(before), packOf(after)]
      const whole = presentWholeVersion(newer!, older, 'ada')
      expect(whole).toMatchObject({ name: is.name, slots: is.slots, savedBy: 'ada', version: 2 })
      expect(whole.buckets).toEqual(is.buckets ?? undefined)
      expect(whole.changes).toEqual(comparePacks(was, is))
      expect(presentWholeVersion(older!, undefined, 'ada').changes).toEqual([])
    }),
  )
})

test.each([
  ['public', null, true, ['owner', 'other']],
  ['unlisted', null, true, ['owner', 'other']],
  ['public', null, false, ['owner']],
  ['private', null, true, ['owner']],
  ['public', 5, true, ['owner']],
] as const)(
  'a %s history, hidden at %j and open %s, is read by %j (D-70)',
  (visibility, hiddenAt, historyPublic, readers) => {
    const versions = visibilities.flatMap((each) =>
      [false, true].map((isHidden) => {
        const pack = packOf({
          ids: [1, 2, 3, 4],
          hasBucket: false,
          name: 'Quals',
          visibility: each,
          isHidden,
        })
        return { ...versionOf({ ...pack, ownerUsername: null }), isHidden }
      }),
    )
    const pack = { ...aNewPack({ visibility, hiddenAt, historyPublic }), ownerUsername: null }
    const unreadable = { ...versions[0]!, packKey: 'pk9.later' }
    const read = (accountId: string) =>
      versionsFor({ pack, versions: [unreadable, ...versions] }, accountId).map(
        (version) => version.visibility,
      )
    const open = ['public', 'unlisted']
    const all = ['public', 'public', 'unlisted', 'unlisted', 'private', 'private']
    expect(read('owner')).toEqual(all)
    expect(read('other')).toEqual(readers.length === 2 ? open : [])
    expect(['owner', 'other'].filter((id) => mayReadHistory(pack, id))).toEqual(readers)
  },
)

test('a version as it is kept', () => {
  const version = versionOf({
    ...aNewPack({ description: 'x', versionHidden: true }),
    ownerUsername: null,
  })
  expect(version).toMatchObject({ version: 1, savedAt: 1_000, isHidden: true })
  expect(presentKept(version)).toEqual({
    version: 1,
    savedAt: '1970-01-01T00:00:01.000Z',
    visibility: 'public',
    description: 'x',
    packKey: 'pk1.AQFhAQICrAKFPA',
  })
})
