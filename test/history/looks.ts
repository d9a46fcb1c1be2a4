import { expect } from 'vitest'
import { pageDataOf } from '../support/browser.ts'
import {
  changeCount,
  conditions,
  historyPage,
  isListed,
  marksIn,
  marksOf,
  mayReadPack,
  type ModelPack,
  readableVersions,
  stateOf,
  type Version,
  wholeVersion,
} from './model.ts'
import type { Answer, Reader } from './readers.ts'
import type { Scene } from './scene.ts'

const MISSING = 'AAAAAAAAAA'
/** Differ from one answer to the next, whatever was asked for. */
const VARIABLE = /^(?:date|x-request-id|ratelimit-.*|connection|keep-alive|set-cookie)$/

export const LISTED = 'others hear only of what is or was listed'

/** Who looks at what; `choice` chooses where a place has several paths. */
type Look = {
  readonly pack: ModelPack
  readonly packs: readonly ModelPack[]
  readonly reader: Reader
  readonly choice: number
}

/** Greater than that of any version here. */
const NO_VERSION = 2_000_000_000

type Place = {
  readonly door: Reader['door']
  readonly path: (look: Look) => string
  /** The states of which the answer may show something; null: it is the 404 of D-29. */
  readonly states: (look: Look) => readonly Version[] | null
  /** What is answered in the same way if it is missing; null or left out: a pack that was never there. */
  readonly missing?: (look: Look) => string | null
  /** It is as old as the search index. */
  readonly isIndexed?: true
  /** The whole answer, or what `part` takes from it, where the model knows that. */
  readonly exact?: (look: Look, names: Readonly<Record<string, string>>) => unknown
  readonly part?: (answer: Answer) => unknown
}

const chosenVersion = ({ pack, choice }: Look): number => 1 + (choice % (stateOf(pack).number + 1))

/** What the site shows of a pack now; moderators see hidden ones (D-30). */
const seen = ({ pack, reader: { caller, door } }: Look): readonly Version[] | null => {
  const isModerator = caller === 'mod' && door === 'site' && !pack.isDeleted
  const maySee =
    mayReadPack(pack, caller) || (isModerator && stateOf(pack).visibility !== 'private')
  return maySee ? [asItIs(pack)] : null
}

/** A pack as it is, with the times that it shows. */
const asItIs = (pack: ModelPack): Version => ({ ...stateOf(pack), savedAt: pack.updatedAt })

/** Atom needs no key: its feeds are the same for the owner. */
const forAll = (pack: ModelPack) => readableVersions(pack, null)

const readable = ({ pack, reader }: Look) => readableVersions(pack, reader.caller)

const listed = ({ packs }: Look) =>
  packs.filter(isListed).flatMap((pack) => [asItIs(pack), ...(forAll(pack) ?? [])])

const historyAt = (base: string, door: Reader['door']): Place[] => [
  {
    door,
    path: ({ pack, choice }) =>
      `${base}/packs/${pack.slug}/history${['', '', '?page=1', '?page=2'][choice % 4]}`,
    states: readable,
    exact: ({ pack, reader: { caller }, choice }, names) =>
      historyPage(pack, caller, choice % 4 === 3 ? 2 : 1, names[pack.owner]!),
  },
  {
    door,
    path: (look) => `${base}/packs/${look.pack.slug}/history/${chosenVersion(look)}`,
    // One that may not be read is as one that there is not, if the others may be read.
    missing: (look) => readable(look) && `${base}/packs/${look.pack.slug}/history/${NO_VERSION}`,
    states: (look) => {
      const versions = readable(look)
      const at = versions?.findIndex(({ number }) => number === chosenVersion(look)) ?? -1
      // Changes in this version names the state before it.
      return versions === null || at < 0 ? null : versions.slice(Math.max(0, at - 1), at + 1)
    },
    exact: (look, names) => {
      const { pack, reader } = look
      const version = wholeVersion(pack, reader.caller, chosenVersion(look), names[pack.owner]!)
      return { version }
    },
  },
]

/** Where one pack is shown. */
const packPlaces: readonly Place[] = [
  ...historyAt('', 'api'),
  { door: 'api', path: ({ pack }) => `/packs/${pack.slug}`, states: seen },
  ...historyAt('/session', 'site'),
  { door: 'site', path: ({ pack }) => `/session/packs/${pack.slug}`, states: seen },
  {
    door: 'site',
    path: ({ pack }) => `/p/${pack.slug}`,
    states: seen,
    exact: ({ pack, reader }) => changeCount(pack, reader.caller),
    part: (answer) => pageDataOf(answer).changes?.count,
  },
  {
    door: 'site',
    // The versions come by session calls: the page itself is that of the pack.
    path: ({ pack }) => `/p/${pack.slug}/history`,
    states: ({ pack, reader }) => readableVersions(pack, reader.caller) && [asItIs(pack)],
    exact: () => undefined,
    part: (answer) => pageDataOf(answer).changes?.count,
  },
  {
    door: 'site',
    path: ({ pack }) => `/p/${pack.slug}/history.atom`,
    states: ({ pack }) => forAll(pack) && [asItIs(pack), ...forAll(pack)!],
    exact: ({ pack }) =>
      forAll(pack)
        ?.map(({ number }) => number)
        .toReversed(),
    part: ({ text }) => {
      expect(text).not.toMatch(/private/i)
      return text.match(/(?<=<id>[^<]*version=)\d+(?=<)/g)?.map(Number) ?? []
    },
  },
]

/** Where all are shown that are listed. */
const lists: readonly Place[] = [
  { door: 'api', path: () => '/packs', states: listed },
  { door: 'site', path: () => '/packs.atom', states: listed, isIndexed: true },
]

/** Where a reader can look for a pack, and then where for all. */
export const placesOf = ({ door }: Reader) => {
  const at = (places: readonly Place[]) => places.filter((place) => place.door === door)
  return { ofPack: at(packPlaces), lists: at(lists) }
}

/** Reads a place and holds the answer to what the model says. */
export const look = async (scene: Scene, place: Place, on: Look): Promise<void> => {
  const { readers, model } = scene
  const { pack, reader } = on
  const path = place.path(on)
  if (place.isIndexed) await scene.house.publishIndex()
  const answer = await askedAgain(scene, reader, path)
  const what = `${reader.name} at ${path}`
  const states = place.states(on)
  const may = new Set(states?.flatMap((state) => marksOf(state)))
  may.add(String(Date.parse(pack.createdAt)))
  const told = marksIn(`${JSON.stringify(answer.headers)}\n${answer.text}`)
  const leaked = told.filter((mark) => model.known.has(mark) && !may.has(mark))
  expect(
    leaked.map((mark) => `${mark}, of ${model.known.get(mark)}`),
    what,
  ).toEqual([])
  if (place.exact !== undefined) countDecided(scene, on)
  if (states === null) return expectMissing(scene, place, on, answer)
  expect(answer.status, `${what}: ${answer.text}`).toBe(200)
  if (place.exact === undefined) return
  const part = place.part === undefined ? answer.json : place.part(answer)
  expect(part, what).toEqual(place.exact(on, readers.names))
}

/** Counts what this answer depends on: without it, somebody would get another one. */
const countDecided = ({ decided }: Scene, { pack, reader: { caller } }: Look): void => {
  const count = (what: string) => void decided.set(what, 1 + (decided.get(what) ?? 0))
  const versions = readableVersions(pack, caller)
  for (const name of Object.keys(conditions)) {
    if (readableVersions(pack, caller, name)?.length !== versions?.length) count(name)
  }
  if (versions === null || versions.length === pack.versions.length) return
  count('the total is of what may be read')
  const isGap = ({ number }: Version, at: number) =>
    number - (versions[at - 1]?.number ?? number) > 1
  if (versions.some(isGap)) count('changes are against a version that may be read')
}

/** With the tag that somebody else got there: equal tags must mean equal answers. */
const askedAgain = async (scene: Scene, reader: Reader, path: string): Promise<Answer> => {
  const tag = scene.tags.get(path)
  const headers = tag === undefined ? {} : { 'if-none-match': tag }
  const first = await reader.ask('GET', path, { headers })
  const answer = first.status === 304 ? await reader.ask('GET', path) : first
  if (first.status === 304) expect(answer.headers.etag).toBe(tag)
  if (answer.headers.etag !== undefined) scene.tags.set(path, answer.headers.etag)
  return answer
}

/** D-29, D-70: as of what was never there. */
const expectMissing = async (
  { missing }: Scene,
  place: Place,
  on: Look,
  answer: Answer,
): Promise<void> => {
  const { reader, pack } = on
  const path = place.missing?.(on) ?? place.path({ ...on, pack: { ...pack, slug: MISSING } })
  const name = `${reader.name} at ${path}`
  const other = missing.get(name) ?? (await reader.ask('GET', path))
  missing.set(name, other)
  expect(other.status, name).toBe(404)
  const what = `${reader.name} at ${place.path(on)}`
  expect(comparable(answer, pack.slug), what).toEqual(comparable(other, pack.slug))
}

const comparable = ({ status, headers, text }: Answer, slug: string) => ({
  status,
  text: text.replaceAll(slug, MISSING),
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !VARIABLE.test(name))),
})

/** D-73: what has come for this caller since they last asked, and no more: not even another cursor. */
export const follow = async (
  { model, followed, decided }: Scene,
  reader: Reader,
): Promise<void> => {
  const { caller, name } = reader
  if (caller === null) throw new Error('nobody follows changes without a key')
  const before = followed.get(caller) ?? { cursor: await whereItEnds(reader), from: 0 }
  const expected = model.changesFor(caller, before.from)
  const answer = await reader.ask('GET', `/changes?after=${before.cursor}`)
  expect(answer.status, answer.text).toBe(200)
  const { changes, ...rest } = answer.json
  const entries = expected.map((entry) => ({ cursor: expect.any(String) as string, ...entry }))
  expect(changes, name).toEqual(entries)
  const cursor = changes.at(-1)?.cursor ?? before.cursor
  expect(rest, `${name} is told of others by the cursor`).toEqual({ cursor, more: false })
  const end = model.entries.length % 2 === 0 ? cursor : await whereItEnds(reader)
  expect(end, `${name} is told of others by where it ends`).toBe(cursor)
  if (model.entries.length > before.from + expected.length) {
    decided.set(LISTED, 1 + (decided.get(LISTED) ?? 0))
  }
  followed.set(caller, { cursor, from: model.entries.length })
}

/** Where the feed begins now for this caller. */
const whereItEnds = async (reader: Reader): Promise<string> => {
  const answer = await reader.ask('GET', '/changes')
  expect(answer.json, answer.text).toMatchObject({ changes: [], more: false })
  return answer.json.cursor
}
