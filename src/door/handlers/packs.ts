import { whenKnown } from '../../domain/loading.ts'
import { PAGE_SIZE, pageNumbers } from '../../contract/bounds.ts'
import { API_PREFIX } from '../../contract/endpoint.ts'
import type { PackPage, PackReply, SitePackReply } from '../../contract/packs.ts'
import type { packsApi } from '../../contract/services.ts'
import type { sessionApi } from '../../contract/session-api.ts'
import { presentPack, presentSitePack, type SavedPack } from '../../domain/packs.ts'
import type { IfMatch } from '../../domain/reading/requests.ts'
import type { Session } from '../../domain/sessions.ts'
import {
  createPack,
  deletePack,
  getPack,
  openPack,
  recordMagnet,
  removeMagnet,
  replacePack,
  savedLast,
} from '../../operations/packs.ts'
import type { PackList } from '../../ports/packs.ts'
import { checkOf, type JsonBody, jsonBody, memoJson } from '../answer.ts'
import type { Context } from '../context.ts'
import type { HandlerTable } from '../handler.ts'

/** The packs of the API (spec 4.1). */
export const packHandlers: HandlerTable<
  Pick<
    typeof packsApi,
    'listMyPacks' | 'listPacks' | 'createPack' | 'getPack' | 'replacePack' | 'deletePack'
  >
> = {
  async listMyPacks(context, { accountId, page }) {
    const list = await context.ports.packs.listOwned(accountId, page, PAGE_SIZE)
    return answerPage(context, '/me/packs', page, list)
  },

  listPacks(context, { page }) {
    return whenKnown(context.ports.packs.listPublic(page, PAGE_SIZE), (list) =>
      answerPage(context, '/packs', page, list),
    )
  },

  async createPack(context, { accountId, body, idempotencyKey }) {
    const pack = await createPack(context.ports, accountId, body, idempotencyKey)
    const location = `${context.settings.ownApiUrl}${API_PREFIX}/packs/${pack.slug}`
    return { json: packBody(context, pack), headers: { location } }
  },

  getPack(context, { accountId, slug }) {
    return whenKnown(getPack(context.ports, accountId, slug), (pack) => ({
      json: packBody(context, pack),
    }))
  },

  async replacePack(context, { accountId, slug, body, ifMatch }) {
    const check = preconditionIn(context, ifMatch)
    return {
      json: packBody(context, await replacePack(context.ports, accountId, slug, body, check)),
    }
  },

  async deletePack(context, { accountId, slug, ifMatch }) {
    await deletePack(context.ports, accountId, slug, preconditionIn(context, ifMatch))
    return {}
  },
}

const packMemo = memoJson<PackReply>()
const pageMemo = memoJson<PackPage>()

function packBody({ settings }: Context, pack: SavedPack): JsonBody<PackReply> {
  const { poolsOwnerName } = settings
  const present = () => ({ pack: presentPack(pack, poolsOwnerName) })
  return packMemo(pack, poolsOwnerName, present, () => savedState(pack))
}

/** Stats, names and what moderators do come in between (D-86). */
const savedState = ({ updatedAt, exports, historyPublic }: SavedPack) => [
  updatedAt,
  exports.map(({ url }) => url),
  historyPublic,
]

const preconditionIn = (context: Context, ifMatch: IfMatch | null) =>
  checkOf(ifMatch, (pack: SavedPack) => packBody(context, pack))

/** A page of packs with links to its neighbours (spec 2.7, D-13). */
function answerPage(context: Context, path: string, page: number, list: PackList) {
  const { poolsOwnerName } = context.settings
  const json = pageMemo(list, `${page} ${poolsOwnerName}`, () =>
    presentPage(list, page, poolsOwnerName),
  )
  const { pageCount } = pageNumbers(page, list.total)
  return { json, headers: { link: linkTo(context, path, { page, pageCount }) } }
}

function presentPage({ rows, total }: PackList, page: number, poolsOwnerName: string): PackPage {
  return {
    packs: rows.map((pack) => presentPack(pack, poolsOwnerName)),
    ...pageNumbers(page, total),
  }
}

/** The `Link` header of a page of the list at this path, of what else was asked for. */
export function linkTo(
  { settings }: Context,
  path: string,
  { page, pageCount }: { readonly page: number; readonly pageCount: number },
  query: readonly [name: string, value: string][] = [],
): string {
  const asked = new URLSearchParams(query.map(([...pair]) => pair)).toString()
  // Proxies give all headers of an answer 4 KB by default.
  const isLong = asked.length > 400
  const url = `${settings.ownApiUrl}${API_PREFIX}${path}?${asked && `${asked}&`}`
  const link = (rel: string, to: number) => `<${url}page=${to}>; rel="${rel}"`
  return [
    ...(isLong ? [] : [link('first', 1)]),
    ...(page > 1 ? [link('prev', Math.min(page - 1, pageCount))] : []),
    ...(page < pageCount ? [link('next', page + 1)] : []),
    ...(isLong ? [] : [link('last', pageCount)]),
  ].join(', ')
}

/** The items of a page of a list in memory, its fields, and links to its neighbours. */
export function pageOf<T>(context: Context, path: string, page: number, all: readonly T[]) {
  const from = (page - 1) * PAGE_SIZE
  const fields = pageNumbers(page, all.length)
  const headers = { link: linkTo(context, path, fields) }
  return { items: all.slice(from, from + PAGE_SIZE), fields, headers }
}

/** Packs in session endpoints. */
export const sessionPackHandlers: HandlerTable<
  Pick<
    typeof sessionApi,
    | 'listMyPacks'
    | 'createPack'
    | 'getPack'
    | 'replacePack'
    | 'deletePack'
    | 'recordMagnet'
    | 'removeMagnet'
  >
> = {
  async listMyPacks({ ports, settings, builds }, { accountId, page }) {
    const json = await builds.run(accountId, `packs ${page}`, async () => {
      const list = await ports.packs.listOwned(accountId, page, PAGE_SIZE)
      return presentPage(list, page, settings.poolsOwnerName)
    })
    return { json: jsonBody(json) }
  },

  async createPack(context, { viewer, body, idempotencyKey }) {
    const pack = await createPack(context.ports, viewer.accountId, body, idempotencyKey)
    return answerSitePack(context, viewer, pack)
  },

  async getPack(context, { viewer, slug }) {
    return answerSitePack(context, viewer, await openPack(context.ports, viewer, slug))
  },

  async replacePack(context, { viewer, slug, body }) {
    const check = savedLast(body.basedOn)
    const pack = await replacePack(context.ports, viewer.accountId, slug, body.pack, check)
    return answerSitePack(context, viewer, pack)
  },

  async deletePack({ ports }, { viewer, slug }) {
    await deletePack(ports, viewer.accountId, slug)
    return {}
  },

  async recordMagnet(context, { viewer, slug, body }) {
    const pack = await recordMagnet(context.ports, viewer.accountId, slug, body)
    return answerSitePack(context, viewer, pack)
  },

  async removeMagnet(context, { viewer, slug, body }) {
    const pack = await removeMagnet(context.ports, viewer.accountId, slug, body.url)
    return answerSitePack(context, viewer, pack)
  },
}

function answerSitePack(
  { settings }: Context,
  viewer: Session | null,
  pack: SavedPack,
): { json: JsonBody<SitePackReply> } {
  return { json: jsonBody({ pack: presentSitePack(pack, viewer, settings.poolsOwnerName) }) }
}
