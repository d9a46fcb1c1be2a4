import { Fuzz } from './fuzz.ts'
import { anyInput, expectedOf, type ModelInput, poolOf, spoilers } from './pack-model.ts'
import { differenceOf, unlike } from './report.ts'
import type { Answer, Exchange } from './wire.ts'

/** What the service itself says of a pack; the rest follows from what was sent. */
type Own = {
  slug: string
  createdAt: string
  updatedAt: string
  packKey: string
  ownerName: string
}
type Held = { readonly expected: ReturnType<typeof expectedOf>; readonly own: Own; etag: string }

const MOST_PACKS = 2

/** Random saves, readings and removals of packs, each compared with what the specification says. */
export class PackFuzz extends Fuzz {
  readonly #held = new Map<string, Held>()

  /** One more; a pack with which something is wrong is tried no further. */
  async step(): Promise<void> {
    const slug = this.#held.size === 0 ? null : this.random.oneOf([...this.#held.keys()])
    if (slug === null) return this.#create()
    const dice = this.random.below(20)
    if (dice < 3 && this.#held.size < MOST_PACKS) return this.#create()
    if (dice < 9) return this.#replace(slug)
    if (dice < 12) return this.#refuse(slug)
    if (dice < 14) return this.#remove(slug)
    return this.#read(slug)
  }

  async #create(): Promise<void> {
    const input = anyInput(this.random, this.tag)
    const exchange = await this.service.ask('POST', '/packs', { body: input })
    const wrong = unlike(exchange, 201)
    if (wrong !== null) return this.report.try('packs', wrong, exchange)
    this.#judge(input, exchange, null)
  }

  async #replace(slug: string): Promise<void> {
    const before = this.#held.get(slug)!
    const input =
      this.random.below(3) === 0
        ? { ...before.expected, slots: before.expected.slots.toReversed() }
        : anyInput(this.random, this.tag)
    // One's own tag, or none: both have to pass.
    const headers = this.random.below(2) === 0 ? {} : { 'if-match': before.etag }
    const asking = { body: { ...input, likes: 1 }, headers }
    const exchange = await this.service.ask('PUT', `/packs/${slug}`, asking)
    const wrong = unlike(exchange, 200) ?? ignoring(exchange.answer, 'likes')
    if (wrong !== null) return this.report.try('packs', wrong, exchange)
    this.#judge(input, exchange, before)
  }

  #judge(input: ModelInput, exchange: Exchange, before: Held | null): void {
    const expected = expectedOf(input)
    const { pack } = exchange.answer!.json
    const { own, wrong } = judged(expected, pack)
    const held = { expected, own, etag: exchange.answer!.headers.get('etag') ?? '' }
    const problem =
      wrong ?? (before === null ? newlyMade(pack, exchange) : changed(before, held, pack))
    this.report.try('packs', problem, exchange)
    if (problem === null) this.#held.set(own.slug, held)
    else if (before !== null) this.#held.delete(before.own.slug)
  }

  async #read(slug: string): Promise<void> {
    const held = this.#held.get(slug)!
    if (this.random.below(3) === 0) return this.#readHistory(slug, held)
    const exchange = await this.service.get(`/packs/${slug}`)
    const wrong =
      unlike(exchange, 200) ??
      judged(held.expected, exchange.answer?.json.pack).wrong ??
      differenceOf(held.own, judged(held.expected, exchange.answer?.json.pack).own)
    this.report.try('packs', wrong, exchange)
  }

  async #readHistory(slug: string, { own, expected }: Held): Promise<void> {
    const exchange = await this.service.get(`/packs/${slug}/history`)
    const newest = exchange.answer?.json?.versions?.[0]
    const wanted = { packKey: own.packKey, name: expected.name, visibility: expected.visibility }
    const got = newest && {
      packKey: newest.packKey,
      name: newest.name,
      visibility: newest.visibility,
    }
    this.report.try('packs', unlike(exchange, 200) ?? differenceOf(wanted, got), exchange)
  }

  async #refuse(slug: string): Promise<void> {
    const [name, spoil] = this.random.oneOf(Object.entries(spoilers))
    const asking = { body: spoil(anyInput(this.random, this.tag)) }
    const refused = await this.service.ask('PUT', `/packs/${slug}`, asking)
    const after = await this.service.get(`/packs/${slug}`)
    const wrong =
      unlike(refused, 400, 'bad_request') ??
      differenceOf(this.#held.get(slug)!.own.updatedAt, after.answer?.json?.pack?.updatedAt)
    this.report.try('refusals', wrong === null ? null : `${name}: ${wrong}`, refused)
  }

  async #remove(slug: string): Promise<void> {
    this.#held.delete(slug)
    const removed = await this.service.ask('DELETE', `/packs/${slug}`)
    const after = await this.service.get(`/packs/${slug}`)
    const wrong = unlike(removed, 204) ?? unlike(after, 404, 'not_found')
    this.report.try('packs', wrong, removed)
  }
}

const SLUG = /^[\w-]{10}$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

// oxlint-disable-next-line typescript/no-explicit-any -- an answer, of which nothing is known
function judged(expected: object, pack: any): { own: Own; wrong: string | null } {
  const { slug, createdAt, updatedAt, packKey, ownerName, exports, stats, ...rest } = pack ?? {}
  const own = { slug, createdAt, updatedAt, packKey, ownerName }
  let wrong = differenceOf(expected, rest)
  if (wrong === null && !SLUG.test(slug)) wrong = `slug is ${slug}`
  if (wrong === null && !(TIME.test(createdAt) && TIME.test(updatedAt))) {
    wrong = `createdAt and updatedAt are ${createdAt} and ${updatedAt}`
  }
  if (wrong === null && typeof packKey !== 'string') wrong = `packKey is ${typeof packKey}`
  if (wrong === null && typeof ownerName !== 'string') wrong = `ownerName is ${typeof ownerName}`
  wrong ??= differenceOf([], exports, 'exports')
  if (wrong === null && stats !== undefined && typeof stats?.count !== 'number')
    wrong = 'stats have no count'
  return { own, wrong }
}

const newlyMade = (
  pack: { slug: string; stats?: unknown },
  { answer }: Exchange,
): string | null => {
  if (pack.stats !== undefined) return 'a new pack has stats already'
  const location = answer?.headers.get('location') ?? ''
  return location.endsWith(`/packs/${pack.slug}`) ? null : `Location is ${location}`
}

const changed = (before: Held, after: Held, pack: { stats?: unknown }): string | null => {
  for (const name of ['slug', 'createdAt', 'ownerName'] as const) {
    if (before.own[name] !== after.own[name]) return `${name} has changed`
  }
  if (after.own.updatedAt < before.own.updatedAt) return 'updatedAt went back'
  const isOther = poolOf(before.expected) !== poolOf(after.expected)
  if (isOther !== (before.own.packKey !== after.own.packKey)) {
    return isOther
      ? 'the pool has changed, and packKey has not'
      : 'packKey has changed, and the pool has not'
  }
  const isOtherPool =
    poolOf({ ...before.expected, name: '' }) !== poolOf({ ...after.expected, name: '' })
  return isOtherPool && pack.stats !== undefined ? 'stats of another pool are left' : null
}

/** `likes` is in no pack, so that the answer has to name it (D-49). */
const ignoring = (answer: Answer | null, name: string): string | null => {
  const named = answer?.headers.get('x-ignored-fields') ?? ''
  return named.includes(name) ? null : `X-Ignored-Fields is ${named === '' ? 'missing' : named}`
}
