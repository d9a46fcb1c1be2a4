import { makeScene } from '../scripts/seed/made-up-scene.ts'
import { accountAt, slugAt } from '../scripts/seed/made-up-packs.ts'
import { MAX_ROUNDS, MAX_SLOTS } from '../src/contract/bounds.ts'
import { API_PREFIX, CSRF_HEADER } from '../src/contract/endpoint.ts'
import type { ServiceName } from '../src/contract/services.ts'
import { serviceCookie } from '../src/door/cookies.ts'
import { foldWords } from '../src/pool/words.ts'
import { issueKey } from '../src/operations/keys.ts'
import { findViewer, signIn } from '../src/operations/sessions.ts'
import { openStore } from './seed.ts'

const ME = { gameId: 4711, username: 'Ada' }
const SAVES = 100
const REMARKS = 120
const CANDIDATES = 40

/** Who asks: with a key, with a session, or as nobody. */
export type Actor = 'key' | 'session' | 'nobody'

/** What there is to ask for. */
export type Scene = {
  readonly headers: Readonly<Record<ServiceName, Readonly<Record<Actor, Record<string, string>>>>>
  /** The largest packs, one with a hundred versions; then one of those that were there before. */
  readonly packs: readonly string[]
  readonly seeded: number
  readonly tournament: string
  readonly rounds: readonly string[]
  readonly candidates: readonly string[]
  readonly remarks: readonly string[]
  readonly beatmapIds: readonly number[]
  /** The most frequent first. */
  readonly words: readonly string[]
  readonly usernames: readonly string[]
}

/** What an answer says of what was made. */
type Made = Readonly<Record<string, { readonly slug: string; readonly id: string }>>

/** An account with keys and sessions on both services, as a moderator; before the server starts. */
export async function makeActor(folder: string): Promise<Scene['headers']> {
  const store = await openStore(folder)
  const headersOf = async (service: ServiceName) => {
    const key = await issueKey(store, { service, keyPrefix: service, ...ME })
    const platform = {
      readPlayer: async () => ({ ...ME, isRestricted: false, isDeleted: false, isBot: false }),
    }
    const arrival = {
      service,
      code: 'x',
      redirectUri: '',
      address: '127.0.0.1',
      failedCodes: 0,
      known: null,
      formerToken: null,
      userAgent: undefined,
    }
    const signed = await signIn({ ...store, platform }, arrival)
    if (signed.outcome !== 'signed_in') throw new Error(signed.outcome)
    const viewer = await findViewer(store, service, signed.token)
    const session = {
      cookie: `${serviceCookie(service, 'session')}=${signed.token}`,
      'sec-fetch-site': 'same-origin',
      [CSRF_HEADER]: viewer?.csrf ?? '',
    }
    return { key: { authorization: `Bearer ${key}` }, session, nobody: {} }
  }
  await store.accounts.setModerator(ME.gameId, true, 0)
  const headers = { packs: await headersOf('packs'), pools: await headersOf('pools') }
  await store.care.close()
  return headers
}

/** Fills the account over the API of the running server: the largest packs and a whole tournament. */
export async function makeThings(
  ports: Readonly<Record<ServiceName, number>>,
  headers: Scene['headers'],
  seeded: number,
): Promise<Scene> {
  const { beatmaps } = makeScene()
  const idAt = (at: number): number => beatmaps[(at * 37) % beatmaps.length]!.id
  const call = async (
    service: ServiceName,
    method: string,
    path: string,
    body: unknown,
  ): Promise<Made> => {
    const response = await fetch(`http://127.0.0.1:${ports[service]}${API_PREFIX}${path}`, {
      method,
      headers: { ...headers[service].key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
    return (response.status === 204 ? {} : await response.json()) as Made
  }
  const mods = ['NM', 'HD', 'HR', 'DT']
  const slotsAt = (from: number) =>
    Array.from({ length: MAX_SLOTS }, (_, at) => ({
      mod: mods[at % 4],
      index: 1 + Math.floor(at / 4),
      beatmapId: idAt(from + at),
    }))
  const packAt = (at: number) => ({
    name: `Spring Cup ${at} Finals stream control`.padEnd(64, ' jump'),
    description: 'stream jump tech finger control reading '.repeat(12).slice(0, 500),
    visibility: 'public',
    slots: slotsAt(at * 7),
  })
  const packs: string[] = []
  for (let at = 0; at < 3; at += 1) {
    packs.push((await call('packs', 'POST', '/packs', packAt(at)))['pack']!.slug)
  }
  await call('packs', 'PUT', `/packs/${packs[0]}/history`, { public: true })
  for (let save = 1; save <= SAVES; save += 1) {
    await call('packs', 'PUT', `/packs/${packs[0]}`, { ...packAt(save), name: `Save ${save}` })
  }
  const made = await call('pools', 'POST', '/tournaments', {
    name: 'Harbour Lights Cup',
    visibility: 'public',
  })
  const tournament: string = made['tournament']!.slug
  const rounds: string[] = []
  for (let at = 0; at < MAX_ROUNDS; at += 1) {
    const input = { name: `Round ${at}`, slots: slotsAt(at * 3) }
    const path = `/tournaments/${tournament}/rounds`
    const { round } = await call('pools', 'POST', path, input)
    rounds.push(round!.id)
    if (at % 2 === 0) await call('pools', 'PUT', `${path}/${round!.id}/release`, { at: 'now' })
  }
  const round = `/tournaments/${tournament}/rounds/${rounds[1]}`
  const remarks: string[] = []
  for (let at = 0; at < REMARKS; at += 1) {
    const text = `Remark ${at} `.repeat(30).slice(0, 500).trim()
    remarks.push((await call('pools', 'POST', `${round}/remarks`, { text }))['remark']!.id)
  }
  const candidates: string[] = []
  for (let at = 0; at < CANDIDATES; at += 1) {
    const input = { mod: mods[at % 4], index: 1 + (at >> 2), beatmapId: idAt(900 + at) }
    candidates.push((await call('pools', 'POST', `${round}/candidates`, input))['candidate']!.id)
  }
  return {
    headers,
    packs,
    seeded,
    tournament,
    rounds,
    candidates,
    remarks,
    beatmapIds: beatmaps.map(({ id }) => id),
    words: wordsOf(beatmaps.flatMap(({ title, artist, mapper }) => [title, artist, mapper])),
    usernames: [
      ME.username,
      ...Array.from({ length: accountsFor(seeded) }, (_, at) => accountAt(at).username),
    ],
  }
}

/** Words of the beatmaps and of the names of made-up packs, the most frequent first. */
function wordsOf(texts: readonly string[]): string[] {
  const ofNames = ['cup', 'open', 'spring', 'summer', 'finals', 'practice', 'stream', 'jump', '1']
  const counts = new Map(ofNames.map((word) => [word, Infinity]))
  for (const word of texts.flatMap((text) => foldWords(text))) {
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return [...counts].toSorted((a, b) => b[1] - a[1]).map(([word]) => word)
}

/** Accounts that packs are spread over: some have a dozen. */
export const accountsFor = (packs: number): number => Math.max(1, Math.ceil(packs / 10))

/** The slug of a pack that was there before, by any number. */
export const seededSlug = ({ seeded }: Pick<Scene, 'seeded'>, number: number): string =>
  slugAt(number % seeded)
