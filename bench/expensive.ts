// `npm run expensive [-- --packs 50,5000,100000 --seconds 60 --seed 1 --only REGEXP --in FOLDER]`: looks for the requests that cost most
// CPU time for what they pay, by hill-climbing over all endpoints and paths of both services, and prints the ten most expensive.
// CPU time is that of the whole server process, threads included, as the kernel counts it; what the meter in it has
// charged is printed beside it.
import { type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent, request as send } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { atMost, readArguments, seedOf, wholeNumber } from '../scripts/arguments.ts'
import { fillStore } from '../scripts/seed/fill-store.ts'
import { SeededRandom } from '../scripts/seeded-random.ts'
import { openBulkStore } from '../scripts/seed/open-bulk-store.ts'
import { createStandin } from '../src/standin/create-standin.ts'
import { defaultClient } from '../src/standin/state.ts'
import { accountsFor, makeActor, makeThings, type Scene } from './expensive-scene.ts'
import {
  allKinds,
  type Asked,
  type RequestParameters,
  parameters,
  type Kind,
  requestOf,
} from './expensive-requests.ts'
import type { Observed } from './observed-server.ts'
import { leaveServersAlone, startService, stop } from './processes.ts'

const WANTED_MS = 3
/** Less of its CPU time charged to its address than this is work that is not measured. */
const WANTED_CHARGED = 0.7
const CONNECTIONS = 4
/** Of a core: what a process uses that has nothing to do, and a little more. */
const QUIET = 0.05
const SHOWN = 10
/** A batch of requests of a candidate goes on until it has used this much, or has so many. */
const BATCH = { ms: 12, most: 48 }
const PROOF = { ms: 150, most: 400 }

/** What a request costs on average, ms of CPU time, and is charged. */
type Cost = {
  readonly cpuMs: number
  readonly chargedMs: number
  readonly points: number
  readonly statuses: string
  readonly sample: Asked
}
type Candidate = {
  readonly kind: Kind
  readonly parameters: RequestParameters
  readonly seed: number
}
type Found = Candidate & { readonly cost: Cost; readonly msAPoint: number }

/** A running server that says what it has used. */
class Server {
  readonly #child: ChildProcess
  readonly #ports: Readonly<Record<string, number>>
  readonly #agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  /** CPU time of the idle process in a ms. */
  #idleRate = 0
  #sent = 0

  constructor(child: ChildProcess, ports: Readonly<Record<string, number>>) {
    this.#child = child
    this.#ports = ports
  }

  async observe(): Promise<Observed> {
    this.#child.send('')
    const [observed] = (await once(this.#child, 'message')) as [Observed]
    return observed
  }

  /**
   * Waits until what goes on in the background has ended, and takes what remains as what an idle process uses.
   *
   * @param turns so often in a row nothing may go on: on a busy machine, a process may look idle that only waits.
   */
  async settle(turns = 3, pauseMs = 1_500, limitMs = 300_000): Promise<void> {
    const until = performance.now() + limitMs
    for (let quiet = 0; quiet < turns && performance.now() < until;) {
      const [before, begun] = [await this.observe(), performance.now()]
      await pause(pauseMs)
      const { cpuMs } = await this.observe()
      this.#idleRate = (cpuMs - before.cpuMs) / (performance.now() - begun)
      quiet = this.#idleRate < QUIET ? quiet + 1 : 0
    }
  }

  /** The average of a batch of requests. */
  async measure(next: () => Asked, { ms, most }: typeof BATCH, isWrite: boolean): Promise<Cost> {
    const begun = performance.now()
    const before = await this.observe()
    const sample = next()
    let count = 0
    let after = before
    const statuses = new Map<number, number>()
    for (let chunk = CONNECTIONS; count < most && after.cpuMs - before.cpuMs < ms; chunk *= 2) {
      const answered = await Promise.all(
        Array.from({ length: Math.min(chunk, most - count) }, () => this.#ask(next())),
      )
      for (const status of answered) statuses.set(status, (statuses.get(status) ?? 0) + 1)
      count += answered.length
      after = await this.observe()
    }
    if (isWrite) {
      // What a save leaves to the background is part of what it costs.
      const rate = this.#idleRate
      await this.settle(2, 120, 800)
      this.#idleRate = rate
      after = await this.observe()
    }
    const idle = this.#idleRate * (performance.now() - begun)
    const points = Math.max(
      ...(['site', 'edits', 'requests', 'writes'] as const).map(
        (each) => after.points[each] - before.points[each],
      ),
    )
    return {
      cpuMs: Math.max(0, after.cpuMs - before.cpuMs - idle) / count,
      chargedMs: (after.chargedMs - before.chargedMs) / count,
      points: points / count,
      statuses: [...statuses.keys()].join(','),
      sample,
    }
  }

  #ask({ service, method, path, headers, body }: Asked): Promise<number> {
    const at = this.#sent++ & 0xff_ff
    const address = `10.7.${at >> 8}.${at & 255}`
    return new Promise((resolve, reject) => {
      const request = send(
        {
          port: this.#ports[service],
          host: '127.0.0.1',
          method,
          path,
          headers: { ...headers, 'x-forwarded-for': address },
          agent: this.#agent,
        },
        (response) => {
          response.resume()
          response.once('end', () => resolve(response.statusCode ?? 0))
        },
      )
      request.once('error', reject)
      request.end(body)
    })
  }

  async stop(): Promise<void> {
    this.#agent.destroy()
    await stop(this.#child)
  }
}

/** A candidate's requests: the same one each time, or each time another of its kind. */
function requestsOf({ kind, parameters: all, seed }: Candidate, scene: Scene): () => Asked {
  const random = new SeededRandom(seed)
  return () => requestOf(kind, all, all['isFresh'] === 1 ? new SeededRandom(seed) : random, scene)
}

async function climb(
  server: Server,
  scene: Scene,
  seconds: number,
  seed: number,
): Promise<Found[]> {
  const random = new SeededRandom(seed)
  const only = new RegExp(wish.only)
  const kinds = allKinds().filter(({ name }) => only.test(name))
  const best = new Map<string, Found>()
  let tried = 0
  const attempt = async (candidate: Candidate): Promise<void> => {
    tried += 1
    const found = await judge(server, candidate, scene, BATCH)
    const before = best.get(candidate.kind.name)
    if (before === undefined || found.msAPoint > before.msAPoint)
      best.set(candidate.kind.name, found)
  }
  const anyParameters = (): RequestParameters =>
    Object.fromEntries(
      Object.entries(parameters).map(([name, count]) => [name, random.below(count)]),
    )
  for (const kind of kinds) await attempt({ kind, parameters: {}, seed: random.below(1e9) })
  const until = performance.now() + seconds * 1000
  while (performance.now() < until) {
    const ranked = rank([...best.values()])
    const [one] =
      random.below(10) < 7
        ? ranked.slice(random.below(SHOWN))
        : ranked.slice(random.below(ranked.length))
    if (one === undefined) continue
    const changed = random.below(4) === 0 ? anyParameters() : mutate(one.parameters, random)
    await attempt({ kind: one.kind, parameters: changed, seed: random.below(1e9) })
  }
  process.stdout.write(`${tried} tried, of ${kinds.length} kinds\n`)
  // A batch that happened to be expensive is no finding: the best are measured again, at length.
  const proven: Found[] = []
  for (const each of rank([...best.values()]).slice(0, 2 * SHOWN)) {
    const again = []
    for (let time = 0; time < 3; time += 1) again.push(await judge(server, each, scene, PROOF))
    proven.push(rank(again)[1]!)
  }
  const unmeasured = [...best.values()].filter(
    ({ kind, cost }) =>
      kind.actor !== 'key' && cost.cpuMs > 1 && cost.chargedMs / cost.cpuMs < WANTED_CHARGED,
  )
  for (const each of unmeasured.filter((one) => !proven.some(({ kind }) => kind === one.kind))) {
    proven.push(await judge(server, each, scene, PROOF))
  }
  return rank(proven)
}

async function judge(
  server: Server,
  candidate: Candidate,
  scene: Scene,
  size: typeof BATCH,
): Promise<Found> {
  const next = requestsOf(candidate, scene)
  const cost = await server.measure(next, size, candidate.kind.isWrite)
  // What costs no points is counted as one.
  return { ...candidate, cost, msAPoint: cost.cpuMs / Math.max(1, cost.points) }
}

const rank = (found: readonly Found[]): Found[] => found.toSorted((a, b) => b.msAPoint - a.msAPoint)

function mutate(all: RequestParameters, random: SeededRandom): RequestParameters {
  const names = Object.keys(parameters)
  const changed = { ...all }
  for (let count = 1 + random.below(2); count > 0; count -= 1) {
    const name = names[random.below(names.length)]!
    changed[name] = random.below(parameters[name]!)
  }
  return changed
}

function print(packs: number, found: readonly Found[]): void {
  process.stdout.write(`\n${packs} packs: CPU ms, points, ms a point, charged, request\n`)
  for (const [at, { kind, cost, msAPoint }] of found.entries()) {
    const { cpuMs, chargedMs, points, statuses, sample } = cost
    const share = kind.actor === 'key' ? 'key' : (chargedMs / cpuMs).toFixed(2)
    const isHole = share !== 'key' && cpuMs > 1 && Number(share) < WANTED_CHARGED
    if (at >= SHOWN && !isHole) continue
    const mark = msAPoint > WANTED_MS ? 'MISS' : isHole ? 'HOLE' : 'ok  '
    const numbers = [cpuMs.toFixed(2), points.toFixed(1), msAPoint.toFixed(2), share]
    const body = sample.body === undefined ? '' : ` ${sample.body.slice(0, 60)}`
    const what = `${sample.method} ${sample.path.slice(0, 120)}${body}`
    const cells = numbers.map((each) => each.padStart(7)).join(' ')
    process.stdout.write(`${mark} ${cells}  ${kind.name} (${statuses}): ${what}\n`)
  }
}

async function run(packs: number, folder: string, seconds: number, seed: number): Promise<void> {
  const seeded = join(folder, 'seeded')
  mkdirSync(seeded, { recursive: true })
  const bulk = await openBulkStore({ dataDir: seeded, databaseUrl: null })
  await fillStore(bulk, { packs, accounts: accountsFor(packs) }, Date.now())
  await bulk.close()
  const used = join(folder, 'used')
  rmSync(used, { recursive: true, force: true })
  cpSync(seeded, used, { recursive: true })
  const headers = await makeActor(used)
  const standin = createStandin({ clock: Date.now, client: defaultClient, perMinute: null })
  const url = await standin.listen({ host: '127.0.0.1', port: 0 })
  const settings = {
    TRUSTED_PROXIES: '127.0.0.1',
    PLATFORM_URL: url,
    PLATFORM_CLIENT_ID: defaultClient.id,
    PLATFORM_CLIENT_SECRET: defaultClient.secret,
  }
  const program = 'bench/observed-server.ts'
  const { child, port, poolsPort } = await startService(
    used,
    undefined,
    settings,
    undefined,
    program,
  )
  const ports = { packs: port, pools: poolsPort }
  const server = new Server(child, ports)
  try {
    await server.settle()
    const scene = await makeThings(ports, headers, packs)
    await server.settle()
    print(packs, await climb(server, scene, seconds, seed))
  } finally {
    await server.stop()
    await standin.close()
  }
}

leaveServersAlone()
const wish = readArguments(
  'npm run expensive -- [--packs 50,5000,100000] [--seconds 60] [--seed 1] [--only REGEXP] [--in FOLDER]',
  {
    packs: { type: 'string', default: '50,5000,100000' },
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    in: { type: 'string' },
  },
  ({ values, positionals }) => {
    atMost(0, positionals)
    return {
      packs: values.packs.split(',').map((text) => wholeNumber('--packs', text)),
      seconds: wholeNumber('--seconds', values.seconds),
      seed: seedOf('--seed', values.seed),
      only: values.only,
      folder: values.in,
    }
  },
)
const folder = wish.folder ?? mkdtempSync(join(tmpdir(), 'mapcrate-expensive-'))
try {
  for (const packs of wish.packs) {
    await run(packs, join(folder, String(packs)), wish.seconds, wish.seed)
  }
} finally {
  if (wish.folder === undefined) rmSync(folder, { recursive: true, force: true })
}
