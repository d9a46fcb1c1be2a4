import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Pack } from '../src/contract/pack.ts'
import { startService } from './processes.ts'
import { aPack, openStore, seedKeys } from './seed.ts'

const WRITERS = 8
const LONGEST_MS = 400

/** What was acknowledged before a server was killed, and what of it was not there afterwards. */
export type KillCount = { readonly acknowledged: number; readonly lost: number }

/** Slug → the pack as an answer gave it; null once its deletion was answered. */
type Acknowledged = Map<string, Pack | null>

const ask = (port: number, key: string, method: string, path: string, body?: unknown) =>
  fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

/** Saves, replaces and deletes until the server is gone; what is under way then may be either. */
const write = async (port: number, key: string, known: Acknowledged): Promise<string | null> => {
  let underWay: string | null = null
  try {
    for (let at = randomInt(1e6); ; at++) {
      const made = await ask(port, key, 'POST', '/packs', aPack(at))
      if (made.status === 429) return null
      const { pack } = (await made.json()) as { pack: Pack }
      known.set(pack.slug, pack)
      underWay = pack.slug
      const replaced = await ask(port, key, 'PUT', `/packs/${pack.slug}`, aPack(at + 1))
      if (replaced.status === 429) return null
      known.set(pack.slug, ((await replaced.json()) as { pack: Pack }).pack)
      if (at % 3 === 0) {
        const gone = await ask(port, key, 'DELETE', `/packs/${pack.slug}`)
        if (gone.status === 429) return null
        if (gone.status === 204) known.set(pack.slug, null)
      }
      underWay = null
    }
  } catch {
    return underWay
  }
}

const readAll = (folder: string): Map<string, { name: string; packKey: string }> => {
  const db = new DatabaseSync(join(folder, 'mapcrate.db'))
  const check = db.prepare('PRAGMA integrity_check').get() as { integrity_check: string }
  if (check.integrity_check !== 'ok') throw new Error(check.integrity_check)
  const rows = db.prepare('SELECT slug, name, pack_key AS packKey FROM pack').all() as {
    slug: string
    name: string
    packKey: string
  }[]
  db.close()
  return new Map(rows.map((row) => [row.slug, row]))
}

const countLost = (folder: string, known: Acknowledged, uncertain: ReadonlySet<string>): number => {
  const kept = readAll(folder)
  let lost = 0
  for (const [slug, pack] of known) {
    if (uncertain.has(slug)) continue
    const row = kept.get(slug)
    const isRight = pack === null ? row === undefined : row?.packKey === pack.packKey
    if (!isRight) lost += 1
  }
  return lost
}

/**
 * Kills a server with SIGKILL at a random moment under writes, again and again over one store, and
 * counts acknowledged writes that are not there (or not whole) afterwards.
 */
export const killCycles = async (
  folder: string,
  cycles: number,
  onCycle: (cycle: number, count: KillCount) => void = () => {},
): Promise<KillCount> => {
  const known: Acknowledged = new Map()
  const uncertain = new Set<string>()
  let lost = 0
  for (let cycle = 0; cycle < cycles; cycle++) {
    const store = await openStore(folder)
    const keys = await seedKeys(store, WRITERS * (1 + (cycle % 20)))
    await store.care.close()
    const { port, child } = await startService(folder)
    const writing = keys.slice(-WRITERS).map((key) => write(port, key, known))
    await new Promise((resolve) => setTimeout(resolve, randomInt(20, LONGEST_MS)))
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
    for (const slug of await Promise.all(writing)) if (slug !== null) uncertain.add(slug)
    lost = countLost(folder, known, uncertain)
    onCycle(cycle + 1, { acknowledged: known.size, lost })
  }
  return { acknowledged: known.size, lost }
}

/** `npm run kill-cycles [COUNT]`. */
export const runKillCycles = async (folder: string, cycles: number): Promise<boolean> => {
  const { acknowledged, lost } = await killCycles(folder, cycles, (cycle, count) => {
    process.stderr.write(
      `\r${cycle} of ${cycles} kills, ${count.acknowledged} packs acknowledged, ${count.lost} lost`,
    )
  })
  process.stderr.write('\n')
  process.stdout.write(`${cycles} kills, ${acknowledged} packs acknowledged, ${lost} lost\n`)
  rmSync(folder, { recursive: true, force: true })
  return lost === 0
}
