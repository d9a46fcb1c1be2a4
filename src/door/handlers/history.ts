import { PAGE_SIZE } from '../../contract/bounds.ts'
import { refusal } from '../../contract/errors.ts'
import type { HistoryPage, VersionReply } from '../../contract/history.ts'
import type { packsApi } from '../../contract/services.ts'
import type { sessionApi } from '../../contract/session-api.ts'
import {
  type PackHistory,
  presentVersion,
  presentWholeVersion,
  type ReadVersion,
  versionsFor,
} from '../../domain/history.ts'
import { ownerNameOf } from '../../domain/packs.ts'
import { preconditionOf, readVersion, tagsOf } from '../../domain/reading/requests.ts'
import { getHistory, setHistoryPublic } from '../../operations/history.ts'
import { type JsonBody, jsonBody, memoJson } from '../answer.ts'
import type { Context } from '../context.ts'
import type { HandlerTable } from '../handler.ts'
import { linkTo, pageFields } from './packs.ts'

/** The histories of packs (D-70 to D-72). */
export const historyHandlers: HandlerTable<
  Pick<typeof packsApi, 'getHistory' | 'getVersion' | 'setHistoryPublic'>
> = {
  async getHistory(context, { accountId, slug, page }) {
    const history = await getHistory(context.ports, accountId, slug)
    const json = pageBody(context, history, accountId, page)
    const fields = pageFields(page, versionsFor(history, accountId).length)
    return { json, headers: { link: linkTo(context, `/packs/${slug}/history`, fields) } }
  },

  async getVersion(context, { accountId, slug, params }) {
    const history = await getHistory(context.ports, accountId, slug)
    return { json: jsonBody(versionIn(context, history, accountId, params.version)) }
  },

  async setHistoryPublic(context, { accountId, slug, body, ifMatch }) {
    const check = preconditionOf(ifMatch, (history: PackHistory) =>
      tagsOf(pageBody(context, history, accountId, 1).etag),
    )
    await setHistoryPublic(context.ports, accountId, slug, body.public, check)
    return {}
  },
}

/** The same in session endpoints; moderators read what others do. */
export const sessionHistoryHandlers: HandlerTable<
  Pick<typeof sessionApi, 'getHistory' | 'getVersion' | 'setHistoryPublic'>
> = {
  async getHistory(context, { accountId, slug, page }) {
    const history = await getHistory(context.ports, accountId, slug)
    return { json: pageBody(context, history, accountId, page) }
  },

  async getVersion(context, { accountId, slug, params }) {
    const history = await getHistory(context.ports, accountId, slug)
    return { json: jsonBody(versionIn(context, history, accountId, params.version)) }
  },

  async setHistoryPublic({ ports }, { accountId, slug, body }) {
    await setHistoryPublic(ports, accountId, slug, body.public)
    return {}
  },
}

const memo = memoJson<HistoryPage>()

/** All but the owner read the same. */
function pageBody(
  { settings }: Context,
  history: PackHistory,
  accountId: string,
  page: number,
): JsonBody<HistoryPage> {
  const savedBy = ownerNameOf(history.pack, settings.poolsOwnerName)
  const variant = `${page} ${history.pack.ownerId === accountId} ${savedBy}`
  return memo(history, variant, () => presentPage(versionsFor(history, accountId), page, savedBy))
}

function presentPage(versions: readonly ReadVersion[], page: number, savedBy: string): HistoryPage {
  const from = (page - 1) * PAGE_SIZE
  return {
    versions: versions
      .slice(from, from + PAGE_SIZE)
      .map((version, at) => presentVersion(version, versions[from + at + 1], savedBy)),
    ...pageFields(page, versions.length),
  }
}

/** Throws `not_found` alike for a version that is not there and one that the account may not read. */
function versionIn(
  { settings }: Context,
  history: PackHistory,
  accountId: string,
  named: string,
): VersionReply {
  const number = readVersion(named)
  const versions = versionsFor(history, accountId)
  const at = versions.findIndex(({ version }) => version === number)
  const version = versions[at]
  if (version === undefined) throw refusal('versionNotFound')
  const savedBy = ownerNameOf(history.pack, settings.poolsOwnerName)
  return { version: presentWholeVersion(version, versions[at + 1], savedBy) }
}
