import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { StorePlace } from '../scripts/seed/open-bulk-store.ts'
import type { ChangePage } from '../src/contract/changes.ts'
import { startDatabase } from './database.ts'
import { freePorts, residentMb, startService, stop } from './processes.ts'
import { atMost, median } from './report.ts'
import { aPack, seedKeys } from './seed.ts'

const ROUNDS = 60
const READERS = 1_000
/** For how long the statements are counted. */
const COUNTED_MS = 5_000
/** Each account writes ten times a minute, and reads sixty times. */
const WRITES = 10
const READS = 50
const KEYS = 200

type Ask = { readonly port: number; readonly key: string; readonly path: string }

/** What waiting for changes costs, and how soon they come, on both engines. */
export const benchWaits = async (folder: string): Promise<void> => {
  await benchOn('SQLite', { dataDir: folder, databaseUrl: null }, 1)
  const database = await startDatabase(folder)
  try {
    await benchOn('PostgreSQL', await database.place('mapcrate'), 2)
  } finally {
    await database.stop()
  }
}

const benchOn = async (engine: string, place: StorePlace, processes: 1 | 2): Promise<void> => {
  const keys = await seedKeys({ place }, KEYS)
  const [metricsPort = 0] = await freePorts(1)
  const one = await startService(place, undefined, { METRICS_PORT: String(metricsPort) })
  const services = [one, ...(processes === 2 ? [await startService(place)] : [])]
  const agent = new Agent({ keepAlive: true, maxSockets: 2 * READERS })
  let [writes, reads] = [0, 0]

  const get = async ({ port, key, path }: Ask): Promise<ChangePage> => {
    const headers = { authorization: `Bearer ${key}` }
    const sent = request({ agent, host: '127.0.0.1', port, path: `/api/v1${path}`, headers }).end()
    const [answer] = await once(sent, 'response')
    let text = ''
    for await (const part of answer) text += part
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${text}`)
    return JSON.parse(text) as ChangePage
  }

  const save = async (port: number): Promise<void> => {
    const key = keys[Math.floor(writes++ / WRITES) % keys.length]
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/packs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(aPack(writes)),
    })
    if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`)
    await answer.text()
  }

  const nextReader = (): string => keys[keys.length - 1 - (Math.floor(reads++ / READS) % 100)]!

  /** From the moment in which a save is sent to the answer of a reader who waits, ms. */
  const benchLatency = async (where: string, writer: number, mostSeconds: number) => {
    const times: number[] = []
    let { cursor } = await get({ port: one.port, key: nextReader(), path: '/changes' })
    for (let round = 0; round < ROUNDS; round += 1) {
      const path = `/changes?after=${cursor}&wait=25`
      const waiting = get({ port: one.port, key: nextReader(), path })
      await pause(150 + Math.random() * 200)
      const begun = performance.now()
      await save(writer)
      ;({ cursor } = await waiting)
      times.push(performance.now() - begun)
    }
    const detail = `${ROUNDS} saves, median ${(median(times) / 1_000).toFixed(2)}`
    atMost(`${engine}: to a reader ${where}, s`, Math.max(...times) / 1_000, mostSeconds, detail)
  }

  const statements = async (): Promise<number> => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    return Number(/^mapcrate_database_seconds_count (\d+)/m.exec(text)?.[1])
  }

  const countStatements = async (): Promise<number> => {
    const before = await statements()
    await pause(COUNTED_MS)
    return (await statements()) - before
  }

  const benchReaders = async (): Promise<void> => {
    const { cursor } = await get({ port: one.port, key: nextReader(), path: '/changes' })
    const wait = () =>
      get({ port: one.port, key: nextReader(), path: `/changes?after=${cursor}&wait=25` })
    const before = residentMb(one.child)
    const first = wait()
    const alone = await countStatements()
    const readers = Array.from({ length: READERS - 1 }, wait)
    await pause(5_000)
    const together = await countStatements()
    const memory = residentMb(one.child) - before
    await save(services.at(-1)!.port)
    const begun = performance.now()
    const pages = await Promise.all([first, ...readers])
    const ms = performance.now() - begun
    const got = pages.filter(({ changes }) => changes.length === 1).length
    if (got !== READERS) throw new Error(`${READERS - got} readers did not get the change`)
    const detail = `before ${before.toFixed(0)} MB`
    atMost(`${engine}: memory of ${READERS} readers, MB`, memory, 50, detail)
    const few = `1 reader ${alone}, ${READERS} readers ${together}`
    atMost(`${engine}: statements in 5 s, ${READERS} ÷ 1`, together / alone, 1.2, few)
    atMost(`${engine}: all ${READERS} answered, s`, ms / 1_000, 2, 'after the save is confirmed')
  }

  try {
    await benchLatency('in the same process', one.port, 0.5)
    if (processes === 2) await benchLatency('in another process', services[1]!.port, 2)
    await benchReaders()
  } finally {
    agent.destroy()
    for (const { child } of services) await stop(child)
  }
}
