import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import type { StorePlace } from '../scripts/seed/open-bulk-store.ts'
import examples from '../src/contract/examples.json' with { type: 'json' }
import { MAX_VERSIONS } from '../src/contract/bounds.ts'
import type { PackInput, Stats } from '../src/contract/packs.ts'
import { replacePack } from '../src/operations/packs.ts'
import { cpuMs } from './cpu-time.ts'
import { type Database, startDatabase } from './database.ts'
import { load, rawRequest, warmUp } from './load.ts'
import { startService, stop } from './processes.ts'
import { atMost, median, report } from './report.ts'
import { aPack, openStore, seedKeys, seedPacks } from './seed.ts'

/** Many and short: the two sides of a round should meet the same machine. */
const ROUNDS = 25
const ROUND_MS = 400
/** Enough that none sends more than ten saves or sixty reads a minute. */
const ACCOUNTS = 15_000
const CLIENTS = [1, 16] as const
/** Packs that have as many versions as are kept, of so many beatmaps. */
const FULL = 20
const BEATMAPS = 22

/** What keeping the history of packs costs, on both engines. */
export const benchHistory = async (folder: string): Promise<void> => {
  await benchOn('SQLite', { dataDir: folder, databaseUrl: null }, null)
  const database = await startDatabase(folder)
  try {
    await benchOn('PostgreSQL', await database.place('mapcrate'), database)
  } finally {
    await database.stop()
  }
}

const benchOn = async (
  engine: string,
  place: StorePlace,
  database: Database | null,
): Promise<void> => {
  const keys = await seedKeys({ place }, ACCOUNTS)
  const slugs = await seedPacks({ place }, ACCOUNTS, packAt, {
    each: 1,
    statsOf: () => examples.stats as Stats,
  })
  await fillHistories(place, slugs.slice(0, FULL))
  const kilobytes = (await versionBytes(place)) / FULL / 1_000
  const detail = `${FULL} packs of ${BEATMAPS} beatmaps, one replaced each time`
  atMost(`${engine}: ${MAX_VERSIONS} versions in the store, KB`, kilobytes, 60, detail)

  const service = await startService(place)
  const scene = { engine, keys, slugs, port: service.port, measure: measurer(service, database) }
  try {
    await benchSaves(scene)
    await benchReads(scene)
  } finally {
    await stop(service.child)
  }
}

const packAt = (number: number): PackInput => {
  const { slots, ...rest } = aPack(number)
  return { ...rest, visibility: 'unlisted', slots: slots.slice(0, BEATMAPS) }
}

/** Saves each pack until it has as many versions as are kept; each save replaces another beatmap. */
const fillHistories = async (place: StorePlace, slugs: readonly string[]): Promise<void> => {
  const store = await openStore(place)
  for (const slug of slugs) {
    const pack = await store.packs.read(slug)
    if (pack === null) throw new Error(`no pack ${slug}`)
    const { name, visibility, ownerId } = pack
    const slots = [...pack.slots]
    for (let version = 2; version <= MAX_VERSIONS; version++) {
      const slot = slots[version % BEATMAPS]
      if (slot === undefined) throw new Error('no slot')
      slots[version % BEATMAPS] = { ...slot, beatmapId: 3_000_000 + version }
      await replacePack(store, ownerId, slug, { name, visibility, slots })
    }
  }
  await store.care.close()
}

/** What the versions that saves have replaced take in the store, with their index. */
const versionBytes = async ({ dataDir, databaseUrl }: StorePlace): Promise<number> => {
  if (databaseUrl === null) {
    using file = new DatabaseSync(join(dataDir, 'mapcrate.db'))
    const size = file.prepare("select sum(pgsize) as size from dbstat where name = 'pack_version'")
    return Number(size.get()?.['size'])
  }
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const size = await client.query<{ size: string }>(
    "select pg_total_relation_size('pack_version') as size",
  )
  await client.end()
  return Number(size.rows[0]?.size)
}

type Scene = {
  readonly engine: string
  readonly keys: readonly string[]
  /** Each account's own pack. */
  readonly slugs: readonly string[]
  readonly port: number
  readonly measure: Measure
}

/** Of each request: µs of a core, the server's and the database's, and µs of the clock. */
type Cost = { readonly cpu: number; readonly time: number }
type Measure = (clients: number, next: () => Buffer) => Promise<Cost>

const measurer = (
  { port, child }: Awaited<ReturnType<typeof startService>>,
  database: Database | null,
): Measure => {
  const busyMs = (): number => cpuMs(child.pid ?? 0) + (database?.cpuMs() ?? 0)
  return async (clients, next) => {
    const before = busyMs()
    const { answered, refused, perSecond } = await load(port, clients, ROUND_MS, next)
    if (refused > 0) throw new Error(`${refused} of ${answered} requests were refused`)
    return { cpu: (1_000 * (busyMs() - before)) / answered, time: 1e6 / perSecond }
  }
}

/** A save that makes a version ÷ one of the same content with its slots in another order (D-27). */
const benchSaves = async (scene: Scene): Promise<void> => {
  const { engine, keys, slugs, port, measure } = scene
  const half = keys.length / 2
  /** Saves of the accounts from this one on: those that rename their packs never reorder them. */
  const saver = (from: number, change: (pack: PackInput, time: number) => PackInput) => {
    let sent = 0
    return (): Buffer => {
      const at = from + (sent % half)
      const time = 1 + Math.floor(sent / half)
      sent += 1
      const body = JSON.stringify(change(packAt(at), time))
      return rawRequest('PUT', `/api/v1/packs/${slugs[at]}`, keys[at] ?? '', body)
    }
  }
  const making = saver(0, (pack, time) => ({ ...pack, name: `${pack.name}, ${time}` }))
  const plain = saver(half, ({ slots, ...pack }, time) => {
    const first = time % slots.length
    return { ...pack, slots: [...slots.slice(first), ...slots.slice(0, first)] }
  })
  await warmUp(port, 16, half, making)
  await warmUp(port, 16, half, plain)
  for (const clients of CLIENTS) {
    const rounds = await inTurns(measure, clients, making, plain)
    const who = clients === 1 ? '1 client' : `${clients} clients`
    const what = `${engine}: save with ÷ without a version, ${who}`
    atMost(`${what}: CPU`, ratioOf(rounds, 'cpu'), 1.1, detailOf(rounds, 'cpu'))
    const time = `${ratioOf(rounds, 'time').toFixed(2)}  (${detailOf(rounds, 'time')})`
    report(`${what}: time`, time, '', true)
  }
}

/** A page of a full history ÷ its pack. */
const benchReads = async ({ engine, keys, slugs, port, measure }: Scene): Promise<void> => {
  for (const [at, slug] of slugs.slice(0, FULL).entries()) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/packs/${slug}/history`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${keys[at]}`, 'content-type': 'application/json' },
      body: '{"public":true}',
    })
    if (answer.status !== 204) throw new Error(`${answer.status} ${await answer.text()}`)
  }
  const reader = (path: string) => {
    let sent = 0
    return (): Buffer => {
      const at = sent++
      const key = keys[at % keys.length] ?? ''
      return rawRequest('GET', `/api/v1/packs/${slugs[at % FULL]}${path}`, key)
    }
  }
  const [history, pack] = [reader('/history'), reader('')]
  await warmUp(port, 16, ACCOUNTS, pack)
  await measure(16, history)
  const rounds = await inTurns(measure, 16, history, pack)
  const detail = detailOf(rounds, 'cpu')
  const ratio = `${ratioOf(rounds, 'cpu').toFixed(2)}  (${detail})`
  report(`${engine}: history of ${MAX_VERSIONS} versions ÷ its pack: CPU`, ratio, '', true)
}

type Round = { readonly one: Cost; readonly other: Cost }

/** Measures both in turns. */
const inTurns = async (
  measure: Measure,
  clients: number,
  one: () => Buffer,
  other: () => Buffer,
): Promise<readonly Round[]> => {
  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({ one: await measure(clients, one), other: await measure(clients, other) })
  }
  return rounds
}

const ratioOf = (rounds: readonly Round[], of: keyof Cost): number =>
  median(rounds.map(({ one, other }) => one[of] / other[of]))

const detailOf = (rounds: readonly Round[], of: keyof Cost): string => {
  const [one, other] = (['one', 'other'] as const).map((side) =>
    median(rounds.map((round) => round[side][of])).toFixed(0),
  )
  return `${one} ÷ ${other} µs`
}
