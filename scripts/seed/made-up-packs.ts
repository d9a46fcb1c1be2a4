import { hash } from 'node:crypto'
import type { PackInput } from '../../src/contract/packs.ts'
import { newAccountId, newSlug } from '../../src/domain/keys.ts'
import { firstSave, type NewPack, type PackContent } from '../../src/domain/packs.ts'
import { encodePackKey } from '../../src/pool/pack-key/pack-key.ts'
import { beatmapIdAt, type Scene } from './made-up-scene.ts'
import { storedFields } from '../../src/pool/pack-fields.ts'
import { hashNumber } from '../seeded-random.ts'

/** A player that owns made-up packs. */
type MadeUpAccount = {
  readonly id: string
  readonly gameId: number
  readonly username: string
  readonly createdAt: number
}

/** 2020-01-01. The same numbers make the same packs, in whichever store. */
const BEGINNING = 1_577_836_800_000
const APART_MS = 60_000
const STATS_AFTER_MS = 2_000
/** Far above the ids that the platform has given. */
const FIRST_GAME_ID = 900_000_000

const colors = ['Amber', 'Cobalt', 'Coral', 'Hazel', 'Indigo', 'Ivory', 'Mint', 'Ruby'] as const
const things = ['Comet', 'Fern', 'Harbour', 'Lantern', 'Otter', 'Peridot', 'Sparrow'] as const
const seasons = ['Spring', 'Summer', 'Autumn', 'Winter', 'Midnight', 'New Year', 'Campus'] as const
const contests = ['Cup', 'Open', 'League', 'Showdown', 'Invitational', 'Duel', 'Relay'] as const
const words =
  'stream jump tech finger control reading slow fast long short precise calm first half harder patterns behind the bridge for players who like'.split(
    ' ',
  )

/** Stages with how many maps their pools have in each bucket. */
const stages = [
  ['Qualifiers', { NM: 4, HD: 2, HR: 2, DT: 2 }],
  ['Group stage', { NM: 5, HD: 2, HR: 2, DT: 3, FM: 2, TB: 1 }],
  ['Round of 16', { NM: 5, HD: 3, HR: 3, DT: 3, FM: 2, TB: 1 }],
  ['Semifinals', { NM: 6, HD: 3, HR: 3, DT: 4, FM: 3, TB: 1 }],
  ['Grand finals', { NM: 7, HD: 4, HR: 4, DT: 5, FM: 4, TB: 1 }],
  ['Practice', { NM: 12, HD: 8, HR: 8, DT: 10, FM: 6 }],
] as const

const pick = <T>(list: readonly T[], hash: number): T => list[hash % list.length] as T

/** Bytes in place of chance, for identifiers. */
const bytesOf = (what: string) => ({
  bytes: (count: number) => hash('sha256', what, 'buffer').subarray(0, count),
})

export const slugAt = (number: number): string => newSlug(bytesOf(`pack ${number}`))

export const accountAt = (number: number): MadeUpAccount => ({
  id: newAccountId(bytesOf(`account ${number}`)),
  gameId: FIRST_GAME_ID + number,
  username: `${pick(colors, hashNumber(number, 0))} ${pick(things, hashNumber(number, 1))} ${number}`,
  createdAt: BEGINNING,
})

const textOf = (number: number): string =>
  Array.from({ length: 5 + (hashNumber(number, 2) % 30) }, (_, at) =>
    pick(words, hashNumber(number, 100 + at)),
  ).join(' ')

/** What the host sends for the pack of this number. */
export const inputAt = (number: number): PackInput => {
  const [stage, buckets] = pick(stages, hashNumber(number, 3))
  const edition = 1 + Math.floor(number / 1_000)
  const contest = `${pick(seasons, hashNumber(number, 4))} ${pick(contests, hashNumber(number, 5))}`
  const counts = Object.entries(buckets)
  const slots = counts.flatMap(([mod, count]) =>
    Array.from({ length: count }, (_, at) => ({ mod, index: at + 1 })),
  )
  const first = hashNumber(number, 6)
  return {
    name: `${contest} ${edition}: ${stage}`,
    visibility: 'public',
    // Two of three hosts say something.
    ...(hashNumber(number, 7) % 3 > 0 && { description: textOf(number) }),
    slots: slots.map((slot, at) => ({ ...slot, beatmapId: beatmapIdAt(first + at * 401) })),
  }
}

/**
 * What is kept of it. Nothing is left to complete in what we make up, and its words are harmless: to
 * check that a million times would take most of the time.
 */
const contentAt = (number: number): PackContent => {
  const { name, slots, ...fields } = inputAt(number)
  const packKey = encodePackKey({ name, buckets: null, slots })
  return {
    name,
    slots,
    buckets: null,
    packKey,
    ...storedFields({ visibility: 'public', ...fields }),
  }
}

/**
 * Whose pack it is: each account has one, then a twentieth of them have ten more, and so on. At
 * twenty packs an account on average nobody has more than 200.
 */
const ownerOf = (number: number, accounts: number): number => {
  const busy = Math.ceil(accounts / 20)
  const place = number % (accounts + 10 * busy)
  return place < accounts ? place : (place - accounts) % busy
}

/** The pack of this number, public, as it is after its first save, with its stats. */
export const packAt = (number: number, accounts: number, scene: Scene): NewPack => {
  const content = contentAt(number)
  const now = BEGINNING + number * APART_MS
  const ownerId = accountAt(ownerOf(number, accounts)).id
  const pack = firstSave(content, { slug: slugAt(number), ownerId, now })
  return { ...pack, stats: scene.statsOf(content, now + STATS_AFTER_MS) }
}
