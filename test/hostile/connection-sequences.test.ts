import { readFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { countFrom } from '../../scripts/arguments.ts'
import { SeededRandom } from '../../scripts/seeded-random.ts'
import { createServiceApp } from '../../src/door/service-app.ts'
import { makeCertificate } from '../support/certificate.ts'
import { openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { testSettings } from '../support/settings.ts'
import { until } from '../support/until.ts'
import { type Fault, judge, type Seen } from './connection-judge.ts'
import { goodbye, makeRequest, type Scene, type Things } from './connection-model.ts'

/** `npm run connections` tries more. */
const SEQUENCES = countFrom('CONNECTION_SEQUENCES', 2000)
/** Of the first sequence; each has the next number. */
const FIRST = countFrom('CONNECTION_SEED', 1)
const PROGRESS_EACH = 5000
/** Then it is known that something is wrong. */
const MOST_FAULTS = 10
/** An account has room for 20 tournaments. */
const ROOM = 10
/** After that a connection stands: the server's own limits have ended it before. */
const STANDING_MS = 60_000

/** What one client does; positions count bytes. */
type Sequence = {
  readonly seeds: readonly number[]
  /** Where what is sent is cut, and for how many turns of the event loop the client then waits. */
  readonly cuts: readonly { readonly at: number; readonly turns: number }[]
  readonly end: { readonly how: 'half' | 'reset'; readonly at: number } | null
  readonly drainAt: number | null
}

const house = await openHouse()
const { certFile, keyFile } = await makeCertificate(house.folder, 'server')
const tls = { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') }
const lanes = await Promise.all(
  (['packs', 'pools'] as const).flatMap((service) =>
    [false, true, false, true].map((isTls) => openLane(service, isTls)),
  ),
)
afterAll(async () => {
  await Promise.all(lanes.map(({ app }) => app.close()))
  await house.close()
})

type Lane = {
  readonly app: FastifyInstance
  readonly run: (sequence: Sequence, name: string) => Promise<Fault | null>
  readonly service: Scene['service']
  readonly about: string
  /** How many requests were sent. */
  readonly count: () => number
}

/** One server with clients that come one after the other: what is true of the store is their doing alone. */
async function openLane(service: 'packs' | 'pools', isTls: boolean): Promise<Lane> {
  let shutdown = new AbortController()
  const lifecycle = {
    get draining() {
      return shutdown.signal
    },
  }
  const settings = testSettings(service)
  const app = createServiceApp({
    service,
    ports: house.ports,
    settings,
    lifecycle,
    ...(isTls && { tls }),
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const host = await house.host(service)
  const { id } = (await house.ports.accounts.findByGameId(host.gameId))!
  let requestCount = 0

  const read = async (): Promise<Map<string, string>> => {
    const found =
      service === 'packs'
        ? (await house.ports.packs.listOwned(id, 1, 200)).rows
        : (await house.ports.tournaments.listOfMember(id, 1, 50)).rows
    return new Map(found.map(({ slug, name }) => [slug, name]))
  }

  let kept = ''
  let doomed = ''

  const create = async (name: string): Promise<string> => {
    const reply =
      service === 'packs'
        ? await host.post(aPack({ name }))
        : await host.ask('POST', '/tournaments', { body: { name, shortName: 'CUP' } })
    if (reply.status !== 201) throw new Error(`${reply.status} ${reply.text}`)
    return (reply.json.pack ?? reply.json.tournament).slug
  }

  /** Both of the things that are asked for, and room for new ones. */
  const prepare = async (): Promise<Scene & { readonly before: Things }> => {
    house.clock.nextMinute()
    let before = await read()
    if (before.size > ROOM || !before.has(kept) || !before.has(doomed)) {
      for (const slug of before.size > ROOM ? before.keys() : []) {
        if (slug === kept || slug === doomed) continue
        house.clock.nextMinute()
        await host.ask('DELETE', `/${service === 'packs' ? 'packs' : 'tournaments'}/${slug}`)
      }
      house.clock.nextMinute()
      if (!before.has(kept)) kept = await create('kept')
      if (!before.has(doomed)) doomed = await create('doomed')
      before = await read()
      house.clock.nextMinute()
    }
    return { service, key: host.key, kept, doomed, before }
  }

  const run = async (sequence: Sequence, name: string): Promise<Fault | null> => {
    const { before, ...scene } = await prepare()
    const { seeds, cuts, end, drainAt } = sequence
    const requests = seeds.map((seed, index) => makeRequest(scene, seed, `${name}-${index}`))
    if (end === null) requests.push(goodbye)
    requestCount += requests.length
    const bytes = Buffer.concat(requests.map((request) => request.bytes))
    const limit = Math.min(end?.at ?? bytes.length, bytes.length)
    const stops = new Map(cuts.filter(({ at }) => at < limit).map(({ at, turns }) => [at, turns]))
    if (drainAt !== null && drainAt < limit) stops.set(drainAt, stops.get(drainAt) ?? 0)

    const place = { port, host: '127.0.0.1', allowHalfOpen: true }
    const socket = isTls ? connectTls({ ...place, rejectUnauthorized: false }) : connect(place)
    const chunks: Buffer[] = []
    let isClosed = false
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('end', () => socket.end())
    socket.on('error', () => socket.destroy())
    const closed = new Promise<void>((resolve) => {
      const guard = setTimeout(resolve, STANDING_MS)
      socket.once('close', () => {
        isClosed = true
        clearTimeout(guard)
        resolve()
      })
    })
    await new Promise((resolve) => socket.once(isTls ? 'secureConnect' : 'connect', resolve))
    let drained: Seen['drained'] = null
    let sent = 0
    const size = (): number => chunks.reduce((sum, { length }) => sum + length, 0)
    for (const at of [...[...stops.keys()].toSorted((a, b) => a - b), limit]) {
      if (at > sent && socket.writable) socket.write(bytes.subarray(sent, at))
      sent = Math.max(sent, at)
      for (let turn = stops.get(at) ?? 0; turn > 0; turn--) await nextTurn()
      if (at === drainAt && at < limit) {
        drained = { sent: at, received: size() }
        shutdown.abort()
      }
    }
    if (end?.how === 'half') socket.end()
    if (end?.how === 'reset') {
      if (isTls) socket.destroy()
      else socket.resetAndDestroy()
    }
    await closed
    socket.destroy()
    const connections = () =>
      new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)))
    let isGone = true
    for (let turn = 0; turn < 500 && (await connections()) > 0; turn++) await nextTurn()
    await until(async () => (await connections()) === 0).catch(() => (isGone = false))
    // What a client that went has asked for is finished without it: nothing of that waits for a clock or a disk.
    const turns = end?.how === 'reset' ? 100 : 0
    for (let turn = 0; turn < turns; turn++) await nextTurn()
    if (drained !== null) shutdown = new AbortController()
    return judge(requests, {
      sent,
      drained,
      before,
      ended: end?.how ?? null,
      isClosed: isClosed && isGone,
      received: Buffer.concat(chunks),
      after: await read(),
    })
  }
  return {
    service,
    app,
    run,
    about: `${service}${isTls ? ' with TLS' : ''}`,
    count: () => requestCount,
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function makeSequence(random: SeededRandom): Sequence {
  const seeds = Array.from({ length: 1 + random.below(7) }, () => random.below(1 << 30))
  // Some requests are longer than any of the server's bounds.
  const reach = 1 + random.below(random.below(3) === 0 ? 45_000 : 400 * seeds.length)
  const cuts = Array.from({ length: random.below(8) }, () => ({
    at: random.below(reach),
    turns: random.below(4),
  }))
  const how = (['half', 'reset', null, null, null, null] as const)[random.below(6)] ?? null
  const end = how && { how, at: random.below(500 * seeds.length) }
  return { seeds, cuts, end, drainAt: random.below(6) === 0 ? random.below(reach) : null }
}

/** Leaves out what the fault needs not. */
async function shrink(lane: Lane, sequence: Sequence, name: string): Promise<Sequence> {
  const without = <T>(list: readonly T[], index: number): T[] => list.toSpliced(index, 1)
  const smaller: readonly Sequence[] = [
    ...(sequence.cuts.length > 0 ? [{ ...sequence, cuts: [] }] : []),
    ...(sequence.drainAt === null ? [] : [{ ...sequence, drainAt: null }]),
    ...(sequence.end === null ? [] : [{ ...sequence, end: null }]),
    ...sequence.seeds.map((_, index) => ({ ...sequence, seeds: without(sequence.seeds, index) })),
    ...sequence.cuts.map((_, index) => ({ ...sequence, cuts: without(sequence.cuts, index) })),
  ]
  for (const [index, candidate] of smaller.entries()) {
    if (candidate.seeds.length === 0) continue
    for (let turn = 0; turn < 3; turn++) {
      const next = `${name}.${index}.${turn}`
      if ((await lane.run(candidate, next)) !== null) return shrink(lane, candidate, next)
    }
  }
  return sequence
}

const textOf = (service: Scene['service'], { seeds, ...rest }: Sequence): string => {
  const scene = { service, key: 'KEY', kept: 'KEPT', doomed: 'DOOMED' }
  const texts = seeds.map((seed) => makeRequest(scene, seed, 'NAME').bytes.toString('latin1'))
  return [...texts.map((text) => JSON.stringify(text.slice(0, 600))), JSON.stringify(rest)].join(
    '\n',
  )
}

test(`RFC 9112: ${SEQUENCES} random sequences of requests are answered in their order, each once, and none after a close`, async () => {
  const found: string[] = []
  let done = 0
  const work = async (lane: Lane, index: number): Promise<void> => {
    for (let seed = FIRST; seed < FIRST + SEQUENCES; seed++) {
      if ((seed - 1) % lanes.length !== index) continue
      const sequence = makeSequence(new SeededRandom(seed))
      const fault = await lane.run(sequence, `s${seed}`)
      done += 1
      if (done % PROGRESS_EACH === 0 && done < SEQUENCES) {
        process.stderr.write(`${done} sequences, ${found.length} faults\n`)
      }
      if (fault === null || found.length >= MOST_FAULTS) continue
      const least = await shrink(lane, sequence, `s${seed}`)
      const { service, about } = lane
      const told = `${fault.verdict}, ${about}, seed ${seed}: ${fault.what}\n${textOf(service, least)}`
      process.stderr.write(`${told}\n`)
      found.push(told)
    }
  }
  await Promise.all(lanes.map(work))
  const requests = lanes.reduce((sum, lane) => sum + lane.count(), 0)
  process.stderr.write(`${done} sequences, ${requests} requests, ${found.length} faults\n`)
  expect(found.join('\n\n')).toBe('')
}, 3_600_000)
