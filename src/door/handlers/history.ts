import { PAGE_SIZE, pageNumbers } from '../../contract/bounds.ts'
import { refusal } from '../../contract/errors.ts'
import type { HistoryPage, VersionReply } from '../../contract/history.ts'
import type { draftingApi } from '../../contract/pools-api.ts'
import type { packsApi } from '../../contract/services.ts'
import type { sessionApi } from '../../contract/session-api.ts'
import { presentDraft, presentWholeDraft } from '../../domain/draft-history.ts'
import {
  type PackHistory,
  presentVersion,
  presentWholeVersion,
  versionsFor,
} from '../../domain/history.ts'
import { ownerNameOf } from '../../domain/packs.ts'
import { readVersion } from '../../domain/reading/requests.ts'
import { getHistory, setHistoryPublic } from '../../operations/history.ts'
import { getDraftHistory } from '../../operations/rounds.ts'
import { notFound } from '../../operations/tournaments.ts'
import { checkOf, type JsonBody, jsonBody, memoJson } from '../answer.ts'
import type { Context } from '../context.ts'
import type { HandlerTable } from '../handler.ts'
import { linkTo } from './packs.ts'

/** The histories of packs (D-70 to D-72). */
export const historyHandlers: HandlerTable<
  Pick<typeof packsApi, 'getHistory' | 'getVersion' | 'setHistoryPublic'>
> = {
  async getHistory(context, { accountId, slug, page }) {
    const history = await getHistory(context.ports, accountId, slug)
    const json = pageBody(context, history, accountId, page)
    const fields = pageNumbers(page, versionsFor(history, accountId).length)
    return { json, headers: { link: linkTo(context, `/packs/${slug}/history`, fields) } }
  },

  async getVersion(context, { accountId, slug, params }) {
    const history = await getHistory(context.ports, accountId, slug)
    return { json: jsonBody(versionIn(context, history, accountId, params.version)) }
  },

  async setHistoryPublic(context, { accountId, slug, body, ifMatch }) {
    const check = checkOf(ifMatch, (history: PackHistory) =>
      pageBody(context, history, accountId, 1),
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

  getVersion: historyHandlers.getVersion,

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
  const present = (name: string) =>
    presentPage(versionsFor(history, accountId), page, (version, before) =>
      presentVersion(version, before, name),
    )
  // The name of who saves comes from the platform (D-86).
  return memo(
    history,
    variant,
    () => present(savedBy),
    () => present(''),
  )
}

/** Throws `not_found` alike for a version that is not there and one that the account may not read. */
function versionIn(
  { settings }: Context,
  history: PackHistory,
  accountId: string,
  named: string,
): VersionReply {
  const [version, before] = findVersion(versionsFor(history, accountId), named)
  if (version === undefined) throw refusal('versionNotFound')
  const savedBy = ownerNameOf(history.pack, settings.poolsOwnerName)
  return { version: presentWholeVersion(version, before, savedBy) }
}

/** The histories of drafts, in the API and for sessions. */
export const draftHistoryHandlers: HandlerTable<
  Pick<typeof draftingApi, 'getDraftHistory' | 'getDraftVersion'>
> = {
  async getDraftHistory(context, { accountId, slug, params, page }) {
    const drafts = await getDraftHistory(context.ports, accountId, slug, params.round)
    const shown = presentPage(drafts, page, presentDraft)
    const path = `/tournaments/${slug}/rounds/${params.round}/history`
    return { json: jsonBody(shown), headers: { link: linkTo(context, path, shown) } }
  },

  async getDraftVersion({ ports }, { accountId, slug, params }) {
    const drafts = await getDraftHistory(ports, accountId, slug, params.round)
    const [draft, before] = findVersion(drafts, params.version)
    return { json: jsonBody({ version: presentWholeDraft(draft ?? notFound(), before) }) }
  },
}

/** A page of versions, newest first, each with what it has changed of the one before it. */
function presentPage<V, P>(
  versions: readonly V[],
  page: number,
  present: (version: V, before: V | undefined) => P,
) {
  const from = (page - 1) * PAGE_SIZE
  return {
    versions: versions
      .slice(from, from + PAGE_SIZE)
      .map((version, at) => present(version, versions[from + at + 1])),
    ...pageNumbers(page, versions.length),
  }
}

/** The version with the number that a path names, and the one before it. */
function findVersion<V extends { readonly version: number }>(
  versions: readonly V[],
  named: string,
): readonly [V | undefined, V | undefined] {
  const number = readVersion(named)
  const at = versions.findIndex(({ version }) => version === number)
  return [versions[at], versions[at + 1]]
}
