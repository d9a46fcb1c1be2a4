import { IDEMPOTENCY_KEY_PATTERN, SLUG_PATTERN } from '../contract/bounds.ts'
import { callOf, mapData, type WithResponse } from './call.ts'
import type { CallOptions, ChangeOptions, CreateOptions } from './client-options.ts'
import { ConditionalWrites } from './conditional-writes.ts'
import type { Connection } from './connection.ts'
import { iteratePacks } from './iterate-packs.ts'
import { MapcrateError } from './mapcrate-error.ts'
import { newIdempotencyKey } from './new-idempotency-key.ts'
import { inputOf, type PackDraft } from './pack-draft.ts'
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

const packOf = <P>(answer: WithResponse<{ readonly pack: P }>): WithResponse<P> =>
  mapData(answer, ({ pack }) => pack)

/** The functions of a client over a connection. */
export const packsClient = ({ send, quotas }: Connection): PacksClient => {
  const writes = new ConditionalWrites(send)

  const getMe = async (options?: CallOptions) =>
    mapData(await send('getMe', {}, options), ({ user }) => user)

  const getPack = async (slug: string, options?: CallOptions) =>
    packOf(writes.note(await send('getPack', { slug: checkSlug(slug) }, options)))

  const createPack = async (input: PackDraft, options: CreateOptions = {}) => {
    const body = inputOf(input)
    const idempotencyKey = checkIdempotencyKey(options.idempotencyKey ?? newIdempotencyKey())
    return packOf(writes.note(await send('createPack', { body, idempotencyKey }, options)))
  }

  const replacePack = async (slug: string, input: PackDraft, options: ChangeOptions = {}) => {
    const body = inputOf(input)
    const answer = await writes.write(checkSlug(slug), body, options, (ifMatch) =>
      send('replacePack', { slug, body, ifMatch }, options),
    )
    return packOf(writes.note(answer))
  }

  const deletePack = async (slug: string, options: ChangeOptions = {}) => {
    const answer = await writes.write(checkSlug(slug), null, options, (ifMatch) =>
      send('deletePack', { slug, ifMatch }, options),
    )
    return mapData(answer, () => undefined)
  }

  const listMyPacks: PacksClient['listMyPacks'] = (options = {}) =>
    callOf(send('listMyPacks', { page: options.page ?? 1 }, options))
  const listPacks: PacksClient['listPacks'] = (options = {}) =>
    callOf(send('listPacks', { page: options.page ?? 1 }, options))

  return {
    get quota() {
      return quotas()
    },
    getMe: (options) => callOf(getMe(options)),
    getOpenapi: (options) => callOf(send('getOpenapi', {}, options)),
    listMyPacks,
    listPacks,
    getPack: (slug, options) => callOf(getPack(slug, options)),
    createPack: (input, options) => callOf(createPack(input, options)),
    replacePack: (slug, input, options) => callOf(replacePack(slug, input, options)),
    deletePack: (slug, options) => callOf(deletePack(slug, options)),
    iteratePacks: (options = {}) => iteratePacks((page) => listPacks({ ...options, page })),
    iterateMyPacks: (options = {}) => iteratePacks((page) => listMyPacks({ ...options, page })),
  }
}
