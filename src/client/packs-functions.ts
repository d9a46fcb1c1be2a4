import { IDEMPOTENCY_KEY_PATTERN, SLUG_PATTERN } from '../contract/bounds.ts'
import type { Connection } from './connection.ts'
import { iteratePacks } from './iterate-packs.ts'
import { MapcrateError } from './mapcrate-error.ts'
import { newIdempotencyKey } from './new-idempotency-key.ts'
import { inputOf } from './pack-draft.ts'
import type { PacksClient } from './packs-client.ts'

const SLUG = new RegExp(SLUG_PATTERN)
const IDEMPOTENCY_KEY = new RegExp(IDEMPOTENCY_KEY_PATTERN)

/** What no pack can be called is not asked for: it may be anything that somebody typed. */
const checkSlug = (slug: string): string => {
  if (SLUG.test(slug)) return slug
  throw new MapcrateError('not_found', 'a slug is 10 letters, digits, - or _; no pack has another')
}

/** Some cannot even be sent. */
const checkIdempotencyKey = (key: string): string => {
  if (IDEMPOTENCY_KEY.test(key)) return key
  throw new MapcrateError('bad_request', 'idempotencyKey must be 1 to 255 visible ASCII characters')
}

/** The functions of a client over a connection. */
export const packsClient = ({ send, quotas }: Connection): PacksClient => {
  const listMyPacks: PacksClient['listMyPacks'] = (options = {}) =>
    send('listMyPacks', { page: options.page ?? 1 }, options)
  const listPacks: PacksClient['listPacks'] = (options = {}) =>
    send('listPacks', { page: options.page ?? 1 }, options)

  return {
    get quota() {
      return quotas()
    },
    getMe: async (options) => (await send('getMe', {}, options)).user,
    getOpenapi: (options) => send('getOpenapi', {}, options),
    listMyPacks,
    listPacks,
    getPack: async (slug, options) =>
      (await send('getPack', { slug: checkSlug(slug) }, options)).pack,
    async createPack(input, options = {}) {
      const body = inputOf(input)
      const idempotencyKey = checkIdempotencyKey(options.idempotencyKey ?? newIdempotencyKey())
      return (await send('createPack', { body, idempotencyKey }, options)).pack
    },
    async replacePack(slug, input, options) {
      const call = { slug: checkSlug(slug), body: inputOf(input) }
      return (await send('replacePack', call, options)).pack
    },
    async deletePack(slug, options) {
      await send('deletePack', { slug: checkSlug(slug) }, options)
    },
    iteratePacks: ({ signal } = {}) => iteratePacks((page) => listPacks({ page, signal })),
    iterateMyPacks: ({ signal } = {}) => iteratePacks((page) => listMyPacks({ page, signal })),
  }
}
