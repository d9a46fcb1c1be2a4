import type { Static, TSchema } from 'typebox'
import type { packsApi } from '../contract/packs-api.ts'

type Api = typeof packsApi
export type CallName = keyof Api

/** Where each call goes. Held to the contract by the compiler, so that no schema is loaded here. */
export const lines: { readonly [N in CallName]: `${Api[N]['method']} ${Api[N]['path']}` } = {
  getMe: 'GET /me',
  listMyPacks: 'GET /me/packs',
  listPacks: 'GET /packs',
  createPack: 'POST /packs',
  getPack: 'GET /packs/{slug}',
  replacePack: 'PUT /packs/{slug}',
  deletePack: 'DELETE /packs/{slug}',
  getOpenapi: 'GET /openapi.json',
}

type Field<N extends CallName, Has extends string, Want> =
  Api[N] extends Record<Has, unknown> ? Want : unknown
type SlugOf<N extends CallName> = Api[N]['path'] extends `${string}{slug}${string}`
  ? { readonly slug: string }
  : unknown
type BodyOf<N extends CallName> = Api[N] extends { body: infer S extends TSchema }
  ? { readonly body: Static<S> }
  : unknown

/** What a call takes: `slug`, `body`, `page`, `idempotencyKey` and `ifMatch` where its endpoint does. */
export type CallInput<N extends CallName> = SlugOf<N> &
  BodyOf<N> &
  Field<N, 'paged', { readonly page: number }> &
  Field<N, 'idempotencyKey', { readonly idempotencyKey: string }> &
  Field<N, 'conditional', { readonly ifMatch?: string | undefined }>

/** What a call gives; nothing where its endpoint answers without a body. */
export type CallReply<N extends CallName> = Api[N]['success']['schema'] extends infer S
  ? S extends TSchema
    ? Static<S>
    : undefined
  : never

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isPack = (value: unknown): boolean =>
  isObject(value) && typeof value['slug'] === 'string' && Array.isArray(value['slots'])

const holdsPack = (body: Record<string, unknown>): boolean => isPack(body['pack'])

const isPage = ({ packs, page, pageCount, total }: Record<string, unknown>): boolean =>
  Array.isArray(packs) && packs.every(isPack) && [page, pageCount, total].every(Number.isInteger)

/** Enough of a look to be sure that the service answered, and not something in between. */
const shapes: { readonly [N in CallName]: (body: Record<string, unknown>) => boolean } = {
  getMe: ({ user }) => isObject(user),
  listMyPacks: isPage,
  listPacks: isPage,
  createPack: holdsPack,
  getPack: holdsPack,
  replacePack: holdsPack,
  // Its success has no body.
  deletePack: () => false,
  getOpenapi: ({ openapi }) => typeof openapi === 'string',
}

/** Does a body look like the answer of this call? */
export const fits = (name: CallName, body: unknown): boolean => isObject(body) && shapes[name](body)
