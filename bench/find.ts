import { readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { sql } from 'kysely'
import { countFrom } from '../scripts/arguments.ts'
import { appendPacks } from '../scripts/seed/append-packs.ts'
import { openBulkStore, type BulkStore, type StorePlace } from '../scripts/seed/open-bulk-store.ts'
import { SeededRandom } from '../scripts/seeded-random.ts'
import { systemClock } from '../src/adapters/system.ts'
import { postgresWords } from '../src/adapters/storage/postgres/words.ts'
import { sqliteWords } from '../src/adapters/storage/sqlite/words.ts'
import { createSearchUpdates } from '../src/adapters/storage/stores/search-update.ts'
import { progressLine } from '../src/cli/progress-line.ts'
import examples from '../src/contract/examples.json' with { type: 'json' }
import type { Stats } from '../src/contract/packs.ts'
import type { Beatmap } from '../src/domain/beatmaps.ts'
import { type NewPack } from '../src/domain/packs.ts'
import { newSlug } from '../src/domain/keys.ts'
import { packWords } from '../src/domain/search.ts'
import { searchPacks } from '../src/operations/search.ts'
import { aBeatmap } from '../test/support/a-beatmap.ts'
import { freeWork } from '../test/support/free-work.ts'
import { aNewPack } from '../test/ports/sample-pack.ts'
import { childrenOf } from './cpu-time.ts'
import { startDatabase } from './database.ts'
import { atMost, median, report } from './report.ts'
import { openStore } from './seed.ts'

const PACKS = countFrom('FIND_PACKS', 100_000)
const MAPS = 20
const BEATMAPS = Math.max(2_000, Math.floor(PACKS / 4))
/** Is in every tenth pack, up to 10,000 of a million. */
const POPULAR = 1
const POPULAR_EACH = Math.max(10, PACKS / 10_000)
const OWNERS = Math.ceil(PACKS / 20)
const AT_ONCE = 500
/** What taking over a pack costs is measured with so many. */
const MEASURED = 5_000
const QUERIES = 40
const WANTED_MS = 30
const SLOWEST_MS = 2_000
const USAGE_MS = 5

const random = new SeededRandom(7)

/** A place in a list of so many, the first ones far more often, as words are used. */
const zipf = (count: number): number => Math.min(count - 1, Math.floor(count ** random.next()) - 1)

const require = createRequire(import.meta.url)
const english = JSON.parse(
  readFileSync(require.resolve('an-array-of-english-words'), 'utf8'),
) as readonly string[]
/** In no order, so that common words are not those that begin with `a`. */
const vocabulary = Array.from(
  { length: 60_000 },
  (_, at) => english[(at * 7_919) % english.length]!,
)
const word = (): string => vocabulary[zipf(vocabulary.length)]!
const someWords = (least: number, more: number): string =>
  Array.from({ length: least + random.below(more) }, word).join(' ')
const artists = Array.from({ length: 5_000 }, () => someWords(1, 3))
const mappers = Array.from({ length: 3_000 }, () => someWords(1, 2))
const difficulties = ['Insane', 'Extra', 'Expert', 'Hard', "Collab's Extreme", 'Another', 'Oni']
const rounds = ['Qualifiers', 'Round of 16', 'Quarterfinals', 'Semifinals', 'Finals', 'Practice']

const beatmapAt = (id: number): Beatmap => {
  const [title, artist] = [someWords(1, 4), artists[zipf(artists.length)]!]
  return aBeatmap(id, {
    title,
    artist,
    titleUnicode: title,
    artistUnicode: artist,
    setId: 1_000_000 + Math.floor(id / 4),
    mapper: mappers[zipf(mappers.length)]!,
    difficulty: difficulties[zipf(difficulties.length)]!,
  })
}

const stats = examples.stats as Stats

const packAt = (at: number): NewPack => {
  const ids = new Set<number>(at % POPULAR_EACH === 0 ? [POPULAR] : [])
  while (ids.size < MAPS) ids.add(2 + zipf(BEATMAPS - 2))
  const slots = [...ids].map((beatmapId, place) => ({ mod: 'NM', index: place + 1, beatmapId }))
  const time = 1_600_000_000_000 + at * 1_000
  return aNewPack({
    slug: newSlug({
      bytes: (count) => Uint8Array.from({ length: count }, () => random.next() * 256),
    }),
    ownerId: `owner${at % OWNERS}`,
    name: `${someWords(1, 3)} Cup: ${rounds[at % rounds.length]}`.slice(0, 64),
    description: at % 3 === 0 ? someWords(4, 20) : null,
    slots,
    stats: { ...stats, srAvg: random.below(800) / 100 },
    createdAt: time,
    updatedAt: time,
  })
}

async function seed({ engine, settle }: BulkStore): Promise<void> {
  const { packs } = await engine.db
    .selectFrom('pack')
    .select((eb) => eb.fn.countAll<number>().as('packs'))
    .executeTakeFirstOrThrow()
  if (packs > 0) return
  const line = progressLine(process.stderr)
  for (let first = 0; first < OWNERS; first += AT_ONCE) {
    const accounts = Array.from({ length: Math.min(AT_ONCE, OWNERS - first) }, (_, at) => ({
      id: `owner${first + at}`,
      game_id: first + at + 10,
      username: mappers[(first + at) % mappers.length]!,
      created_at: 0,
    }))
    await engine.write('packs', (tx) => tx.insertInto('account').values(accounts).execute())
  }
  for (let first = 1; first <= BEATMAPS; first += AT_ONCE) {
    const rows = Array.from({ length: Math.min(AT_ONCE, BEATMAPS + 1 - first) }, (_, at) => ({
      id: first + at,
      known_at: 1,
      is_public: 1 as const,
      details: JSON.stringify(beatmapAt(first + at)),
    }))
    await engine.write('beatmaps', (tx) => tx.insertInto('beatmap').values(rows).execute())
  }
  for (let first = 0; first < PACKS; first += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, PACKS - first) }, (_, at) =>
      packAt(first + at),
    )
    await appendPacks({ engine }, some)
    line.show(`seeding ${first + some.length} of ${PACKS} packs`)
  }
  line.end()
  // As a store is that was there before the search: only a rebuild is to do.
  const seq = sql`update shared_number
    set value = (select value from shared_number where name = 'index_version')
    where name = 'search_seq'`
  await engine.write('search', (tx) => seq.execute(tx))
  await settle()
}

async function buildIndex(engine: string, { engine: part, settle }: BulkStore): Promise<void> {
  const words = engine === 'SQLite' ? sqliteWords : postgresWords
  const search = createSearchUpdates({ ...part, words } as never)
  const line = progressLine(process.stderr)
  let built = 0
  const build = async (upTo: number): Promise<void> => {
    while (built < upTo) {
      const looked = await search.update(256, (pack, beatmaps) =>
        packWords(pack, pack.ownerUsername ?? '', beatmaps),
      )
      if (looked === 0) break
      built += looked
      line.show(`taking over ${built} of ${PACKS} packs`)
    }
  }
  const begun = performance.now()
  await build(MEASURED)
  const seconds = (performance.now() - begun) / 1000
  const each = `${((1_000 * seconds) / Math.max(1, built)).toFixed(2)} ms a pack`
  line.end()
  report(`${engine}: taking over ${built} packs`, `${seconds.toFixed(0)} s, ${each}`, '', true)
  if (built >= MEASURED) {
    // PostgreSQL makes the index of words many times faster in one go.
    const run = (text: string) => sql.raw(text).execute(part.db)
    if (engine === 'PostgreSQL') await run('drop index search_words')
    await build(Infinity)
    line.end()
    if (engine === 'PostgreSQL') {
      await run(`set maintenance_work_mem = '2GB'`)
      await run(
        'create index search_words on search_pack using gin (words) with (fastupdate = off)',
      )
    }
  }
  await settle()
}

const rare = (): string => vocabulary[3_000 + random.below(20_000)]!
const common = (): string => vocabulary[random.below(40)]!

/** Two words each, but for those that are being typed and those that find everything. */
const kinds: Readonly<Record<string, () => string>> = {
  'rare × rare': () => `${rare()} ${rare()} `,
  'rare × common': () => `${rare()} ${common()} `,
  'common × common': () => `${common()} ${common()} `,
  'title × mapper': () => `${word()} ${mappers[zipf(200)]!} `,
  'a word and a start': () => `${common()} ${rare().slice(0, 3)}`,
  'a start of two letters': () => rare().slice(0, 2),
  'in no pack': () => `${rare()} xqzzzt `,
  'no words': () => '',
}

/** Begins to count; what it returns gives the CPU time since, in ms. */
type Cpu = () => () => number

/** Of this process and the database's, to the microsecond. */
const cpuOf = (databasePid: number | null): Cpu => {
  const runMs = (pid: number): number => {
    try {
      return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
    } catch {
      return 0
    }
  }
  return () => {
    // To list the processes of a machine takes longer than a search.
    const others = databasePid === null ? [] : childrenOf(databasePid)
    const read = (): number => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1_000 + others.reduce((sum, pid) => sum + runMs(pid), 0)
    }
    const before = read()
    return () => read() - before
  }
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN

async function measure(engine: string, place: StorePlace, cpu: Cpu): Promise<void> {
  const stores = await openStore(place)
  const ports = { ...stores, clock: systemClock, work: freeWork }
  const timed = async (work: () => Promise<unknown>) => {
    const spent = cpu()
    await work()
    return spent()
  }
  for (let at = 0; at < 20; at += 1) await searchPacks(ports, { q: `${word()} ${word()} ` }, '')
  const all: number[] = []
  for (const [kind, queryOf] of Object.entries(kinds)) {
    const costs: number[] = []
    let found = 0
    for (let at = 0; at < QUERIES; at += 1) {
      const q = queryOf()
      costs.push(
        await timed(async () => {
          found += (await searchPacks(ports, { q }, '')).packs.length
        }),
      )
    }
    all.push(...costs)
    const [half, most, worst] = [median(costs), percentile(costs, 0.95), percentile(costs, 1)]
    const detail = `median ${half.toFixed(1)}, slowest ${worst.toFixed(1)}; ${(found / QUERIES).toFixed(1)} packs`
    atMost(`${engine}: ${kind}, CPU at p95 (ms)`, most, WANTED_MS, detail)
  }
  atMost(`${engine}: slowest search (ms)`, percentile(all, 1), SLOWEST_MS, `${all.length} searches`)
  const filtered = { q: `${common()} `, stars: '7.9-', unrated: '' }
  const few = await timed(() => searchPacks(ports, filtered, ''))
  report(`${engine}: common word, filter that few pass`, `${few.toFixed(1)} ms of CPU`, '', true)
  const uses: number[] = []
  for (let at = 0; at < QUERIES; at += 1) {
    uses.push(await timed(() => stores.usage.list([POPULAR], 1, 50)))
  }
  const { totals } = await stores.usage.list([POPULAR], 1, 50)
  const detail = `median ${median(uses).toFixed(1)}; ${totals.get(POPULAR)} uses`
  atMost(
    `${engine}: first page of usage, CPU at p95 (ms)`,
    percentile(uses, 0.95),
    USAGE_MS,
    detail,
  )
  await stores.care.close()
}

async function reportSizes(engine: string, place: StorePlace, bulk: BulkStore): Promise<void> {
  const text =
    engine === 'SQLite'
      ? `select sum(pgsize) as bytes, case when name like 'search_words%' then 'search_words' else name end as part
          from dbstat where name like 'search_%' or name like 'beatmap_use%' or name like 'sqlite_autoindex_search%'
          group by 2`
      : `select pg_relation_size(oid) + case when relkind = 'r' and reltoastrelid > 0
            then pg_total_relation_size(reltoastrelid) else 0 end as bytes, relname as part
          from pg_class where relname like 'search_%' or relname like 'beatmap_use%'`
  const { rows } = await sql<{ bytes: number; part: string }>`${sql.raw(text)}`.execute(
    bulk.engine.db,
  )
  const parts = rows.map(({ bytes, part }) => `${part} ${(bytes / 1e6).toFixed(0)}`).join(', ')
  const sum = rows.reduce((all, { bytes }) => all + bytes, 0) / 1e6
  const file = place.databaseUrl === null ? statSync(join(place.dataDir, 'mapcrate.db')).size : 0
  const whole = file > 0 ? ` of ${(file / 1e6).toFixed(0)}` : ''
  report(`${engine}: size (MB)`, `${sum.toFixed(0)}${whole}: ${parts}`, '', true)
}

async function benchPlace(engine: string, place: StorePlace, cpu: Cpu): Promise<void> {
  const bulk = await openBulkStore(place)
  await seed(bulk)
  await buildIndex(engine, bulk)
  await reportSizes(engine, place, bulk)
  await bulk.close()
  await measure(engine, place, cpu)
}

/** What searches and the usage of a beatmap cost, among `FIND_PACKS` packs. */
export const benchFindOnSqlite = (folder: string): Promise<void> =>
  benchPlace('SQLite', { dataDir: folder, databaseUrl: null }, cpuOf(null))

/** The same on PostgreSQL. */
export const benchFindOnPostgres = async (folder: string): Promise<void> => {
  const database = await startDatabase(folder)
  try {
    const place = await database.place('find')
    await benchPlace('PostgreSQL', place, cpuOf(database.pid))
  } finally {
    await database.stop()
  }
}
