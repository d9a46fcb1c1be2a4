import type { User } from '../contract/accounts.ts'
import { IDEMPOTENCY_KEY_PATTERN, PAGE_SIZE, SLUG_PATTERN } from '../contract/bounds.ts'
import type { Pack, PackInput, PackPage } from '../contract/packs.ts'
import {
  type Call,
  callOf,
  type CallOptions,
  type ChangeOptions,
  type ClientOptions,
  type CreateOptions,
  mapData,
  type PageOptions,
  type WithResponse,
} from './call.ts'
import { ConditionalWrites } from './conditional-writes.ts'
import { connect, type Connection } from './connection.ts'
import { MapcrateError } from './errors.ts'
import type { Quotas } from './quotas.ts'
import { newIdempotencyKey } from './request.ts'
import { realTime } from './time.ts'

/**
 * A client of the packs service. Nothing is sent before the first call.
 *
 * @throws TypeError when `baseUrl` is no http or https address, or `key` cannot be a key.
 */
export function createClient(options: ClientOptions): PacksClient {
  return packsClient(connect(options, realTime))
}

/**
 * A client of the tournament-pools service, which has keys and quotas of its own (spec 4.2, D-7).
 *
 * @throws TypeError when `baseUrl` is no http or https address, or `key` cannot be a key.
 */
export function createPoolsClient(options: ClientOptions): ServiceClient {
  return serviceFunctions(connect(options, realTime))
}

/**
 * What both services can be asked. Every call may throw a `MapcrateError`; `withResponse()` of a call
 * gives what came with its answer. The functions stand on their own: they may be taken out of the
 * client.
 */
export interface ServiceClient {
  /** Where the account's quotas stand, as far as answers have told. */
  readonly quota: Quotas

  /** Who owns the key. */
  readonly getMe: (options?: CallOptions) => Call<User>

  /** The OpenAPI 3.1 document of the service; needs no key and counts toward no limit. */
  readonly getOpenapi: (options?: CallOptions) => Call<object>
}

/** The packs service: one function for each of its operations, and two that walk through its lists. */
export interface PacksClient extends ServiceClient {
  /** One page of your packs of any visibility, most recently updated first, 50 a page. */
  readonly listMyPacks: (options?: PageOptions) => Call<PackPage>

  /** One page of public packs, most recently updated first, 50 a page. */
  readonly listPacks: (options?: PageOptions) => Call<PackPage>

  /** A public or unlisted pack, or any of your own. `not_found` for all others. */
  readonly getPack: (slug: string, options?: CallOptions) => Call<Pack>

  /** Saves a new pack, unlisted unless `visibility` says otherwise. Stats follow in a few seconds. */
  readonly createPack: (input: PackDraft, options?: CreateOptions) => Call<Pack>

  /**
   * Replaces a pack of yours whole: what `input` leaves out is cleared, and the visibility becomes
   * unlisted. To change one thing, send the rest as it was: `{ ...pack, name: 'New name' }`. Such a
   * copy of what was read is saved only if nobody has saved the pack since; otherwise the call
   * throws `precondition_failed`, and nothing is changed.
   */
  readonly replacePack: (slug: string, input: PackDraft, options?: ChangeOptions) => Call<Pack>

  /** Deletes a pack of yours for good; with `ifMatch`, only if nobody has saved it since. */
  readonly deletePack: (slug: string, options?: ChangeOptions) => Call<void>

  /** All public packs, page by page as they are asked for, each once. */
  readonly iteratePacks: (options?: CallOptions) => AsyncIterableIterator<Pack>

  /** All packs of yours, page by page as they are asked for, each once. */
  readonly iterateMyPacks: (options?: CallOptions) => AsyncIterableIterator<Pack>
}

/** The same, to be read only: what is sent is changed by nobody. */
type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T

/**
 * A pack to be saved: a `PackInput`, a `Pack` as it was read, or a pool as it comes out of a pack key
 * or a file, whose `buckets` are null when it has no table of its own.
 */
export type PackDraft = Frozen<Omit<PackInput, 'buckets'>> & {
  readonly buckets?: Frozen<PackInput['buckets']> | null
}

/**
 * The functions of a client over a connection.
 *
 * @internal no part of the package's declarations, which then need none of the contract's schemas.
 */
export function packsClient(connection: Connection): PacksClient {
  const { send } = connection
  const writes = new ConditionalWrites(send)
  const page = (options: PageOptions) => ({ query: { page: options.page ?? 1 } })
  const listMyPacks = (options: PageOptions = {}) =>
    callOf(send('listMyPacks', page(options), options))
  const listPacks = (options: PageOptions = {}) => callOf(send('listPacks', page(options), options))

  async function getPack(slug: string, options?: CallOptions) {
    return packOf(writes.note(await send('getPack', { slug: checkSlug(slug) }, options)))
  }

  async function createPack(input: PackDraft, options: CreateOptions = {}) {
    const body = inputOf(input)
    const idempotencyKey = checkIdempotencyKey(options.idempotencyKey ?? newIdempotencyKey())
    return packOf(writes.note(await send('createPack', { body, idempotencyKey }, options)))
  }

  async function replacePack(slug: string, input: PackDraft, options: ChangeOptions = {}) {
    const body = inputOf(input)
    const answer = await writes.write(checkSlug(slug), body, options, (ifMatch) =>
      send('replacePack', { slug, body, ifMatch }, options),
    )
    return packOf(writes.note(answer))
  }

  async function deletePack(slug: string, options: ChangeOptions = {}) {
    const answer = await writes.write(checkSlug(slug), null, options, (ifMatch) =>
      send('deletePack', { slug, ifMatch }, options),
    )
    return mapData(answer, () => undefined)
  }

  return Object.assign(serviceFunctions(connection), {
    listMyPacks,
    listPacks,
    getPack: (slug: string, options?: CallOptions) => callOf(getPack(slug, options)),
    createPack: (input: PackDraft, options?: CreateOptions) => callOf(createPack(input, options)),
    replacePack: (slug: string, input: PackDraft, options?: ChangeOptions) =>
      callOf(replacePack(slug, input, options)),
    deletePack: (slug: string, options?: ChangeOptions) => callOf(deletePack(slug, options)),
    iteratePacks: (options: CallOptions = {}) =>
      iteratePacks((number) => listPacks({ ...options, page: number })),
    iterateMyPacks: (options: CallOptions = {}) =>
      iteratePacks((number) => listMyPacks({ ...options, page: number })),
  })
}

/** What the clients of both services have. */
function serviceFunctions({ send, quotas }: Connection): ServiceClient {
  const getMe = async (options?: CallOptions) =>
    mapData(await send('getMe', {}, options), ({ user }) => user)
  return {
    get quota() {
      return quotas()
    },
    getMe: (options) => callOf(getMe(options)),
    getOpenapi: (options) => callOf(send('getOpenapi', {}, options)),
  }
}

const SLUG = new RegExp(SLUG_PATTERN)
const IDEMPOTENCY_KEY = new RegExp(IDEMPOTENCY_KEY_PATTERN)

/** What no pack can be called is not asked for: it may be anything that somebody typed. */
function checkSlug(slug: string): string {
  if (SLUG.test(slug)) return slug
  throw new MapcrateError('not_found', 'a slug is 10 letters, digits, - or _; no pack has another')
}

/** Some cannot even be sent. */
function checkIdempotencyKey(key: string): string {
  if (IDEMPOTENCY_KEY.test(key)) return key
  throw new MapcrateError('bad_request', 'idempotencyKey must be 1 to 255 visible ASCII characters')
}

const packOf = <P>(answer: WithResponse<{ readonly pack: P }>): WithResponse<P> =>
  mapData(answer, ({ pack }) => pack)

/**
 * The packs of a list, one page after the other, each page read when its first pack is asked for.
 *
 * While nothing changes, each comes once and none is missed (D-16). A pack that is saved meanwhile
 * moves to the front and pushes others onto the next page: those come once all the same. Packs that
 * are deleted meanwhile, by the one who walks through them for example, pull others forward: the
 * pages that those may have moved to are read again.
 */
async function* iteratePacks(
  readPage: (page: number) => Promise<PackPage>,
): AsyncGenerator<Pack, undefined, undefined> {
  const seen = new Set<string>()
  let before = 0
  for (let page = 1; ;) {
    const { packs, pageCount, total } = await readPage(page)
    const pulled = Math.ceil(Math.max(0, before - total) / PAGE_SIZE)
    before = total
    if (pulled > 0 && page > 1) {
      page = Math.max(1, page - pulled)
      continue
    }
    for (const pack of packs) {
      if (seen.has(pack.slug)) continue
      seen.add(pack.slug)
      yield pack
    }
    if (page >= pageCount) return undefined
    page += 1
  }
}

/** The body that says so. */
const inputOf = ({ buckets, ...rest }: PackDraft): PackInput =>
  ({ ...rest, ...(buckets != null && { buckets }) }) as PackInput
