import { setTimeout as pause } from 'node:timers/promises'
import { makeScene } from '../scripts/seed/made-up-scene.ts'
import { cpuMs } from './cpu-time.ts'
import { load, type LoadResult, rawRequest } from './load.ts'
import { startService, stop } from './processes.ts'
import { atMost, median } from './report.ts'
import { aKnownPack, keepBeatmaps, openStore, seedKeys, seedPacks } from './seed.ts'

const ROUNDS = 5
const ROUND_MS = 6_000
const WARM_UP_MS = 2_000
/** Between the rounds, so that a minute has no more reads than the accounts' quotas. */
const PAUSE_MS = 18_000
const CONNECTIONS = 16
const ACCOUNTS = 30_000
const PACKS = 1_000
const WARM_UP_PICTURES = 5
const MEASURED_PICTURES = 40
/** 100 a minute. */
const PICTURE_EACH_MS = 600

/** What a preview picture and a table cost, and what drawing new ones does to other requests. */
export const benchPictures = async (folder: string): Promise<void> => {
  const store = await openStore(folder)
  const keys = await seedKeys(store, ACCOUNTS)
  // Stats that are due would be computed meanwhile.
  await keepBeatmaps(store)
  const slugs = await seedPacks(store, PACKS, aKnownPack, { statsOf: makeScene().statsOf })
  await store.care.close()
  const service = await startService(folder, undefined, { TRUSTED_PROXIES: '127.0.0.1' })

  let asked = 0
  /** Asks for the picture of a pack that nobody has asked for, each time from another address. */
  const newPicture = async (file: string): Promise<void> => {
    const at = asked++
    const url = `http://127.0.0.1:${service.port}/p/${slugs[at]}/${file}`
    const headers = { 'x-forwarded-for': `10.0.${at >> 8}.${at & 255}` }
    const response = await fetch(url, { headers })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`a picture was answered with ${response.status}`)
  }
  const draw = async (count: number, file: string): Promise<void> => {
    for (let at = 0; at < count; at++) await newPicture(file)
  }
  for (const [file, name] of [
    ['preview.png', 'new picture'],
    ['pool.png', 'new table of a pool'],
  ] as const) {
    await draw(WARM_UP_PICTURES, file)
    const before = cpuMs(service.child.pid ?? 0)
    await draw(MEASURED_PICTURES, file)
    const each = (cpuMs(service.child.pid ?? 0) - before) / MEASURED_PICTURES
    atMost(`CPU time of a ${name}, ms`, each, 40, `${MEASURED_PICTURES} pictures`)
  }

  const requests = keys.map((key, at) =>
    rawRequest('GET', `/api/v1/packs/${slugs[at % PACKS]}`, key),
  )
  let sent = 0
  const next = (): Buffer => requests[sent++ % requests.length] as Buffer
  const read = (ms: number): Promise<LoadResult> => load(service.port, CONNECTIONS, ms, next)
  const readWhileDrawing = async (): Promise<LoadResult> => {
    const reading = read(ROUND_MS)
    const pictures: Promise<void>[] = []
    for (let at = 0; at < ROUND_MS / PICTURE_EACH_MS; at++) {
      pictures.push(newPicture('preview.png'))
      await pause(PICTURE_EACH_MS)
    }
    await Promise.all(pictures)
    return reading
  }
  await read(WARM_UP_MS)
  const rounds: { quiet: LoadResult; busy: LoadResult }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({ quiet: await read(ROUND_MS), busy: await readWhileDrawing() })
    await pause(PAUSE_MS)
  }
  await stop(service.child)
  if (rounds.some(({ quiet, busy }) => quiet.refused + busy.refused > 0)) {
    throw new Error('a request was refused')
  }
  const ratio = median(rounds.map(({ quiet, busy }) => busy.p99 / quiet.p99))
  const ms = (of: 'quiet' | 'busy') => median(rounds.map((round) => round[of].p99)).toFixed(2)
  const detail = `${ms('busy')} ms against ${ms('quiet')} ms`
  atMost('GET at the 99th percentile, 100 new pictures a minute', ratio, 2, detail)
}
