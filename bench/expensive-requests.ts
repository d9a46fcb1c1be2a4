import type { TSchema } from 'typebox'
import type { SeededRandom } from '../scripts/seeded-random.ts'
import { MAX_BEATMAP_ID } from '../src/contract/bounds.ts'
import { API_PREFIX, type Endpoint, isOfBeatmap, isWrite } from '../src/contract/endpoint.ts'
import { endpointsOf, type ServiceName, serviceNames } from '../src/contract/services.ts'
import { sessionEndpointsOf } from '../src/contract/session-api.ts'
import { type Actor, type Scene, seededSlug } from './expensive-scene.ts'

/** What the hill-climbing changes, by name; each has its own meaning for each kind of request. */
export type RequestParameters = Record<string, number>

/** A request as it is sent. */
export type Asked = {
  readonly service: ServiceName
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** A kind of request: an endpoint and who asks, or a path of a site. */
export type Kind = {
  readonly name: string
  readonly service: ServiceName
  readonly actor: Actor
  /** Another process may keep on working after it. */
  readonly isWrite: boolean
  readonly make: (
    parameters: RequestParameters,
    random: SeededRandom,
    scene: Scene,
  ) => Omit<Asked, 'service' | 'headers'>
}

/** Parameters that all kinds have: how many values each has. */
const commonParameters = { coding: 4, isFresh: 2, condition: 5, target: 5, page: 6, isHead: 4 }
const wordParameters = { words: 12, wordKind: 12, filters: 8, order: 3, open: 2 }
const bodyParameters = { size: 4, ids: 3, option: 4 }
export const parameters: Readonly<Record<string, number>> = {
  ...commonParameters,
  ...wordParameters,
  ...bodyParameters,
}

const codings = ['', 'gzip', 'br', 'br;q=0.1, gzip;q=0.9, *;q=0.2, identity;q=0']
const conditions: readonly Readonly<Record<string, string>>[] = [
  {},
  { 'if-none-match': '"nothing"' },
  { 'if-none-match': Array.from({ length: 200 }, (_, at) => `"${at}"`).join(', ') },
  { range: 'bytes=0-0,1-1,2-2,-1' },
  { 'idempotency-key': 'the-same' },
]

/** The whole request of a kind. */
export function requestOf(
  kind: Kind,
  all: RequestParameters,
  random: SeededRandom,
  scene: Scene,
): Asked {
  const { service, actor } = kind
  const made = kind.make(all, random, scene)
  const coding = codings[all['coding'] ?? 0]
  const isHead = made.method === 'GET' && all['isHead'] === 3
  const isOfSite = !made.path.startsWith('/api') && !made.path.startsWith('/session')
  const isOwn = actor === 'nobody' && made.method === 'POST'
  return {
    service,
    ...made,
    method: isHead ? 'HEAD' : made.method,
    headers: {
      accept: isOfSite ? 'text/html,*/*;q=0.8' : 'application/json',
      ...scene.headers[service][actor],
      ...(coding !== '' && { 'accept-encoding': coding }),
      ...conditions[all['condition'] ?? 0],
      ...(made.body !== undefined && { 'content-type': 'application/json' }),
      ...(isOwn && { 'sec-fetch-site': 'same-origin' }),
      ...(isWrite(made.method) && { 'if-match': '*' }),
    },
  }
}

/** Would end what the others need: the session, the key, the account, what they ask for. */
const ending = /signOut|endSession|endOther|makeKey|revokeKey|deleteAccount|followWorkspace/

/** Every kind there is: of both services, each endpoint with and without a key or session, each path. */
export function allKinds(): Kind[] {
  const ofEndpoint = (service: ServiceName, [id, endpoint]: readonly [string, Endpoint]): Kind[] =>
    actorsOf(endpoint).map((actor) => ({
      name: `${service} ${id} as ${actor}`,
      service,
      actor,
      isWrite: isWrite(endpoint.method) && actor !== 'nobody' && !id.startsWith('look'),
      make: (all, random, scene) => callOf(endpoint, service, all, random, scene),
    }))
  const ofPath = (service: ServiceName, path: string): Kind[] =>
    (['nobody', 'session'] as const).map((actor) => ({
      name: `${service} ${path} as ${actor}`,
      service,
      actor,
      isWrite: false,
      make: (all, random, scene) => ({ method: 'GET', path: pathOf(path, all, random, scene) }),
    }))
  return serviceNames.flatMap((service) => [
    ...[endpointsOf[service], sessionEndpointsOf[service]]
      .flatMap((table) => Object.entries(table))
      .filter(([id]) => !ending.test(id))
      .flatMap((entry) => ofEndpoint(service, entry)),
    ...[...onBoth, ...sitePaths[service]].flatMap((path) => ofPath(service, path)),
  ])
}

const actorsOf = ({ auth }: Endpoint): readonly Actor[] =>
  auth === 'key' ? ['key', 'nobody'] : auth === 'session' ? ['session', 'nobody'] : ['nobody']

const onBoth = [
  '/',
  '/docs/api',
  '/docs/reference',
  '/docs/openapi/packs.json',
  '/account',
  '/nothing/{word}',
  '/assets/{word}',
  '/session/{word}',
  '/favicon.ico',
  '/icon-512.png',
  '/preview.png',
  '/robots.txt',
  '/llms.txt',
  '/sitemap.xml',
  '/sitemap-{n}.xml',
  '/healthz',
  '/readyz',
  '/api/v1/{word}',
  '/sign-in',
  '/sign-in?return={word}',
  '/sign-in/callback?code={word}&state={word}',
]
const sitePaths: Readonly<Record<ServiceName, readonly string[]>> = {
  packs: [
    '/?q={q}',
    '/packs',
    '/packs?{search}',
    '/packs/index.json',
    '/packs.atom',
    '/p/{slug}',
    '/p/{slug}/edit',
    '/p/{slug}/history',
    '/p/{slug}/history?from=1&to={n}',
    '/p/{slug}/history.atom',
    '/p/{slug}/preview.png',
    '/p/{word}',
    '/maps/{beatmap}?page={page}',
    '/u/{user}?page={page}',
    '/u/{word}',
    '/k',
    '/new',
    '/me',
    '/moderation',
  ],
  pools: [
    '/?search={q}&year=2026&page={page}',
    '/my',
    '/t/{tournament}',
    '/t/{tournament}/edit',
    '/invite/{word}',
  ],
}

function pathOf(path: string, all: RequestParameters, random: SeededRandom, scene: Scene): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'q') return encodeURIComponent(wordsFor(all, random, scene))
    if (name === 'search') return searchFor(all, random, scene).toString()
    if (name === 'slug') return packFor(all, random, scene)
    if (name === 'tournament') return scene.tournament
    if (name === 'beatmap') return String(beatmapFor(all, random, scene))
    if (name === 'user') return encodeURIComponent(userFor(all, random, scene))
    if (name === 'page') return String(pageFor(all))
    if (name === 'n') return String(1 + random.below(100))
    return encodeURIComponent(wordsFor({ ...all, words: 1 }, random, scene))
  })
}

const packFor = ({ target = 0 }: RequestParameters, random: SeededRandom, scene: Scene): string =>
  target < 3
    ? scene.packs[target]!
    : target === 3
      ? seededSlug(scene, random.below(1e6))
      : 'AAAAAAAAAA'

const userFor = ({ target = 0 }: RequestParameters, random: SeededRandom, scene: Scene): string =>
  target < 4 ? scene.usernames[random.below(scene.usernames.length)]! : 'nobody at all'

const pageFor = ({ page = 0 }: RequestParameters): number => [1, 2, 20, 100, 1999, 999_999][page]!

const beatmapFor = (
  { ids = 0 }: RequestParameters,
  random: SeededRandom,
  { beatmapIds }: Scene,
): number =>
  ids === 0
    ? beatmapIds[random.below(60)]!
    : ids === 1
      ? beatmapIds[random.below(beatmapIds.length)]!
      : 1 + random.below(MAX_BEATMAP_ID)

/** Words to search for, as people mistype and machines make them. */
export function wordsFor(
  { words: count = 0, wordKind: kind = 0, open = 0 }: RequestParameters,
  random: SeededRandom,
  { words, beatmapIds, packs }: Scene,
): string {
  const common = (): string => words[random.below(Math.min(24, words.length))]!
  const rare = (): string => words[random.below(words.length)]!
  const misspell = (word: string): string => {
    const at = random.below(word.length)
    const letter = 'etaoinsr'[random.below(8)]
    return random.below(2) === 0
      ? word.slice(0, at) + word.slice(at + 1) + letter
      : word.slice(0, at) + letter + word.slice(at + 1)
  }
  const makers: readonly (() => string)[] = [
    common,
    rare,
    () => misspell(common()),
    () => misspell(rare()),
    () => misspell(misspell(rare() + rare())),
    () => rare().slice(0, 2),
    () => rare().slice(0, 1),
    () => String(beatmapIds[random.below(beatmapIds.length)]),
    () => `https://osu.ppy.sh/beatmapsets/1#osu/${beatmapIds[random.below(beatmapIds.length)]}`,
    () => ['東方', 'ゆっくり', 'ёлка', 'ﬃ', 'Z̸a̷l̵g̶o̷', '한국어', '😀'][random.below(7)]!,
    () => (random.below(2) === 0 ? misspell(common()) : rare()),
    () => packs[0]! + '"-:*(' + rare().repeat(3),
  ]
  const make = makers[kind] ?? common
  const text = Array.from({ length: count + 1 }, make)
    .join(' ')
    .slice(0, 200)
  return open === 0 ? text : `${text} `
}

const spans = ['5-6.5', '-7', '3-', '0-100', '6-6.01']

function searchFor(all: RequestParameters, random: SeededRandom, scene: Scene): URLSearchParams {
  const { filters = 0, order = 0, page = 0 } = all
  const query = new URLSearchParams()
  if (page < 5) query.set('q', wordsFor(all, random, scene))
  if (filters & 1) query.set('stars', spans[random.below(5)]!)
  if (filters & 2) query.set('mods', 'HD,HR')
  if (filters & 4) query.set('bpm', spans[random.below(5)]!)
  if (filters === 7) query.set('unrated', '1')
  if (order === 1) query.set('order', 'created')
  if (order === 2) query.set('sort', 'created')
  return query
}

/** A call of an endpoint, its path, query and body filled by their schemas. */
function callOf(
  endpoint: Endpoint,
  service: ServiceName,
  all: RequestParameters,
  random: SeededRandom,
  scene: Scene,
): ReturnType<Kind['make']> {
  const { method, path, auth } = endpoint
  const round = scene.rounds[(all['target'] ?? 0) % scene.rounds.length]!
  const values: Readonly<Record<string, string>> = {
    slug: method === 'DELETE' && !path.includes('round') ? 'AAAAAAAAAA' : slugFor(),
    round: method === 'DELETE' ? 'AAAAAAAAAA' : path.includes('{id}') ? scene.rounds[1]! : round,
    version: String(1 + random.below(40)),
    gameId: String(7001 + random.below(20)),
    token: 'A'.repeat(43),
    id: isOfBeatmap(path)
      ? String(beatmapFor(all, random, scene))
      : method === 'DELETE'
        ? 'AAAAAAAAAA'
        : (path.includes('candidates') ? scene.candidates : scene.remarks)[random.below(40)]!,
  }
  function slugFor(): string {
    // What a moderator hides is not there for the others: one of those that were there before.
    if (path.includes('/moderation/packs')) return seededSlug(scene, 7)
    if (service === 'packs') return packFor(all, random, scene)
    return path.includes('/moderation/') ? 'AAAAAAAAAA' : scene.tournament
  }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? 'x')
  const query = new URLSearchParams()
  if (endpoint.paged) query.set('page', String(pageFor(all)))
  if (endpoint.query) {
    const made = fill(endpoint.query, 'query', all, random, scene) as Record<string, unknown>
    for (const [name, value] of Object.entries(made)) query.set(name, String(value))
    for (const [name, value] of path === '/session/search' ? searchFor(all, random, scene) : []) {
      query.set(name, value)
    }
  }
  const text = query.size === 0 ? '' : `?${query.toString()}`
  const made = { method, path: (auth === 'session' ? '' : API_PREFIX) + filled + text }
  if (endpoint.body === undefined) return made
  return { ...made, body: JSON.stringify(fill(endpoint.body, 'body', all, random, scene)) }
}

/** Of how many items lists are, by the parameter `size`; the largest that fits a body is reached by the last. */
const sizes = [1, 8, 32, 64]

/** The parts of a schema that are looked at. */
type Described = {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly items?: TSchema
  readonly anyOf?: readonly TSchema[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly required?: readonly string[]
  readonly maxItems?: number
  readonly minimum?: number
  readonly minLength?: number
}

/** A value of a schema: of the largest sizes, as far as the parameters say so. */
function fill(
  schema: TSchema,
  name: string,
  all: RequestParameters,
  random: SeededRandom,
  scene: Scene,
): unknown {
  const { type, properties, items, anyOf, ...rest } = schema as Described
  const again = (inner: TSchema, as = name) => fill(inner, as, all, random, scene)
  if ('const' in rest) return rest.const
  if (rest.enum) return rest.enum[random.below(rest.enum.length)]
  if (anyOf) return again(anyOf[(all['option'] ?? 0) % anyOf.length]!)
  const named = valueNamed(name, all, random, scene)
  if (named !== undefined && type !== 'object' && type !== 'array') return named
  const kind = typeof type === 'string' ? type : type?.[0]
  if (kind === 'object') {
    const { required = [] } = rest
    const fields = Object.entries(properties ?? {}).filter(
      ([field]) => required.includes(field) || (all['size'] !== 0 && left(field)),
    )
    return Object.fromEntries(fields.map(([field, inner]) => [field, again(inner, field)]))
  }
  if (kind === 'array') {
    const count = Math.min(sizes[all['size'] ?? 0]!, rest.maxItems ?? 8, name === 'mods' ? 1 : 64)
    return Array.from({ length: count }, (_, at) => {
      const item = again(items!, name === 'ids' ? 'id' : name)
      const isSlot = typeof item === 'object' && item !== null && 'mod' in item
      return isSlot ? { ...item, mod: codes[at % 4], index: 1 + (at >> 2) } : item
    })
  }
  if (kind === 'integer' || kind === 'number') return rest.minimum ?? 1
  if (kind === 'boolean') return random.below(2) === 0
  if (kind === 'string') return 'x'.repeat(Math.max(rest.minLength ?? 0, 1))
  return null
}

const codes = ['NM', 'HD', 'HR', 'DT']
/** Left out where they are not required: with them, most calls would be refused. */
const left = (field: string): boolean =>
  !/^(?:buckets|exports|basedOn|targets|bestOf|after|older|page|from|slug|placeholder|hiddenBy)$/.test(
    field,
  )

function valueNamed(
  name: string,
  all: RequestParameters,
  random: SeededRandom,
  scene: Scene,
): unknown {
  if (/^(?:beatmapId|id)$/.test(name)) return beatmapFor(all, random, scene)
  if (/^(?:q|query|search)$/.test(name)) return wordsFor(all, random, scene).slice(0, 100)
  if (/^(?:name|packName)$/.test(name))
    return wordsFor(all, random, scene).trim().slice(0, 60) || 'x'
  if (/^(?:description|text|note|reason)$/.test(name)) {
    return `${wordsFor(all, random, scene)} `.repeat(20).slice(0, 300).trim() || 'x'
  }
  if (/^(?:stars|length|bpm|beatmaps)$/.test(name)) return spans[random.below(5)]
  if (name === 'ids') {
    const count = Math.min(50, sizes[all['size'] ?? 0]!)
    return Array.from({ length: count }, () => beatmapFor(all, random, scene)).join(',')
  }
  if (name === 'index') return 1 + random.below(16)
  if (name === 'mod') return codes[random.below(4)]
  if (name === 'mods') return codes[1 + random.below(3)]
  if (name === 'wait') return '0'
  if (name === 'unrated') return '1'
  if (name === 'rulesets') return 'base'
  if (name === 'at') return 'now'
  return undefined
}
