import { createHash } from 'node:crypto'
import { Agent, request } from 'node:http'
import { SeededRandom } from '../../scripts/seeded-random.ts'
import { API_PREFIX, CSRF_HEADER } from '../../src/contract/endpoint.ts'
import { type ServiceName, serviceNames } from '../../src/contract/services.ts'
import { ownerNameOf } from '../../src/domain/packs.ts'
import { packWords } from '../../src/domain/search.ts'
import { serviceCookie } from '../../src/door/cookies.ts'
import { issueKey } from '../../src/operations/keys.ts'
import { createIndexBuilder } from '../../src/operations/search-index.ts'
import { findViewer, signIn } from '../../src/operations/sessions.ts'
import type { Random } from '../../src/ports/system.ts'
import { createStatsRun } from '../../src/worker/stats.ts'
import { MemoryCallBudget } from '../support/memory-call-budget.ts'
import { anArrival, aPlayer } from '../support/signed-in.ts'
import { openSiteHouse } from '../support/site-house.ts'

export const chance = (seed: number) => {
  const random = new SeededRandom(seed)
  const below = (bound: number): number => random.below(bound)
  const of = <T>(list: readonly T[]): T => list[below(list.length)]!
  return { below, of, often: (percent: number) => below(100) < percent }
}
export type Chance = ReturnType<typeof chance>

/** Gives equal bytes after equal seeds: so both worlds make equal ids of what is done in both. */
class SeededBytes implements Random {
  seed = ''
  #count = 0

  begin(seed: string): void {
    this.seed = seed
    this.#count = 0
  }

  bytes(count: number): Uint8Array {
    const blocks = Array.from({ length: Math.ceil(count / 32) }, () => {
      this.#count += 1
      return createHash('sha256').update(`${this.seed} ${this.#count}`).digest()
    })
    return Buffer.concat(blocks).subarray(0, count)
  }
}

/** What comes back: the bytes as Latin-1, and the headers in their order. */
export type Heard = {
  readonly status: number
  readonly headers: readonly string[]
  readonly text: string
  /** Calls that reached the platform before the answer. */
  readonly calls: number
}

export type Call = {
  readonly service: ServiceName
  readonly door: 'api' | 'site'
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

type Headers = Readonly<Record<string, string>>
/** The headers by which somebody is known at each door. */
type Person = Readonly<Record<ServiceName, { readonly api: Headers; readonly site: Headers }>>

const silent = { warn: () => {}, error: () => {} }
const origins: Readonly<Record<ServiceName, string>> = {
  packs: 'https://packs.test',
  pools: 'https://pools.test',
}
/** What says only when and by which request something was answered. */
const OF_THE_REQUEST = /^(?:date|x-request-id): /i

/** Both services with their workers, whose public data is made from one seed and whose secrets from another. */
export const openWorld = async () => {
  const random = new SeededBytes()
  let calls = 0
  const house = await openSiteHouse({
    isSecure: true,
    random,
    coversUrl: 'https://covers.test',
    onPlatformCall: (path) => {
      if (path.startsWith('/api/v2/beatmaps')) calls += 1
    },
  })
  const { clock, ports, indexCache } = house
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const callBudget = new MemoryCallBudget()
  const computeStats = createStatsRun({ ...ports, callBudget }, silent)
  const buildIndex = createIndexBuilder(ports.publicIndex, 'Tournament pools')
  const people = new Map<string, Person>()

  async function addPerson(name: string, gameId: number): Promise<void> {
    const [packs, pools] = await Promise.all(
      serviceNames.map(async (service) => {
        random.begin(`${name} ${service}`)
        const platform = { readPlayer: async () => aPlayer({ gameId, username: name }) }
        const redirectUri = `${origins[service]}/sign-in/callback`
        const arrival = await signIn({ ...ports, platform }, { ...anArrival, service, redirectUri })
        if (arrival.outcome !== 'signed_in') throw new Error(arrival.outcome)
        const { csrf } = (await findViewer(ports, service, arrival.token))!
        const cookie = `__Host-${serviceCookie(service, 'session')}=${arrival.token}`
        const key = await issueKey(ports, { service, keyPrefix: service, gameId, username: name })
        return {
          api: { authorization: `Bearer ${key}` },
          site: { cookie, origin: origins[service], [CSRF_HEADER]: csrf },
        }
      }),
    )
    people.set(name, { packs: packs!, pools: pools! })
  }

  /** @param name whose key or session is sent; null: nobody's. */
  function ask(name: string | null, call: Call): Promise<Heard> {
    const { service, door, method, path, headers = {}, body } = call
    const own = name === null ? {} : people.get(name)![service][door]
    const json = body === undefined ? undefined : JSON.stringify(body)
    const before = calls
    return new Promise((resolve, reject) => {
      const sent = request(
        house.urls[service] + (door === 'api' ? API_PREFIX : '') + path,
        {
          agent,
          method,
          headers: {
            host: origins[service].slice('https://'.length),
            ...(json !== undefined && {
              'content-type': 'application/json',
              'content-length': Buffer.byteLength(json),
            }),
            ...own,
            ...headers,
          },
        },
        (answer) => {
          const parts: Buffer[] = []
          const hear = () => {
            const raw = answer.rawHeaders
            const pairs = raw.flatMap((each, at) => (at % 2 === 0 ? `${each}: ${raw[at + 1]}` : []))
            resolve({
              status: answer.statusCode ?? 0,
              headers: pairs
                .filter((pair) => !OF_THE_REQUEST.test(pair))
                .map((pair) => pair.replaceAll(house.platformUrl, 'https://platform.test')),
              text: Buffer.concat(parts).toString('latin1'),
              calls: calls - before,
            })
          }
          // A stream of events goes on: that it begins is heard.
          if (answer.headers['content-type']?.startsWith('text/event-stream')) {
            hear()
            answer.destroy()
            return
          }
          answer.on('data', (part: Buffer) => parts.push(part))
          answer.on('error', reject)
          answer.on('end', hear)
        },
      )
      sent.on('error', reject)
      sent.end(json)
    })
  }

  /** The JSON of a call that must succeed; undefined when a quota is used up. */
  // oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
  async function make(name: string, call: Call): Promise<any> {
    const { status, text } = await ask(name, call)
    if (status === 429) return undefined
    if (status >= 300) throw new Error(`${call.method} ${call.path}: ${status} ${text}`)
    return text === '' ? null : JSON.parse(text)
  }

  /** What the workers do within a minute. */
  async function work(): Promise<void> {
    clock.nextMinute()
    // Before the stats: so the search also finds what was not looked up yet.
    const describe = (
      pack: Parameters<typeof packWords>[0],
      known: Parameters<typeof packWords>[2],
    ) => packWords(pack, ownerNameOf(pack, 'Tournament pools'), known)
    while ((await ports.searchUpdates.update(100, describe)) > 0);
    for (let turns = 0; turns < 200 && (await computeStats()) > 0; turns += 1) {
      clock.advance(100)
    }
    const { version, parts, packs } = await buildIndex(async () => {})
    const bytes = Buffer.concat(parts)
    const file = { bytes, etag: `"${createHash('sha1').update(bytes).digest('base64url')}"` }
    const files = { identity: file, br: async () => file, gzip: async () => file }
    indexCache.put({ version, builtAt: clock.now(), packs, files })
  }

  async function close(): Promise<void> {
    agent.destroy()
    await house.close()
  }

  return { house, clock, random, people, addPerson, ask, make, work, close }
}

export type World = Awaited<ReturnType<typeof openWorld>>

/** A tournament, one of its rounds, and what is said of it. */
export type Place = { readonly slug: string; readonly round?: string; readonly item?: string }

/** What there is to ask for, the oldest first. */
export type Known = {
  /** Their slugs. */
  readonly packs: string[]
  readonly places: Place[]
  readonly beatmaps: number[]
  readonly words: string[]
  /** Of these beatmaps, as far as they are cached. */
  readonly titles: Map<number, string>
}

export const nothingKnown = (): Known => {
  return { packs: [], places: [], beatmaps: [], words: [], titles: new Map() }
}

const mods = ['NM', 'HD', 'HR', 'DT'] as const

/** What a host of secrets does in one world: drafts, private packs, look-ups, and all that the staff says. */
export async function actInSecret(
  { house, make, ask, random, clock }: World,
  secrets: Known,
  publicTournament: string,
  seed: number,
): Promise<void> {
  random.begin(`secret ${seed}`)
  const { below, of, often } = chance(seed)
  const [host, other] = ['host', 'pooler']
  const word = (): string => {
    const text = `qz${below(1e9).toString(36)}`
    secrets.words.push(text)
    return text
  }
  const beatmap = (): number => {
    const id = often(20) ? of([129891, 75, 2069833]) : 600_000 + below(3_000_000)
    if (id > 600_000 && !secrets.beatmaps.includes(id)) secrets.beatmaps.push(id)
    return id
  }
  const slots = () =>
    mods.flatMap((mod) =>
      Array.from({ length: 1 + below(2) }, (_, at) => ({
        mod,
        index: at + 1,
        beatmapId: beatmap(),
      })),
    )
  const api = (service: ServiceName, method: string, path: string, body?: unknown): Call => {
    return { service, door: 'api', method, path, ...(body !== undefined && { body }) }
  }
  const lookUp = async (service: ServiceName, where: object, pool: ReturnType<typeof slots>) => {
    const beatmaps = pool.map(({ mod, beatmapId: id }) => ({ id, mods: mod === 'NM' ? [] : [mod] }))
    const body = { beatmaps, ...where }
    await ask(host, { service, door: 'site', method: 'POST', path: '/session/beatmaps', body })
    clock.nextMinute()
  }

  const pool = slots()
  const visibility = of(['private', 'private', 'unlisted'])
  const made = await make(
    host,
    api('packs', 'POST', '/packs', { name: word(), visibility, slots: pool }),
  )
  if (made) {
    const { slug } = made.pack
    // Who knows the address of an unlisted pack may read it: it is nothing that strangers know.
    if (visibility === 'private') secrets.packs.push(slug)
    await lookUp('packs', { slug }, pool)
    if (often(50)) {
      const changed = { name: word(), description: word(), visibility, slots: slots() }
      await make(host, api('packs', 'PUT', `/packs/${slug}`, changed))
    }
    if (often(20)) await make(host, api('packs', 'DELETE', `/packs/${slug}`))
  }

  const newCup = async (): Promise<string> => {
    const { status, text } = await ask(host, api('pools', 'POST', '/tournaments', { name: word() }))
    // An account hosts so many tournaments: then a draft of the last one, or of the public one.
    if (status !== 201) return secrets.places.at(-1)?.slug ?? publicTournament
    return JSON.parse(text).tournament.slug
  }
  const cup = often(50) ? publicTournament : await newCup()
  const path = `/tournaments/${cup}`
  const drafted = slots()
  const round = { name: word(), packName: word(), slots: drafted }
  const added = await ask(host, api('pools', 'POST', `${path}/rounds`, round))
  // A tournament takes so many rounds, and a minute so many writes.
  if (added.status !== 201) return
  const { id } = JSON.parse(added.text).round
  secrets.places.push({ slug: cup, round: id })
  const ofRound = `${path}/rounds/${id}`
  await make(host, api('pools', 'PUT', `${path}/staff/8002`, { role: 'pooler' }))
  const slot = { mod: 'NM', index: 1 }
  const candidate = await make(
    other,
    api('pools', 'POST', `${ofRound}/candidates`, { ...slot, beatmapId: beatmap() }),
  )
  if (candidate) secrets.places.push({ slug: cup, round: id, item: candidate.candidate.id })
  const remark = await make(
    other,
    api('pools', 'POST', `${ofRound}/remarks`, { ...slot, text: word() }),
  )
  if (remark) secrets.places.push({ slug: cup, round: id, item: remark.remark.id })
  await lookUp('pools', { tournament: cup }, drafted)
  await ask(host, api('pools', 'GET', `${ofRound}/checks`))
  clock.nextMinute()
  if (often(30)) {
    const at = new Date(clock.now() + 30 * 86_400_000).toISOString()
    await make(host, api('pools', 'PUT', `${ofRound}/release`, { at }))
  }
  if (often(30)) {
    const invitation = {
      service: 'pools',
      door: 'site',
      method: 'POST',
      body: { role: 'tester' },
    } as const
    await make(host, { ...invitation, path: `/session${path}/invitations` })
  }
  const cached = await house.ports.beatmapCache.readBeatmaps(secrets.beatmaps.slice(-8))
  for (const [id, { beatmap }] of cached) {
    if (beatmap === 'gone') continue
    secrets.words.push(beatmap.mapper)
    secrets.titles.set(id, beatmap.title)
  }
}
