import { freeWork } from './free-work.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { systemCompressor, systemHasher, systemRandom } from '../../src/adapters/system.ts'
import type { PackInput } from '../../src/contract/packs.ts'
import type { ServiceName } from '../../src/contract/services.ts'
import type { DoorPorts, Settings } from '../../src/door/context.ts'
import { type Answered, createServiceApp } from '../../src/door/service-app.ts'
import { issueKey } from '../../src/operations/keys.ts'
import { OperatorWatch } from '../../src/operations/operator.ts'
import { type Ask, Door, type Reply } from './door.ts'
import { HandClock } from './hand-clock.ts'
import { noPlatform, testSettings } from './settings.ts'
import { openTestStores, type TestStores } from './test-stores.ts'

/** A player with a key, asking one service. */
export class Host {
  readonly door: Door
  readonly gameId: number
  readonly username: string
  key: string

  constructor(door: Door, gameId: number, username: string, key: string) {
    this.door = door
    this.gameId = gameId
    this.username = username
    this.key = key
  }

  ask(method: string, path: string, ask: Ask = {}): Promise<Reply> {
    return this.door.ask(method, path, { key: this.key, ...ask })
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Reply> {
    return this.ask('GET', path, { headers })
  }

  post(body: unknown): Promise<Reply> {
    return this.ask('POST', '/packs', { body })
  }

  put(slug: string, body: unknown): Promise<Reply> {
    return this.ask('PUT', `/packs/${slug}`, { body })
  }

  delete(slug: string): Promise<Reply> {
    return this.ask('DELETE', `/packs/${slug}`)
  }

  /** Saves a pack and gives its slug. */
  async save(body: PackInput): Promise<string> {
    const reply = await this.post(body)
    if (reply.status !== 201) throw new Error(`${reply.status} ${reply.text}`)
    return reply.json.pack.slug
  }
}

export type HouseOptions = {
  /** Opens the store, to have a hand on what is beneath it for example. */
  readonly open?: (file: string) => Promise<TestStores>
  /** Left out: one of its own. */
  readonly clock?: HandClock
  readonly settings?: Partial<Settings>
  /** Puts something between the services and their ports, to make them fail for example. */
  readonly withPorts?: (ports: DoorPorts) => DoorPorts
  readonly onAnswer?: (answered: Answered) => void
  /** What both services log, line by line; left out: they log nothing. */
  readonly onLog?: (line: string) => void
}

/** The whole house in one process: both services on real HTTP, a real store, a hand-set clock. */
export const openHouse = async ({
  settings,
  withPorts = (ports) => ports,
  open = openTestStores,
  clock = new HandClock(),
  onAnswer,
  onLog,
}: HouseOptions = {}) => {
  const folder = await mkdtemp(join(tmpdir(), 'mapcrate-'))
  const opened = await open(join(folder, 'mapcrate.db'))
  const { stores, quotas } = opened
  const ports = {
    ...stores,
    quotas,
    clock,
    random: systemRandom,
    hasher: systemHasher,
    compressor: systemCompressor,
    work: freeWork,
    platform: noPlatform,
  }
  const operator = new OperatorWatch(stores.operatorState)
  const shutdown = new AbortController()
  const apps: Record<ServiceName, FastifyInstance> = {
    packs: serviceApp('packs'),
    pools: serviceApp('pools'),
  }
  const doors = { packs: await listen('packs'), pools: await listen('pools') }
  let players = 0

  async function listen(service: ServiceName): Promise<Door> {
    const app = apps[service]
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    return new Door(`http://127.0.0.1:${port}`, service)
  }

  function serviceApp(service: ServiceName): FastifyInstance {
    return createServiceApp({
      service,
      lifecycle: { draining: shutdown.signal },
      operator,
      onAnswer,
      ...(onLog && { logger: { stream: { write: onLog } } }),
      ports: withPorts(ports),
      settings: { ...testSettings(service), ...settings },
    })
  }

  /** A new player with a key for the service. */
  const host = async (service: ServiceName = 'packs'): Promise<Host> => {
    players += 1
    return hostOf(1000 + players, `player ${players}`, service)
  }

  /** A player with a new key for the service: the key they had stops working. */
  const hostOf = async (
    gameId: number,
    username: string,
    service: ServiceName = 'packs',
  ): Promise<Host> => {
    const key = await issueKey(ports, { service, keyPrefix: service, gameId, username })
    return new Host(doors[service], gameId, username, key)
  }

  /** What the first signal does to both services. */
  const drain = (): void => shutdown.abort()

  const close = async (): Promise<void> => {
    drain()
    await Promise.all([apps.packs.close(), apps.pools.close()])
    await opened.close()
    await rm(folder, { recursive: true, force: true })
  }

  const { again, alter } = opened
  return { clock, ports, operator, doors, apps, folder, host, hostOf, again, alter, drain, close }
}

export type House = Awaited<ReturnType<typeof openHouse>>
