import { once } from 'node:events'
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { StorePlace } from '../scripts/seed/open-bulk-store.ts'
import { CSRF_HEADER } from '../src/contract/endpoint.ts'
import type { WorkspaceEvent } from '../src/contract/workspace.ts'
import { newAccountId, newSlug } from '../src/domain/keys.ts'
import { makeToken, TOKEN_BYTES } from '../src/domain/sessions.ts'
import { serviceCookie } from '../src/door/cookies.ts'
import { createTournament } from '../src/operations/tournaments.ts'
import { createRound } from '../src/operations/rounds.ts'
import { hostsOf } from '../test/ports/sample-tournament.ts'
import { residentMb, stop } from './processes.ts'
import { atMost } from './report.ts'
import { openStore, type Store } from './seed.ts'
import { benchLatency, onBothEngines, startServices } from './waiting.ts'

const STREAMS_EACH = 8
/** 1,000 streams: five tournaments of 24, and one of five. */
const STAFFS = [24, 24, 24, 24, 24, 5]

export type Member = { readonly token: string; readonly csrf: string }
type Cup = { readonly slug: string; readonly round: string; readonly members: readonly Member[] }

/** How soon others see a save, and what open workspaces cost, on both engines. */
export const benchLive = (folder: string): Promise<void> => onBothEngines(folder, benchOn)

const benchOn = async (engine: string, place: StorePlace, processes: 1 | 2): Promise<void> => {
  const cups = await seedCups(place)
  const { one, services, countStatements } = await startServices(place, processes)
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })
  const first = cups[0]!
  let saves = 0

  const open = (slug: string, { token }: Member) =>
    Stream.open(agent, one.poolsPort, `/session/tournaments/${slug}/events`, token)

  /** Puts another beatmap into the slot, as the page does. */
  const save = async (port: number): Promise<void> => {
    // Each account saves 120 times a minute.
    const { token, csrf } = first.members[Math.floor(saves / 50) % first.members.length]!
    const from = saves === 0 ? 'none' : { beatmapId: saves }
    const change = { mod: 'NM', index: 1, from, to: { beatmapId: (saves += 1) } }
    const path = `/session/tournaments/${first.slug}/rounds/${first.round}/slots`
    await saveSlots(port, path, { token, csrf }, [change])
  }

  const benchSaves = async (where: string, port: number, mostSeconds: number) => {
    const stream = await open(first.slug, first.members[0]!)
    await benchLatency({
      what: `${engine}: a save to a stream ${where}`,
      mostSeconds,
      wait() {
        const before = stream.markOf(first.round)
        return () => stream.until(() => stream.markOf(first.round) !== before)
      },
      save: () => save(port),
    })
    stream.close()
  }

  const benchStreams = async (): Promise<void> => {
    const before = residentMb(one.child)
    const streams = [await open(first.slug, first.members[0]!)]
    const alone = await countStatements()
    for (const { slug, members } of cups) {
      for (const [at, member] of members.entries()) {
        const isFirst = slug === first.slug && at === 0
        const wanted = Array.from({ length: STREAMS_EACH - (isFirst ? 1 : 0) })
        streams.push(...(await Promise.all(wanted.map(() => open(slug, member)))))
      }
    }
    await pause(5_000)
    const together = await countStatements()
    const memory = residentMb(one.child) - before
    const own = streams.slice(0, first.members.length * STREAMS_EACH)
    const marks = own.map((stream) => stream.markOf(first.round))
    await save(services.at(-1)!.poolsPort)
    const begun = performance.now()
    await Promise.all(
      own.map((stream, at) => stream.until(() => stream.markOf(first.round) !== marks[at])),
    )
    const ms = performance.now() - begun
    const detail = `before ${before.toFixed(0)} MB`
    atMost(`${engine}: memory of ${streams.length} streams, MB`, memory, 100, detail)
    const few = `1 stream ${alone}, ${streams.length} streams ${together}`
    atMost(`${engine}: statements in 5 s, ${streams.length} ÷ 1`, together / alone, 3, few)
    const told = `after the save is confirmed, ${streams.length} streams open`
    atMost(`${engine}: all ${own.length} of a tournament, s`, ms / 1_000, 2, told)
    for (const stream of streams) stream.close()
  }

  try {
    await benchSaves('in the same process', one.poolsPort, 0.5)
    if (processes === 2) await benchSaves('in another process', services[1]!.poolsPort, 2)
    await benchStreams()
  } finally {
    agent.destroy()
    for (const { child } of services) await stop(child)
  }
}

/** Changes slots as the page does. */
export const saveSlots = async (
  port: number,
  path: string,
  { token, csrf }: Pick<Member, 'token' | 'csrf'>,
  changes: readonly object[],
  headers: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'PATCH',
    headers: {
      'content-type': 'application/json',
      cookie: `${serviceCookie('pools', 'session')}=${token}`,
      'sec-fetch-site': 'same-origin',
      [CSRF_HEADER]: csrf,
      ...headers,
    },
    body: JSON.stringify({ changes }),
  })
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
  await answer.text()
}

/** An open workspace, as a page reads it. */
export class Stream {
  readonly #sent: ClientRequest
  #text = ''
  #last: WorkspaceEvent | null = null
  #onEvent = (): void => {}

  private constructor(sent: ClientRequest, answer: IncomingMessage) {
    this.#sent = sent
    answer.setEncoding('utf8')
    answer.on('data', (part: string) => this.#take(part))
    answer.on('error', () => {})
  }

  /** Resolves when the first event has come. */
  static async open(
    agent: Agent,
    port: number,
    path: string,
    token: string,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Stream> {
    const headers = { cookie: `${serviceCookie('pools', 'session')}=${token}`, ...more }
    const sent = request({ agent, host: '127.0.0.1', port, path, headers }).end()
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} for a stream`)
    sent.on('error', () => {})
    const stream = new Stream(sent, answer)
    await stream.until(() => stream.#last !== null)
    return stream
  }

  get last(): WorkspaceEvent {
    return this.#last!
  }

  markOf(round: string): string | undefined {
    return this.#last?.marks.rounds[round]
  }

  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise<void>((resolve) => (this.#onEvent = resolve))
  }

  close(): void {
    this.#sent.destroy()
  }

  #take(part: string): void {
    const events = (this.#text + part).split('\n\n')
    this.#text = events.pop() ?? ''
    const data = events.findLast((event) => event.startsWith('data: '))
    if (data !== undefined) this.#last = JSON.parse(data.slice(6)) as WorkspaceEvent
    this.#onEvent()
  }
}

const seedCups = async (place: StorePlace): Promise<readonly Cup[]> => {
  const store = await openStore(place)
  try {
    const cups: Cup[] = []
    for (const size of STAFFS) cups.push(await seedCup(store, size))
    return cups
  } finally {
    await store.care.close()
  }
}

let players = 0

const seedCup = async (store: Store, size: number): Promise<Cup> => {
  const members = await Promise.all(Array.from({ length: size }, () => seedMember(store)))
  const hostId = members[0]!.accountId
  const { slug } = await createTournament(store, hostId, { name: 'Harbour Lights Cup' })
  await createRound(store, hostId, slug, { name: 'Finals' })
  const saved = await store.tournaments.change(slug, null, 20, 0, (before) => ({
    ...before,
    staff: hostsOf(members, before.createdAt),
    updatedAt: before.updatedAt + 1,
  }))
  if (saved === null || typeof saved === 'string') throw new Error(`no staff: ${saved}`)
  return { slug, round: saved.rounds[0]!.id, members }
}

export const seedMember = async ({ accounts, sessions, clock, random, hasher }: Store) => {
  const accountId = newAccountId(random)
  const gameId = (players += 1)
  await accounts.ensurePlayer({ gameId, username: newSlug(random) }, accountId, clock.now())
  const [token, csrf] = [makeToken(random.bytes(TOKEN_BYTES)), makeToken(random.bytes(TOKEN_BYTES))]
  const session = { hash: hasher.sha256(token), accountId, service: 'pools', csrf } as const
  await sessions.create({ ...session, device: null, createdAt: clock.now() }, null)
  return { token, csrf, accountId, gameId }
}
