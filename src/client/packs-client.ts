import type { Pack, PackPage } from '../contract/pack.ts'
import type { User } from '../contract/user.ts'
import type { Call } from './call.ts'
import type { CallOptions, ChangeOptions, CreateOptions, PageOptions } from './client-options.ts'
import type { PackDraft } from './pack-draft.ts'
import type { Quotas } from './quota.ts'

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
