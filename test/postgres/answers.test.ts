import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { countFrom } from '../../scripts/arguments.ts'
import { SeededRandom } from '../../scripts/seeded-random.ts'
import { openSqliteStores } from '../../src/adapters/storage/sqlite/open.ts'
import { type Endpoint, isWrite } from '../../src/contract/endpoint.ts'
import { endpointsOf, type ServiceName, serviceNames } from '../../src/contract/services.ts'
import { DAY_MS } from '../../src/contract/quotas.ts'
import type { Random } from '../../src/ports/system.ts'
import { anyOf, type Schema } from '../support/any-of-schema.ts'
import type { Reply } from '../support/door.ts'
import { type Host, openHouse } from '../support/house.ts'
import { takeDatabase } from '../support/postgres-databases.ts'
import { ScriptedPlatform } from '../support/scripted-platform.ts'
import { putNewStore } from '../support/sqlite-template.ts'
import { onPostgres, onSqlite } from '../support/test-stores.ts'
import { takeOver } from '../support/usage-scene.ts'

const REQUESTS = 2_500
const SEED = countFrom('ANSWERS_SEED', 1)
/** Of each endpoint that takes one. */
const BODIES = 60

/** Draws the same in every house: so ids, keys and tags are the same. */
const sameRandom = (): Random => {
  let count = 0
  return {
    bytes(length) {
      count += 1
      return createHash('sha512').update(String(count)).digest().subarray(0, length)
    },
  }
}

const openOn = async (url: string | null) => {
  const house = await openHouse({
    async open(file) {
      if (url !== null) return onPostgres(url, { timeoutMs: 15_000 })
      await putNewStore(file)
      return onSqlite(file, await openSqliteStores(file))
    },
    withPorts: (ports) =>
      Object.assign(ports, { random: sameRandom(), platform: new ScriptedPlatform(ports) }),
  })
  const hosts: Record<ServiceName, Host[]> = { packs: [], pools: [] }
  for (const service of serviceNames) {
    for (const [gameId, name] of [[7, 'Ada'] as const, [8, 'Cäs'] as const, [9, 'ada'] as const]) {
      hosts[service].push(await house.hostOf(gameId, name, service))
    }
  }
  return { ...house, hosts }
}

/** What may become of a body that its schema allows. */
const damages: readonly ((text: string, at: number) => string | Uint8Array)[] = [
  (text, at) => text.slice(0, at),
  (text, at) => `${text.slice(0, at)}"${text.slice(at)}`,
  (text) => text.replaceAll(/\d+/g, '9007199254740993'),
  (text) => text.replaceAll(/\d+/g, '1e400'),
  (text) => text.replace(/"name":"[^"]*"/, String.raw`"name":"\ud800"`),
  (text) => text.replace(/"name":"[^"]*"/, '"name":" İ\u0301ﬀ🏆 "'),
  (text) => text.replace(/"name":"[^"]*"/, '"name":"Cup","name":"Round"'),
  (text) => text.replace('{', `{"nmae":1,"deep":${'['.repeat(2_000)}${']'.repeat(2_000)},`),
  (text) => text.replace('{', '{"__proto__":{"name":"x"},"constructor":1,'),
  (text) => text.padEnd(16_384),
  (text) => text.padEnd(16_385),
  (text) => Buffer.from(text.replace('{', '{"\u00ff":1,'), 'latin1'),
]

const oddParts = ['AAAAAAAAAA', 'short', '0', '01', '2147483648', '%00', 'a%2Fb', '%F0%9F%8F%86']
const oddQueries = [
  'page=0',
  'page=1&page=2',
  'page=2',
  'page=999999',
  'x=1',
  'as=public',
  'after=x',
]
const searches = ['search=c%C3%A4s', 'search=CUP', 'search=%25', 'year=2026', 'rank=1', 'ids=75,76']

const endpoints = serviceNames.flatMap((service) =>
  Object.values<Endpoint>(endpointsOf[service]).map((endpoint) => ({ service, endpoint })),
)

test('whatever both services are asked, they answer on PostgreSQL as on SQLite', async () => {
  const database = await takeDatabase()
  const houses = [await openOn(null), await openOn(database.url)]
  onTestFinished(async () => {
    for (const house of houses) await house.close()
    await database.giveBack()
  })
  const draw = new SeededRandom(SEED)
  const isDrawn = (percent: number): boolean => draw.below(100) < percent
  const bodies = new Map(
    endpoints.flatMap(({ endpoint: { body } }) =>
      body === undefined ? [] : [[body, fc.sample(anyOf(body), { numRuns: BODIES, seed: SEED })]],
    ),
  )
  /** What can be asked for, by its name in paths, and tags, by path. */
  const known = new Map<string, string[]>()
  /** Cursors of each house, those of one place at the same index. */
  const cursors = houses.map((): string[] => [])
  const statuses = new Set<number>()

  const recall = (name: string): string => {
    const all = known.get(name)?.slice(-8) ?? []
    return all.length === 0 || isDrawn(5) ? draw.oneOf(oddParts) : draw.oneOf(all)
  }
  const learn = (name: string, value: unknown): void => {
    if (typeof value === 'string') known.set(name, [...(known.get(name) ?? []), value])
  }
  /** Of what is in something else, which is asked for by the path. */
  const learnFrom = (service: ServiceName, path: string, { json, headers }: Reply): void => {
    const [, , slug, , round] = path.split('/')
    learn(path, headers.get('etag') ?? undefined)
    learn(`slug in ${service}`, json?.pack?.slug ?? json?.tournament?.slug)
    for (const { id } of json?.tournament?.rounds ?? json?.rounds ?? [])
      learn(`round in ${slug}`, id)
    learn(`round in ${slug}`, json?.round?.id)
    for (const { id } of json?.candidates ?? json?.remarks ?? []) learn(`id in ${round}`, id)
    learn(`id in ${round}`, json?.candidate?.id ?? json?.remark?.id)
  }
  const bodyOf = ({ body }: Endpoint): string | Uint8Array | undefined => {
    if (body === undefined) return undefined
    const { examples = [], required = [] } = body as Schema & { readonly required?: string[] }
    const whole = draw.oneOf(isDrawn(60) && examples.length > 0 ? examples : bodies.get(body)!)
    const fields = Object.entries(whole as object).filter(
      ([name]) => required.includes(name) || isDrawn(name === 'slots' ? 90 : 40),
    )
    const text = JSON.stringify(Object.fromEntries(fields))
    return isDrawn(25) ? draw.oneOf(damages)(text, draw.below(text.length)) : text
  }
  const headersOf = ({ method }: Endpoint, path: string): Record<string, string> => ({
    'accept-encoding': draw.oneOf(['gzip', 'br', 'identity', '*;q=0']),
    ...(isDrawn(3) && { 'content-type': 'text/plain' }),
    ...(method === 'GET' && isDrawn(20) && { 'if-none-match': recall(path) }),
    ...(method === 'POST' && isDrawn(20) && { 'idempotency-key': draw.oneOf(['a', 'b', 'é']) }),
    ...(isWrite(method) && isDrawn(50) && { 'if-match': isDrawn(20) ? '*' : recall(path) }),
  })
  /** What is of one house alone has another name. */
  const sameIn = ({ status, headers, text }: Reply) => {
    const isOfFeed = text.includes('"cursor":') || status === 410
    const own = ['date', 'x-request-id', ...(isOfFeed ? ['etag', 'content-length'] : [])]
    const kept = Array.from(headers).filter(([name]) => !own.includes(name))
    return { status, headers: kept, text: text.replaceAll(/(?<=["=])[\w-]{22}\b/g, 'cursor') }
  }

  for (let count = 0; count < REQUESTS; count += 1) {
    const { service, endpoint } = draw.oneOf(endpoints)
    // Else most would be about what is no more, or holds nothing yet.
    const isOfWhole = endpoint.method === 'DELETE' || endpoint.path === '/tournaments'
    if (isOfWhole && isDrawn(60)) continue
    let outer: string = service
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      if (name === 'gameId') return String(7 + draw.below(4))
      if (name === 'version') return String(1 + draw.below(4))
      if (endpoint.path.startsWith('/beatmaps')) return String(75 + draw.below(3))
      return (outer = recall(`${name} in ${outer}`))
    })
    const query = isDrawn(30) ? draw.oneOf([...oddQueries, ...searches]) : ''
    const at = draw.below(10)
    const after = (own: string[]): string => `after=${own.at(-1 - at) ?? ''}`
    const body = bodyOf(endpoint)
    const headers = headersOf(endpoint, path.replace(/\/(?:slots|release|vote)$/, ''))
    const method = isDrawn(2) ? draw.oneOf(['HEAD', 'OPTIONS', 'PUT']) : endpoint.method
    const who = draw.below(isDrawn(80) ? 1 : 3)
    const asked = { method, path, query, headers, body: body?.toString().slice(0, 2_000) }
    const replies = await Promise.all(
      houses.map(({ hosts }, house) => {
        const own = path === '/changes' ? after(cursors[house]!) : query
        return hosts[service][who]!.ask(method, `${path}?${own}`, {
          headers,
          ...(body !== undefined && { body }),
        })
      }),
    )
    const [expected, found] = replies.map(sameIn)
    expect(found, JSON.stringify(asked)).toEqual(expected)
    expect(replies[0]!.status, JSON.stringify(asked)).toBeLessThan(500)

    statuses.add(replies[0]!.status)
    learnFrom(service, path, replies[0]!)
    for (const [house, { json }] of replies.entries()) {
      if (json?.cursor !== undefined) cursors[house]!.push(json.cursor)
    }
    const ms = isDrawn(3) ? 60_000 : count % 300 === 299 ? 31 * DAY_MS : draw.oneOf([0, 1, 900])
    for (const { clock, ports } of houses) {
      clock.advance(ms)
      if (count % 40 === 0) await takeOver(ports)
    }
  }
  // What the draws are to reach.
  for (const status of [200, 201, 204, 304, 400, 404, 405, 409, 412, 413, 415, 428, 429]) {
    expect(statuses).toContain(status)
  }
})
