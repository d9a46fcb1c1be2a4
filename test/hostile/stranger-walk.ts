import type { TSchema } from 'typebox'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import type { Call, Chance, Heard, Known, Place } from './two-worlds.ts'

/** What may be asked; `{name}` in the path is filled in. */
export type Target = Pick<Call, 'service' | 'door' | 'method' | 'path'> & {
  readonly endpoint?: Endpoint
}

/** A request of somebody who is nobody's staff; null: without a session or key. */
export type Step = { readonly target: Target; readonly who: string | null; readonly call: Call }

// oxlint-disable-next-line typescript/no-explicit-any -- schemas of every shape
type Anything = any

/** Drafts of their own make nobody less of a stranger to those of others. */
const actors = [null, null, 'stranger', 'stranger', 'other host'] as const
/** Left to those without a session: an account's session or key would be gone for the rest of the walk. */
const endsOwn =
  /^(?:DELETE \/session\/(?:account|key|sessions)|POST \/session\/(?:key|sign-out|sessions\/end-others))$/
const nothing = 'AAAAAAAAAA'
/** Of what is known, so many of the newest are asked for most. */
const NEWEST = 8
/** After a write, so many reads may be about what was written. */
const FOLLOW_UPS = 6

const isOfTournament = ({ path }: Target): boolean =>
  path.includes('/tournaments/{slug}') || path.startsWith('/t/')

/** Draws requests about what is public and what is secret, and about what it has written itself. */
export class StrangerWalk {
  readonly #targets: readonly Target[]
  readonly #open: Known
  readonly #secrets: readonly Known[]
  readonly #random: Chance
  readonly #tags = ['"0"']
  #steps = 0
  #written: { readonly who: string; readonly pack?: string; readonly place?: Place } | null = null
  #followUps = 0
  /** How many cursors the answers had. */
  cursors = 0

  /** @param open what everybody knows; what is made on the way is added. */
  constructor(targets: readonly Target[], open: Known, secrets: readonly Known[], random: Chance) {
    this.#targets = targets
    this.#open = open
    this.#secrets = secrets
    this.#random = random
  }

  /** Every target a few times, then by chance. */
  next(): Step {
    const random = this.#random
    const all = this.#targets
    this.#steps += 1
    const about = this.#followUps > 0 && random.often(60) ? this.#written : null
    if (about !== null) {
      this.#followUps -= 1
      const fitting = all.filter(
        (target) =>
          target.method === 'GET' &&
          target.path.includes('{slug}') &&
          isOfTournament(target) === (about.place !== undefined),
      )
      const who = random.often(50) ? about.who : random.of(actors)
      return this.#step(random.of(fitting), who, about.pack, about.place)
    }
    const isSweep = this.#steps <= 4 * all.length
    if (!isSweep && random.often(15)) {
      const writes = all.filter(({ endpoint }) => endpoint?.method !== 'GET' && endpoint?.body)
      return this.#step(random.of(writes), random.of(['stranger', 'other host']))
    }
    const target = isSweep ? all[this.#steps % all.length]! : random.of(all)
    return this.#step(target, random.of(actors))
  }

  /** What an answer tells of what there is. */
  learn({ who, call }: Step, { status, text, headers }: Heard): void {
    const tag = headers.find((each) => /^etag: /i.test(each))?.slice('etag: '.length)
    if (tag !== undefined && !this.#tags.includes(tag)) this.#tags.push(tag)
    if (this.#tags.length > 30) this.#tags.shift()
    if (status >= 300 || who === null || call.method === 'GET' || text === '') return
    const made = JSON.parse(Buffer.from(text, 'latin1').toString())
    const [, within, at] =
      /\/tournaments\/([\w-]{10})(?:\/rounds\/([\w-]{10}))?/.exec(call.path) ?? []
    const slug: string | undefined = made.tournament?.slug ?? within
    const round: string | undefined = made.round?.id ?? made.tournament?.rounds?.[0]?.id ?? at
    const item: string | undefined = (made.candidate ?? made.remark ?? made.invitation)?.id
    const place = slug && { slug, ...(round && { round }), ...(item && { item }) }
    if (status === 201 && made.pack) this.#open.packs.push(made.pack.slug)
    if (status === 201 && place) this.#open.places.push(place)
    if (made.pack) {
      this.#written = { who, pack: made.pack.slug }
      // It may be found by these from now on.
      for (const { beatmapId } of made.pack.slots as { beatmapId: number }[]) {
        for (const { titles } of this.#secrets) {
          if (titles.has(beatmapId)) this.#open.words.push(titles.get(beatmapId)!)
        }
      }
    } else if (place) this.#written = { who, place }
    else return
    this.#followUps = FOLLOW_UPS
  }

  #step(target: Target, drawn: string | null, pack?: string, about?: Place): Step {
    const random = this.#random
    const { service, door, method, endpoint } = target
    const who = endsOwn.test(`${method} ${target.path}`) ? null : drawn
    const place = about ?? this.#anyPlace()
    const path = target.path.replaceAll(/\{(\w+)\}|\*/g, (_, name: string = 'file') =>
      encodeURIComponent(this.#partOf(name, target, pack ?? this.#anyPack(), place)),
    )
    const query = new URLSearchParams()
    if (endpoint?.paged && random.often(30)) query.set('page', random.of(['1', '2', '9', '0']))
    const asked = endpoint?.query ? this.#sample(endpoint.query, '') : {}
    for (const [name, value] of Object.entries(asked)) query.set(name, String(value))
    if (endpoint === undefined && random.often(20)) {
      query.set('q', random.often(50) ? this.#anyWord() : String(this.#anyBeatmap()))
      query.set('page', random.of(['1', '2']))
    }
    const headers: Record<string, string> = {}
    const isChange = method !== 'GET' && method !== 'POST'
    if (random.often(15)) headers['if-none-match'] = random.of(['*', ...this.#tags])
    if (isChange && random.often(40)) headers['if-match'] = random.of(['*', ...this.#tags])
    if (endpoint?.idempotencyKey && random.often(30)) {
      headers['idempotency-key'] = `once-${random.below(30)}`
    }
    if (who === null && endpoint?.proof === 'page') headers['origin'] = `https://${service}.test`
    if (door === 'api' && random.often(5)) {
      headers['authorization'] = `Bearer ${service}_${'A'.repeat(43)}`
    }
    const body = endpoint?.body && this.#sample(endpoint.body, '')
    const search = query.size === 0 ? '' : `?${query}`
    const call = { service, door, method, path: path + search, headers }
    return { target, who, call: body === undefined ? call : { ...call, body } }
  }

  /** Secret in one of the worlds, or known to all. */
  #any<K extends 'packs' | 'places'>(kind: K): Known[K][number] | undefined {
    const random = this.#random
    const known = (random.often(40) ? random.of(this.#secrets) : this.#open)[kind]
    const some = random.often(80) ? known.slice(-NEWEST) : known.slice(0, 4)
    return random.often(5) ? undefined : random.of<Known[K][number]>(some)
  }

  #anyPack = (): string => this.#any('packs') ?? nothing
  #anyPlace = (): Place => this.#any('places') ?? { slug: nothing }

  #anyBeatmap(): number {
    const random = this.#random
    const secret = () => random.of(random.of(this.#secrets).beatmaps.slice(-NEWEST)) ?? 1
    return random.of([
      random.of(this.#open.beatmaps),
      secret(),
      secret(),
      600_000 + random.below(3e6),
    ])
  }

  #anyWord(): string {
    const random = this.#random
    if (random.often(50)) return random.of(this.#open.words.slice(-NEWEST))
    return random.of(random.of(this.#secrets).words.slice(-3 * NEWEST)) ?? 'nothing'
  }

  /** For a name in the braces of a path; one that is not known here makes the walk fail. */
  #partOf(name: string, target: Target, pack: string, place: Place): string {
    const random = this.#random
    const isBeatmap = /\/(?:maps|beatmaps)\//.test(target.path)
    const parts: Readonly<Record<string, () => string>> = {
      slug: () => (isOfTournament(target) ? place.slug : pack),
      round: () => (random.often(90) ? place.round : this.#anyPlace().round) ?? nothing,
      id: () => (isBeatmap ? String(this.#anyBeatmap()) : (place.item ?? nothing)),
      version: () => random.of(['1', '2', '99']),
      gameId: () => random.of(['8001', '8002', '8003', '8004', '4242']),
      username: () =>
        random.of(['host', 'pooler', 'stranger', 'Tournament pools', this.#anyWord()]),
      token: () => random.of(['A'.repeat(43), nothing]),
      part: () => random.of(['pages.xml', 'packs-2026-10.xml', 'packs-2026-11.xml', 'none.xml']),
      file: () => random.of(['assets/none.js', this.#anyWord(), `p/${pack}`]),
    }
    const part = parts[name]
    if (part === undefined) throw new Error(`no value for {${name}} of ${target.path}: say it here`)
    return part()
  }

  /** A value that the schema takes, most of the time; what has a name that is known here is of these worlds. */
  #sample(schema: TSchema & Record<string, Anything>, name: string): Anything {
    const random = this.#random
    if (schema['const'] !== undefined) return schema['const']
    if (schema['enum']) return random.of(schema['enum'])
    const kinds = schema['anyOf'] ?? schema['oneOf']
    if (kinds) return this.#sample(random.of(kinds), name)
    if (schema['type'] === 'object') {
      const required: readonly string[] = schema['required'] ?? []
      const fields = Object.entries(schema['properties'] ?? {}) as [string, TSchema][]
      const given = fields.filter(([field]) => required.includes(field) || random.often(35))
      return Object.fromEntries(given.map(([field, inner]) => [field, this.#sample(inner, field)]))
    }
    if (schema['type'] === 'array') {
      const least: number = schema['minItems'] ?? 0
      const most = Math.min(schema['maxItems'] ?? 4, least + 4)
      const items = Array.from({ length: least + random.below(most - least + 1) }, () =>
        this.#sample(schema['items'], name),
      )
      const unique = [...new Map(items.map((item) => [JSON.stringify(item), item])).values()]
      return name === 'slots' ? unique.map((slot, at) => ({ ...slot, index: at + 1 })) : unique
    }
    if (schema['type'] === 'integer' || schema['type'] === 'number') {
      if (name === 'beatmapId' || name === 'id') return this.#anyBeatmap()
      const least: number = schema['minimum'] ?? 0
      return least + random.below(Math.min(10, (schema['maximum'] ?? 10) - least + 1))
    }
    if (schema['type'] === 'boolean') return random.often(50)
    return schema['type'] === 'null' ? null : this.#text(name)
  }

  #text(name: string): string {
    const random = this.#random
    const word = this.#anyWord()
    const texts: Readonly<Record<string, () => string>> = {
      ids: () => `${this.#anyBeatmap()},${this.#anyBeatmap()}`,
      slug: () => this.#anyPack(),
      tournament: () => this.#anyPlace().slug,
      id: () => this.#anyPlace().round ?? nothing,
      mod: () => random.of(['NM', 'DT', 'HR', 'HD', 'TB']),
      code: () => random.of(['NM', 'DT', 'XX']),
      q: () => random.of([word, `${word} ${this.#anyWord()}`, String(this.#anyBeatmap())]),
      after: () => cursorName(random.below(this.cursors + 1)),
      wait: () => '0',
      at: () => '2026-11-01T00:00:00.000Z',
      basedOn: () => '2026-11-01T00:00:00.000Z',
      older: () => '2026-11-01T00:00:00.000Z',
      username: () => random.of(['host', 'stranger']),
    }
    return texts[name]?.() ?? `${word} ${random.below(100)}`
  }
}

/** In place of the cursor with this number, which each world has another of. */
export const cursorName = (number: number): string => `cursor-${number}`
