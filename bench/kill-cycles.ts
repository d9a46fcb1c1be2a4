import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import type { Pack } from '../src/contract/pack.ts'
import { startService } from './processes.ts'
import { readWhole, type WholePack } from './read-whole.ts'
import { aPack, openStore, seedKeys } from './seed.ts'

const WRITERS = 8
/** Each writer has ten writes until its quota ends; most still have some left behind this many. */
const LATEST_KILL = WRITERS * 6

/** What the kills met: how much had been acknowledged, was under way, and was not there afterwards. */
export type KillCount = {
  /** Packs of which a save or a deletion was acknowledged. */
  readonly acknowledged: number
  /** Requests that were under way when their server was killed. */
  readonly interrupted: number
  /** Acknowledged packs that were not as acknowledged, and strangers that nobody can have sent. */
  readonly lost: number
}

/** Slug → the pack as an answer gave it; null once its deletion was answered. */
type Acknowledged = Map<string, Pack | null>

type Writing = {
  readonly port: number
  readonly key: string
  readonly known: Acknowledged
  readonly onAcknowledged: () => void
}

/** What was under way when the connection broke: a slug, or a pack that had none yet. */
type Interrupted = { readonly slug: string | null; readonly isDeletion: boolean }

/** The answer's pack, null where it has none, 'spent' when the quota is. Throws when the server is gone. */
const ask = async (
  { port, key }: Writing,
  method: string,
  path: string,
  body?: unknown,
): Promise<Pack | null | 'spent'> => {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (answer.status === 429) return 'spent'
  return text === '' ? null : (JSON.parse(text) as { pack: Pack }).pack
}

/** Saves, replaces and deletes until the quota ends or the server is gone. */
const write = async (writing: Writing): Promise<Interrupted | null> => {
  const { known, onAcknowledged } = writing
  let slug: string | null = null
  let isDeletion = false
  try {
    for (let at = randomInt(1e6); ; at++) {
      slug = null
      isDeletion = false
      const made = await ask(writing, 'POST', '/packs', aPack(at))
      if (made === null || made === 'spent') return null
      slug = made.slug
      known.set(slug, made)
      onAcknowledged()
      const replaced = await ask(writing, 'PUT', `/packs/${slug}`, aPack(at + 1))
      if (replaced === null || replaced === 'spent') return null
      known.set(slug, replaced)
      onAcknowledged()
      isDeletion = at % 3 === 0
      if (!isDeletion) continue
      if ((await ask(writing, 'DELETE', `/packs/${slug}`)) === 'spent') return null
      known.set(slug, null)
      onAcknowledged()
    }
  } catch {
    return { slug, isDeletion }
  }
}

const isSame = (pack: Pack | null, row: WholePack | undefined): boolean => {
  if (pack === null || row === undefined) return pack === null && row === undefined
  return (
    row.name === pack.name &&
    row.visibility === pack.visibility &&
    row.packKey === pack.packKey &&
    row.updatedAt === pack.updatedAt &&
    JSON.stringify(row.slots) === JSON.stringify(pack.slots)
  )
}

/**
 * Kills a server with SIGKILL under writes, again and again over one store, each time after a random
 * number of answers, and counts acknowledged saves that are not there as acknowledged. What was
 * under way may be there or not, but only whole: reading the store throws otherwise.
 */
export const killCycles = async (
  folder: string,
  cycles: number,
  onCycle: (cycle: number, count: KillCount) => void = () => {},
): Promise<KillCount> => {
  const known: Acknowledged = new Map()
  /** Slug → whether the pack may be gone. */
  const uncertain = new Map<string, boolean>()
  let count: KillCount = { acknowledged: 0, interrupted: 0, lost: 0 }
  let unanswered = 0
  for (let cycle = 0; cycle < cycles; cycle++) {
    const store = await openStore(folder)
    const keys = await seedKeys(store, WRITERS * (1 + (cycle % 20)))
    await store.care.close()
    const { port, child } = await startService(folder)
    const gone = once(child, 'exit')
    let left = randomInt(1, LATEST_KILL)
    const onAcknowledged = () => {
      left -= 1
      if (left === 0) child.kill('SIGKILL')
    }
    const writing = keys.slice(-WRITERS).map((key) => write({ port, key, known, onAcknowledged }))
    const interrupted = (await Promise.all(writing)).filter((each) => each !== null)
    await gone
    for (const { slug, isDeletion } of interrupted) {
      if (slug === null) unanswered += 1
      else uncertain.set(slug, isDeletion)
    }
    const kept = readWhole(folder)
    const wrong = [...known].filter(
      ([slug, pack]) => !uncertain.has(slug) && !isSame(pack, kept.get(slug)),
    )
    const missing = [...uncertain].filter(([slug, mayBeGone]) => !mayBeGone && !kept.has(slug))
    const strangers = [...kept.keys()].filter((slug) => !known.has(slug))
    count = {
      acknowledged: known.size,
      interrupted: count.interrupted + interrupted.length,
      lost: wrong.length + missing.length + Math.max(0, strangers.length - unanswered),
    }
    onCycle(cycle + 1, count)
  }
  return count
}

const said = ({ acknowledged, interrupted, lost }: KillCount): string =>
  `${acknowledged} packs acknowledged, ${interrupted} requests interrupted, ${lost} lost`

/** `npm run kill-cycles [COUNT]`. */
export const runKillCycles = async (folder: string, cycles: number): Promise<boolean> => {
  const count = await killCycles(folder, cycles, (cycle, soFar) => {
    process.stderr.write(`\r${cycle} of ${cycles} kills, ${said(soFar)}`)
  })
  process.stderr.write('\n')
  process.stdout.write(`${cycles} kills, ${said(count)}\n`)
  rmSync(folder, { recursive: true, force: true })
  return count.lost === 0
}
