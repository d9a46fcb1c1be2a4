import type { User } from '../contract/accounts.ts'
import { PAGE_SIZE } from '../contract/bounds.ts'
import type { sharedApi } from '../contract/services.ts'
import { type Call, callOf, type CallOptions, type PageOptions, partOf } from './call.ts'
import type { Connection } from './connection.ts'
import type { Quotas } from './quotas.ts'

/**
 * The functions of both services. Every call may throw a `MapcrateError`; its `withResponse()` returns
 * the metadata of the answer, too. The functions do not depend on `this`.
 */
export interface AccountClient {
  /** The state of the account's quotas, as of the last answers. */
  readonly quota: Quotas

  /** The owner of the key. */
  readonly getMe: (options?: CallOptions) => Call<User>
}

export interface ServiceClient extends AccountClient {
  /** The OpenAPI 3.1 document of the service; needs no key and counts toward no limit. */
  readonly getOpenapi: (options?: CallOptions) => Call<object>
}

/** @internal */
export function accountFunctions({
  send,
  quotas,
}: Connection<Pick<typeof sharedApi, 'getMe'>>): AccountClient {
  return {
    get quota() {
      return quotas()
    },
    getMe: (options) => partOf('user', send('getMe', {}, options)),
  }
}

/** @internal */
export function serviceFunctions(connection: Connection<typeof sharedApi>): ServiceClient {
  const { send } = connection
  return Object.assign(accountFunctions(connection), {
    getOpenapi: (options?: CallOptions) => callOf(send('getOpenapi', {}, options)),
  })
}

/**
 * Yields each item of a list once, and misses none that was there at the beginning and still is (D-16). A pack that is
 * saved meanwhile pushes others onto the next page, where they are skipped. After deletions, the pages that others may
 * have moved to are read again; at the end, the first ones, to which packs of pages that were not read yet may have moved.
 *
 * @param name of the items in a page.
 * @internal
 */
export async function* iteratePages<const N extends string, T>(
  readPage: (page: number) => Promise<Page<N, T>>,
  name: N,
  keyOf: (item: T) => string | number,
): AsyncGenerator<T, undefined, undefined> {
  const seen = new Set<string | number>()
  let before = 0
  // When the last one was saved at the beginning: here, where something has moved, and while that is looked for.
  let begun = ''
  let moved = ''
  let since = ''
  for (let page = 1; ; page += 1) {
    const { [name]: items, pageCount, total } = await readPage(page)
    const pulled = Math.ceil((before - total) / PAGE_SIZE)
    before = total
    if (pulled > 0 && page > 1) {
      page = Math.max(0, page - pulled - 1)
      continue
    }
    for (const item of items) {
      const { updatedAt = '', createdAt = '' } = item as Dated
      begun ||= updatedAt
      // Later ones were not saved meanwhile.
      if (updatedAt < since) return
      if (seen.has(keyOf(item))) moved = begun
      else if (!since || createdAt <= since) {
        seen.add(keyOf(item))
        yield item
      }
    }
    if (page < pageCount) continue
    if (since || !moved) return
    since = moved
    page = 0
  }
}

/** Of lists with those that were saved last at the beginning. */
type Dated = { readonly updatedAt?: string; readonly createdAt?: string }

/** @internal */
export const pageIn = ({ page = 1 }: PageOptions = {}) => ({ query: { page } })

/** @internal */
export const slugOf = ({ slug }: { readonly slug: string }): string => slug

type Page<N extends string, T> = { readonly [K in N]: readonly T[] } & {
  readonly pageCount: number
  readonly total: number
}
