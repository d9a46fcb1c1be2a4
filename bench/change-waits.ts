import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { StorePlace } from '../scripts/seed/open-bulk-store.ts'
import type { ChangePage } from '../src/contract/changes.ts'
import { residentMb, stop } from './processes.ts'
import { atMost } from './report.ts'
import { aPack, seedKeys } from './seed.ts'
import { benchLatency, onBothEngines, startServices } from './waiting.ts'

const READERS = 1_000
/** Each account writes ten times a minute, and reads sixty times. */
const WRITES = 10
const READS = 50
const KEYS = 200

type Ask = { readonly port: number; readonly key: string; readonly path: string }

/** What waiting for changes costs, and how soon they come, on both engines. */
export const benchWaits = (folder: string): Promise<void> => onBothEngines(folder, benchOn)

const benchOn = async (engine: string, place: StorePlace, processes: 1 | 2): Promise<void> => {
  const keys = await seedKeys({ place }, KEYS)
  const { one, services, countStatements } = await startServices(place, processes)
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

  const benchSaves = async (where: string, writer: number, mostSeconds: number) => {
    let { cursor } = await get({ port: one.port, key: nextReader(), path: '/changes' })
    await benchLatency({
      what: `${engine}: to a reader ${where}`,
      mostSeconds,
      wait() {
        const path = `/changes?after=${cursor}&wait=25`
        const waiting = get({ port: one.port, key: nextReader(), path })
        return async () => void ({ cursor } = await waiting)
      },
      save: () => save(writer),
    })
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
    await benchSaves('in the same process', one.port, 0.5)
    if (processes === 2) await benchSaves('in another process', services[1]!.port, 2)
    await benchReaders()
  } finally {
    agent.destroy()
    for (const { child } of services) await stop(child)
  }
}
