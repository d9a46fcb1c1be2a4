import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { SeededRandom } from '../seeded-random.ts'
import { judgeStatuses } from './document.ts'
import { PackFuzz } from './fuzz-packs.ts'
import { PoolsFuzz } from './fuzz-pools.ts'
import { tryGuide } from './guide.ts'
import { awaitStats, tryDerived, tryPacksWrites } from './packs-writes.ts'
import { tryPoolsWrites } from './pools-writes.ts'
import { racePacks, racePools } from './races.ts'
import { Report, unlike } from './report.ts'
import { Service, Stopped } from './wire.ts'

type Conformance = {
  readonly packsUrl: string
  readonly poolsUrl: string
  readonly packsKey: string
  readonly poolsKey: string
  /** The text of docs/api.md. */
  readonly guide: string
  readonly seed: number
  /** After how many requests to both services together to stop. */
  readonly requests: number
  /** Aborted when the time is over. */
  readonly signal: AbortSignal
  /** How many random steps there are for each service between two turns of the rest. */
  readonly steps?: number
}

const STEPS = 40
/** Where so much is wrong, more would only fill the account of who asks. */
const MOST_FAULTS = 100
const SETTLE_MS = 1000
const never = new AbortController().signal

/** Tries an installation from outside, removes what it has made, and returns what was tried and what was wrong. */
export const runConformance = async (conformance: Conformance): Promise<Report> => {
  const { packsUrl, poolsUrl, packsKey, poolsKey, guide, seed } = conformance
  const { steps = STEPS } = conformance
  const report = new Report()
  const onRequest = () => {
    const isEnough = report.requests >= conformance.requests || report.faults.length >= MOST_FAULTS
    if (isEnough) throw new Stopped()
    report.requests += 1
  }
  // What ends one service's part by an error ends the other's, too.
  const broken = new AbortController()
  const limits = { signal: AbortSignal.any([conformance.signal, broken.signal]), onRequest }
  const packs = new Service('packs', packsUrl, packsKey, limits)
  const pools = new Service('pools', poolsUrl, poolsKey, limits)
  const tag = `conform-${randomUUID().slice(0, 8)}`

  /** One service in its own pace, until there is no more time. */
  const run = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      const isEnd = error instanceof Stopped || limits.signal.aborted
      report.try('parts', isEnd ? null : String(error))
      broken.abort()
    }
  }
  const repeat = async (step: () => Promise<void>): Promise<void> => {
    for (let count = 0; count < steps; count += 1) await step()
  }

  const player = await otherPlayer(packs, pools)
  const parts: (() => Promise<void>)[] = [
    async () => {
      const fuzz = new PoolsFuzz(pools, new SeededRandom(seed, 2), report, tag)
      for (let turn = 0; ; turn += 1) {
        await tryPoolsWrites(pools, report, tag, turn, player)
        await racePools(pools, report, tag)
        await repeat(() => fuzz.step())
      }
    },
    async () => {
      const fuzz = new PackFuzz(packs, new SeededRandom(seed, 1), report, tag)
      await tryGuide(guide, { packs, pools }, report, tag)
      for (let turn = 0; ; turn += 1) {
        const awaited = await awaitStats(packs, tag)
        await tryPacksWrites(packs, report, tag, turn)
        await racePacks(packs, report, tag)
        await repeat(() => fuzz.step())
        await tryDerived(packs, report, awaited)
      }
    },
  ]
  await Promise.all(parts.map(run))
  for (const service of [packs, pools]) service.limit({ signal: never, onRequest: () => {} })
  await cleanUp(packs, 'packs', report, tag)
  await cleanUp(pools, 'tournaments', report, tag)
  for (const service of [packs, pools]) await judgeStatuses(service, report)
  return report
}

/** The player of the other key, if that is somebody else: to be put on the staff. */
const otherPlayer = async (packs: Service, pools: Service): Promise<number | null> => {
  const [one, other] = await Promise.all([packs.get('/me'), pools.get('/me')])
  for (const { request, answer } of [one, other]) {
    if (answer?.status !== 200) throw new Error(`${request.path}: ${answer?.text}`)
  }
  const gameId = one.answer!.json.user.gameId
  return gameId === other.answer!.json.user.gameId ? null : gameId
}

/** Removes everything whose name begins with the tag, whichever request has made it, and what the guide made. */
const cleanUp = async (
  service: Service,
  list: 'packs' | 'tournaments',
  report: Report,
  tag: string,
): Promise<void> => {
  // A request whose answer was lost may still be in work.
  const ms = service.lostAt + SETTLE_MS - performance.now()
  if (ms > 0) await delay(ms)
  const paths = new Set(service.made)
  for (let page = 1, pageCount = 1; page <= pageCount; page += 1) {
    const { answer } = await service.get(`/me/${list}?page=${page}`)
    const all: { slug: string; name: string }[] = answer?.json?.[list] ?? []
    for (const { slug, name } of all) if (name.startsWith(tag)) paths.add(`/${list}/${slug}`)
    pageCount = answer?.json?.pageCount ?? 0
  }
  for (const path of paths) {
    const removed = await service.ask('DELETE', path)
    const isGone = unlike(await service.get(path), 404) === null
    report.try('cleanup', isGone ? null : `${path} is still there`, removed)
  }
}
