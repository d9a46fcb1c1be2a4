import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { contentOf } from '../src/domain/packs.ts'
import { load, rawRequest } from './load.ts'
import { startService, stop } from './processes.ts'
import { atLeast, median } from './report.ts'
import { aPack, openStore, seedKeys } from './seed.ts'

const ROUNDS = 5
const ROUND_MS = 1000
const ACCOUNTS = 6000

/** Durable POSTs against a bare loop that commits the same row with `synchronous=FULL`. */
export const benchWrites = async (folder: string): Promise<void> => {
  const store = await openStore(folder)
  const keys = await seedKeys(store, ACCOUNTS)
  await store.care.close()
  const service = await startService(folder)
  const requests = keys.map((key, at) =>
    rawRequest('POST', '/api/v1/packs', key, JSON.stringify(aPack(at))),
  )
  let sent = 0
  const next = (): Buffer => requests[sent++ % requests.length] as Buffer
  const bare = bareLoop(join(folder, 'bare.db'))

  await load(service.port, 1, ROUND_MS, next)
  const rounds: { one: number; many: number; bare: number }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const one = await load(service.port, 1, ROUND_MS, next)
    const many = await load(service.port, 16, ROUND_MS, next)
    if (one.refused + many.refused > 0) throw new Error('a POST was refused')
    rounds.push({ one: one.perSecond, many: many.perSecond, bare: bare(ROUND_MS) })
  }
  await stop(service.child)
  for (const side of ['one', 'many'] as const) {
    const ratio = median(rounds.map((round) => round[side] / round.bare))
    const rates = [side, 'bare' as const].map((of) => Math.round(median(rounds.map((r) => r[of]))))
    const clients = side === 'one' ? '1 client' : '16 clients'
    atLeast(
      `durable POST, ${clients} ÷ bare loop`,
      ratio,
      0.5,
      `${rates[0]}/s against ${rates[1]}/s`,
    )
  }
}

const bareLoop = (file: string): ((ms: number) => number) => {
  const db = new DatabaseSync(file)
  db.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;
    CREATE TABLE pack (id INTEGER PRIMARY KEY, slug TEXT UNIQUE, name TEXT, slots TEXT, key TEXT)`)
  const insert = db.prepare('INSERT INTO pack (slug, name, slots, key) VALUES (?, ?, ?, ?)')
  let count = 0
  return (ms) => {
    const first = count
    const begun = performance.now()
    while (performance.now() - begun < ms) {
      const { name, slots, packKey } = contentOf(aPack(count))
      insert.run(`slug-${count}`, name, JSON.stringify(slots), packKey)
      count += 1
    }
    return (count - first) / ((performance.now() - begun) / 1000)
  }
}
