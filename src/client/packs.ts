import type { ChangePage, PackChange } from '../contract/changes.ts'
import { IDEMPOTENCY_KEY_PATTERN } from '../contract/bounds.ts'
import type { HistoryPage, PackVersion, WholeVersion } from '../contract/history.ts'
import type { Pack, PackInput, PackPage } from '../contract/packs.ts'
import { packsRoutes, sharedRoutes } from '../contract/routes.ts'
import type { packsApi } from '../contract/services.ts'
import {
  type Call,
  callOf,
  type CallOptions,
  type ChangeOptions,
  type ChangesOptions,
  type ClientOptions,
  type CreateOptions,
  type HistoryOptions,
  nothingOf,
  type PageOptions,
  partOf,
  type WithResponse,
} from './call.ts'
import { followChanges, readChanges } from './changes.ts'
import {
  connect,
  type Connection,
  isObject,
  isPageOf,
  type JsonFields,
  type Operations,
} from './connection.ts'
import { MapcrateError } from './errors.ts'
import { newIdempotencyKey } from './request.ts'
import { iteratePages, pageIn, type ServiceClient, serviceFunctions, slugOf } from './service.ts'
import { realTime } from './time.ts'

type PacksApi = typeof packsApi

/** @internal */
export const packsOperations: Operations<PacksApi> = {
  routes: { ...sharedRoutes, ...packsRoutes },
  shapes: {
    getMe: ({ user }) => isObject(user),
    listMyPacks: isPageOf('packs', isPack),
    listPacks: isPageOf('packs', isPack),
    createPack: holdsPack,
    getPack: holdsPack,
    replacePack: holdsPack,
    deletePack: null,
    getHistory: isPageOf('versions', isVersion),
    getVersion: ({ version }) =>
      isObject(version) && isVersion(version) && Array.isArray(version['slots']),
    setHistoryPublic: null,
    getChanges: ({ changes, cursor, more }) =>
      Array.isArray(changes) && typeof cursor === 'string' && typeof more === 'boolean',
    getOpenapi: ({ openapi }) => typeof openapi === 'string',
  },
  once: [],
}

function holdsPack({ pack }: JsonFields): boolean {
  return isObject(pack) && isPack(pack)
}

function isPack({ slug, slots }: JsonFields): boolean {
  return typeof slug === 'string' && Array.isArray(slots)
}

function isVersion({ version }: JsonFields): boolean {
  return Number.isInteger(version)
}

/**
 * A client of the packs service. Nothing is sent before the first call.
 *
 * @throws TypeError if `baseUrl` is no http or https address, or `key` cannot be a key.
 */
export function createClient(options: ClientOptions): PacksClient {
  return packsClient(connect(packsOperations, options, realTime))
}

/** The packs service: one function for each of its operations, and four that iterate. */
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

  /**
   * One page of what saves have made of a pack, newest first, 50 a page: of your own all versions that
   * are kept, of others those that their owners let you read. `not_found` if those are none.
   */
  readonly getHistory: (slug: string, options?: PageOptions) => Call<HistoryPage>

  /** A version of a pack with its slots and buckets. `not_found` if there is none that you may read. */
  readonly getVersion: (slug: string, version: number, options?: CallOptions) => Call<WholeVersion>

  /** Lets everyone who may read a pack of yours read its history, or nobody but you. */
  readonly setHistoryPublic: (
    slug: string,
    isPublic: boolean,
    options?: HistoryOptions,
  ) => Call<void>

  /** All public packs, page by page as they are requested, each once. */
  readonly iteratePacks: (options?: CallOptions) => AsyncIterableIterator<Pack>

  /** All packs of yours, page by page as they are requested, each once. */
  readonly iterateMyPacks: (options?: CallOptions) => AsyncIterableIterator<Pack>

  /** What has happened to public packs and to your own since `after`, at most 100 changes, oldest first. */
  readonly getChanges: (options?: ChangesOptions) => Call<ChangePage>

  /**
   * What happens to public packs and to your own, each change once, without an end: from `after` on, the
   * `cursor` of a change, or from now on. Waits while nothing comes and while the service cannot be
   * reached. Throws `gone` when the changes after `after` are no longer kept.
   */
  readonly followChanges: (
    options?: Omit<ChangesOptions, 'wait'>,
  ) => AsyncIterableIterator<PackChange>

  /** All versions of a pack that you may read, newest first, each once. */
  readonly iterateHistory: (
    slug: string,
    options?: CallOptions,
  ) => AsyncIterableIterator<PackVersion>
}

type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T

/** A `PackInput`, a `Pack` as it was read, or a pool, whose `buckets` are null if it has none. */
export type PackDraft = Frozen<Omit<PackInput, 'buckets'>> & {
  readonly buckets?: Frozen<PackInput['buckets']> | null
}

/** @internal No part of the package's declarations, which then need none of the contract's schemas. */
export function packsClient(connection: Connection<PacksApi>): PacksClient {
  const { send } = connection
  const writes = new ConditionalWrites(send)

  const functions: Omit<PacksClient, keyof ServiceClient> = {
    listMyPacks: (options) => callOf(send('listMyPacks', pageIn(options), options)),
    listPacks: (options) => callOf(send('listPacks', pageIn(options), options)),
    getPack: (slug, options) => partOf('pack', writes.read(slug, options)),
    createPack: (input, options) => partOf('pack', createPack(input, options)),
    replacePack: (slug, input, options) => partOf('pack', replacePack(slug, input, options)),
    deletePack: (slug, options) => nothingOf(deletePack(slug, options)),
    getHistory: (slug, options) =>
      callOf(send('getHistory', { slug, ...pageIn(options) }, options)),
    getVersion: (slug, version, options) =>
      partOf('version', send('getVersion', { slug, version }, options)),
    setHistoryPublic: (slug, isPublic, options = {}) => {
      const { ifMatch } = options
      return callOf(
        send('setHistoryPublic', { slug, body: { public: isPublic }, ifMatch }, options),
      )
    },
    getChanges: (options) => callOf(readChanges(connection, options)),
    followChanges: (options) => followChanges(connection, options),
    iteratePacks: (options) =>
      iteratePages((page) => functions.listPacks({ ...options, page }), 'packs', slugOf),
    iterateMyPacks: (options) =>
      iteratePages((page) => functions.listMyPacks({ ...options, page }), 'packs', slugOf),
    iterateHistory: (slug, options) =>
      iteratePages(
        (page) => functions.getHistory(slug, { ...options, page }),
        'versions',
        ({ version }) => version,
      ),
  }
  return Object.assign(serviceFunctions(connection), functions)

  async function createPack(input: PackDraft, options: CreateOptions = {}) {
    const idempotencyKey = checkIdempotencyKey(options.idempotencyKey ?? newIdempotencyKey())
    return writes.note(await send('createPack', { body: bodyOf(input), idempotencyKey }, options))
  }

  async function replacePack(slug: string, input: PackDraft, options: ChangeOptions = {}) {
    const body = bodyOf(input)
    const answer = await writes.write(slug, body, options, (ifMatch) =>
      send('replacePack', { slug, body, ifMatch }, options),
    )
    return writes.note(answer)
  }

  async function deletePack(slug: string, options: ChangeOptions = {}) {
    return writes.write(slug, null, options, (ifMatch) =>
      send('deletePack', { slug, ifMatch }, options),
    )
  }
}

const IDEMPOTENCY_KEY = new RegExp(IDEMPOTENCY_KEY_PATTERN)

function checkIdempotencyKey(key: string): string {
  if (IDEMPOTENCY_KEY.test(key)) return key
  throw new MapcrateError('bad_request', 'idempotencyKey must be 1 to 255 visible ASCII characters')
}

function bodyOf({ buckets, ...rest }: PackDraft): PackInput {
  return { ...rest, ...(buckets != null && { buckets }) } as PackInput
}

/** A state of a pack: `updatedAt` changes with every save (D-26). */
type PackState = Pick<Pack, 'slug' | 'updatedAt'>

const CACHED_TAGS = 1_000
/** Stats or a magnet link may come in between reading a tag and sending it. */
const MAX_ATTEMPTS = 3

/**
 * Writes packs only in the state that the program has read (D-48). ETags cover stats, too: one that is
 * refused is replaced by the current one as long as nobody has saved, so that `updatedAt` is the same.
 */
class ConditionalWrites {
  readonly #send: Connection<PacksApi>['send']
  /** By slug, the oldest first. */
  readonly #tags = new Map<string, { readonly updatedAt: string; readonly etag: string }>()

  constructor(send: Connection<PacksApi>['send']) {
    this.#send = send
  }

  /** Caches the ETag of a pack that was read or saved; returns the answer. */
  note<T extends { readonly pack: Pack }>(answer: WithResponse<T>): WithResponse<T> {
    if (answer.etag === null) return answer
    const { slug, updatedAt } = answer.data.pack
    this.#tags.delete(slug)
    // Proxies that compress make a strong ETag weak, and weak ones match nothing.
    this.#tags.set(slug, { updatedAt, etag: answer.etag.replace(/^W\//, '') })
    const [oldest = ''] = this.#tags.keys()
    if (this.#tags.size > CACHED_TAGS) this.#tags.delete(oldest)
    return answer
  }

  /**
   * Runs a write with the ETag that its `ifMatch` means; `input` is null for a deletion. Throws
   * `precondition_failed` if the pack was saved in between.
   */
  async write<R>(
    slug: string,
    input: PackInput | null,
    options: ChangeOptions,
    send: (ifMatch: string | undefined) => Promise<WithResponse<R>>,
  ): Promise<WithResponse<R | { pack: Pack }>> {
    const { ifMatch = stateIn(slug, input), signal, timeout } = options
    if (ifMatch === null || typeof ifMatch === 'string') return send(ifMatch ?? undefined)
    if (ifMatch.slug !== slug) {
      throw new MapcrateError('bad_request', 'ifMatch is another pack than the one to be changed')
    }
    for (let attempt = 1; ; attempt += 1) {
      const isCached = this.#tags.get(slug)?.updatedAt === ifMatch.updatedAt
      const current = isCached ? null : await this.read(slug, { signal, timeout })
      if (current !== null && current.data.pack.updatedAt !== ifMatch.updatedAt) {
        // An attempt whose answer was lost has saved it.
        const isSaved = input !== null && inputText(input) === inputText(current.data.pack)
        if (attempt > 1 && isSaved) return current
        throw savedMeanwhile(current)
      }
      try {
        return await send(this.#tags.get(slug)?.etag)
      } catch (error) {
        const isRefused = error instanceof MapcrateError && error.code === 'precondition_failed'
        if (!isRefused || attempt >= MAX_ATTEMPTS) throw error
        this.#tags.delete(slug)
      }
    }
  }

  async read(slug: string, options?: CallOptions) {
    return this.note(await this.#send('getPack', { slug }, options))
  }
}

/** The state that an input is a copy of; null if it is none of this pack. */
function stateIn(slug: string, input: PackInput | null): PackState | null {
  const read = (input ?? {}) as Partial<PackState>
  return read.slug === slug && typeof read.updatedAt === 'string' ? (read as PackState) : null
}

/** A field of packs that is not compared would be `never`, so that no call with it compiles. */
type Compared = PackInput &
  Record<
    Exclude<keyof PackInput, 'name' | 'slots' | 'buckets' | 'description' | 'visibility'>,
    never
  >

/** Equal for inputs of which a save makes the same pack, if they write their bucket tables alike. */
function inputText({ name, slots, buckets, description, visibility }: Compared): string {
  return JSON.stringify([
    name.trim(),
    slots.map(({ mod, index, beatmapId }) => [mod, index, beatmapId]),
    buckets ?? null,
    description?.trim() || null,
    visibility ?? 'unlisted',
  ])
}

function savedMeanwhile({ data, requestId }: WithResponse<{ pack: Pack }>): MapcrateError {
  const message = `the pack was saved by somebody else at ${data.pack.updatedAt}; read it again and repeat the change`
  return new MapcrateError('precondition_failed', message, { requestId })
}
