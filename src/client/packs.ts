import type { ChangePage, PackChange } from '../contract/changes.ts'
import type { HistoryPage, PackVersion, WholeVersion } from '../contract/history.ts'
import type { Pack, PackInput, PackPage } from '../contract/packs.ts'
import { packReadingRoutes, packsRoutes, sharedRoutes } from '../contract/routes.ts'
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
} from './call.ts'
import { followChanges, isChangePage, readChanges, type SendChanges } from './changes.ts'
import {
  connect,
  type Connection,
  isObject,
  isPageOf,
  type JsonFields,
  type Operations,
} from './connection.ts'
import { ConditionalWrites } from './conditional-writes.ts'
import { checkOutcome, isHeld } from './lost-answers.ts'
import { checkIdempotencyKey, newIdempotencyKey, slugRule, versionRule, waitMs } from './request.ts'
import {
  type AccountClient,
  accountFunctions,
  iteratePages,
  pageIn,
  type ServiceClient,
  serviceFunctions,
  slugOf,
} from './service.ts'
import { realTime } from './time.ts'

type PacksApi = typeof packsApi
type ReadApi = Pick<PacksApi, 'getMe' | keyof typeof packReadingRoutes>

const readOperations: Operations<ReadApi> = {
  routes: { getMe: sharedRoutes.getMe, ...packReadingRoutes },
  shapes: {
    getMe: ({ user }) => isObject(user),
    listMyPacks: isPageOf('packs', isPack),
    listPacks: isPageOf('packs', isPack),
    getPack: holdsPack,
  },
  ruleOf: () => slugRule,
}

/** @internal A function, so that bundlers leave it out of what only reads. */
export function packsOperations(): Operations<PacksApi> {
  return {
    routes: { ...sharedRoutes, ...packsRoutes },
    shapes: {
      ...readOperations.shapes,
      createPack: holdsPack,
      replacePack: holdsPack,
      deletePack: null,
      getHistory: isPageOf('versions', isVersion),
      getVersion: ({ version }) =>
        isObject(version) && isVersion(version) && Array.isArray(version['slots']),
      setHistoryPublic: null,
      getChanges: isChangePage,
      getOpenapi: ({ openapi }) => typeof openapi === 'string',
    },
    ruleOf: (_, name) => (name === 'version' ? versionRule : slugRule),
    free: 'getOpenapi',
    waitMs,
    checkOutcome,
    isHeld,
  }
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
  return packsClient(connect(packsOperations(), options, realTime))
}

/**
 * Reads packs alone, and is smaller than a client, for pages; it waits, retries and throws as that.
 *
 * @throws TypeError as `createClient`.
 */
export function createReader(options: ClientOptions): PacksReader {
  const connection = connect(readOperations, options, realTime)
  return Object.assign(accountFunctions(connection), readFunctions(connection))
}

/** What reads packs: the packs that everybody may read, and your own. */
export interface PacksReader extends AccountClient {
  /** One page of your packs of any visibility, most recently updated first, 50 a page. */
  readonly listMyPacks: (options?: PageOptions) => Call<PackPage>

  /** One page of public packs, most recently updated first, 50 a page. */
  readonly listPacks: (options?: PageOptions) => Call<PackPage>

  /** A public or unlisted pack, or any of your own. `not_found` for all others. */
  readonly getPack: (slug: string, options?: CallOptions) => Call<Pack>

  /** All public packs, page by page as they are requested, each once. */
  readonly iteratePacks: (options?: CallOptions) => AsyncIterableIterator<Pack>

  /** All packs of yours, page by page as they are requested, each once. */
  readonly iterateMyPacks: (options?: CallOptions) => AsyncIterableIterator<Pack>
}

/** The packs service: one function for each of its operations, and four that iterate. */
export interface PacksClient extends PacksReader, ServiceClient {
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
  const sendChanges: SendChanges<ChangePage> = (query, options) =>
    send('getChanges', { query }, options)

  const functions: Omit<PacksClient, keyof ServiceClient | Exclude<keyof PacksReader, 'getPack'>> =
    {
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
      getChanges: (options) => callOf(readChanges(sendChanges, options)),
      followChanges: (options) => followChanges(connection, sendChanges, options),
      iterateHistory: (slug, options) =>
        iteratePages(
          (page) => functions.getHistory(slug, { ...options, page }),
          'versions',
          ({ version }) => version,
        ),
    }
  return Object.assign(serviceFunctions(connection), readFunctions(connection), functions)

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

function readFunctions({ send }: Connection<ReadApi>) {
  const functions: Omit<PacksReader, keyof AccountClient> = {
    listMyPacks: (options) => callOf(send('listMyPacks', pageIn(options), options)),
    listPacks: (options) => callOf(send('listPacks', pageIn(options), options)),
    getPack: (slug, options) => partOf('pack', send('getPack', { slug }, options)),
    iteratePacks: (options) =>
      iteratePages((page) => functions.listPacks({ ...options, page }), 'packs', slugOf),
    iterateMyPacks: (options) =>
      iteratePages((page) => functions.listMyPacks({ ...options, page }), 'packs', slugOf),
  }
  return functions
}

function bodyOf({ buckets, ...rest }: PackDraft): PackInput {
  return { ...rest, ...(buckets != null && { buckets }) } as PackInput
}
