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
  let begun = ''
  let hasMoved = false
  for (let page = 1, isAgain = false; ;) {
    const { [name]: items, pageCount, total } = await readPage(page)
    const [first] = items as readonly Dated[]
    begun ||= first?.updatedAt ?? ''
    const pulled = Math.ceil(Math.max(0, before - total) / PAGE_SIZE)
    before = total
    if (pulled > 0 && page > 1) {
      hasMoved = true
      page = Math.max(1, page - pulled)
      continue
    }
    for (const item of items) {
      const { updatedAt = '', createdAt = '' }: Dated = item as Dated
      // The others are where they were.
      if (isAgain && updatedAt < begun) return undefined
      const isSeen = seen.has(keyOf(item))
      hasMoved ||= isSeen
      if (isSeen || (isAgain && createdAt > begun)) continue
      seen.add(keyOf(item))
      yield item
    }
    if (page < pageCount) page += 1
    else if (isAgain || !hasMoved || begun === '') return undefined
    else [page, isAgain] = [1, true]
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
