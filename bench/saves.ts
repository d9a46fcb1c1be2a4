import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import examples from '../src/contract/examples.json' with { type: 'json' }
import type { PackInput, Stats } from '../src/contract/packs.ts'
import { cpuMs } from './cpu-time.ts'
import { load, rawRequest, warmUp } from './load.ts'
import { startReference, startService, stop } from './processes.ts'
import { atMost, median } from './report.ts'
import {
  aKnownPack,
  keepBeatmaps,
  openStore,
  seedKeys,
  seedPacks,
  untilWorkIsDone,
} from './seed.ts'

const ROUNDS = 5
const ROUND_MS = 1_500
/** Enough that none sends more than ten saves a minute. */
const ACCOUNTS = 15_000
const INDEXED_PACKS = 5_000
const PUBLIC_SAVES = 15
const CLIENTS = [1, 16] as const

/** The body of every save; each account sends another. */
const bodyOf = (at: number, visibility: PackInput['visibility']): string =>
  JSON.stringify({ ...aKnownPack(at), visibility })

/**
 * What a save costs the process in all, the stats and the search that follow it included: ms of a core, compared
 * with an Express program that stores the same pack and computes nothing. The beatmaps are cached.
 */
export const benchSaves = async (folder: string): Promise<void> => {
  const store = await openStore(folder)
  const keys = await seedKeys(store, ACCOUNTS)
  await keepBeatmaps(store)
  await seedPacks(store, INDEXED_PACKS, aKnownPack, {
    each: 1,
    statsOf: () => examples.stats as Stats,
  })
  const keysFile = join(folder, 'keys.json')
  writeFileSync(keysFile, JSON.stringify(keys))

  const service = await startService(folder)
  const express = await startReference('bench/express-packs.ts', [
    join(folder, 'express.db'),
    keysFile,
  ])
  const servers = {
    ours: { ...service, next: sender(keys, 'unlisted') },
    theirs: { ...express, next: sender(keys, 'unlisted') },
  }
  const costOf = async (server: keyof typeof servers, clients: number) => {
    const { port, child, next } = servers[server]
    const before = cpuMs(child.pid ?? 0)
    const { answered, refused } = await load(port, clients, ROUND_MS, next)
    if (refused > 0) throw new Error(`${refused} of ${answered} saves were refused`)
    await untilWorkIsDone(store)
    return (cpuMs(child.pid ?? 0) - before) / answered
  }

  for (const { port, next } of Object.values(servers)) await warmUp(port, 16, ACCOUNTS, next)
  await untilWorkIsDone(store)
  const rounds: Record<(typeof CLIENTS)[number], { ours: number; theirs: number }>[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const both = async (clients: number) => ({
      ours: await costOf('ours', clients),
      theirs: await costOf('theirs', clients),
    })
    rounds.push({ 1: await both(1), 16: await both(16) })
  }
  for (const clients of CLIENTS) {
    const ours = median(rounds.map((round) => round[clients].ours))
    const theirs = median(rounds.map((round) => round[clients].theirs))
    const ratio = median(rounds.map(({ [clients]: { ours, theirs } }) => ours / theirs))
    const who = clients === 1 ? '1 client' : `${clients} clients`
    atMost(`unlisted save, ${who}: CPU ms`, ours, 1.2, 'its stats included')
    atMost('the same ÷ Express', ratio, 1.5, `Express: ${theirs.toFixed(2)} ms, no stats`)
  }

  const listed = sender(keys, 'public')
  const before = cpuMs(service.child.pid ?? 0)
  for (let save = 0; save < PUBLIC_SAVES; save++) {
    const { refused } = await load(service.port, 1, 0, listed, true)
    if (refused > 0) throw new Error('a public save was refused')
    await pause(1_000)
  }
  await untilWorkIsDone(store)
  const each = (cpuMs(service.child.pid ?? 0) - before) / PUBLIC_SAVES
  atMost('public save, one a second: CPU ms', each, 15, `${INDEXED_PACKS} packs in the index`)
  for (const { child } of [service, express]) await stop(child)
  await store.care.close()
}

/** The next save of the next account. */
const sender = (keys: readonly string[], visibility: PackInput['visibility']): (() => Buffer) => {
  let sent = 0
  return () => {
    const at = sent++ % keys.length
    return rawRequest('POST', '/api/v1/packs', keys[at] ?? '', bodyOf(at, visibility))
  }
}
