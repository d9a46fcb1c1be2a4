import { pageNumbers } from '../../contract/bounds.ts'
import type { usageApi } from '../../contract/pools-api.ts'
import type { sessionApi } from '../../contract/session-api.ts'
import { type DraftUse, MAX_DRAFT_USES, type UsageQuery } from '../../contract/usage.ts'
import { lookUpUsage, presentUse, readUsage, type SavedDraftUse } from '../../operations/usage.ts'
import { jsonBody } from '../answer.ts'
import type { HandlerTable } from '../handler.ts'
import { linkTo } from './packs.ts'

/** Where beatmaps were pooled (D-67). */
export const usageHandlers: HandlerTable<typeof usageApi> = {
  async getBeatmapUsage(context, { params, page }) {
    const { ports, settings } = context
    const { uses, total } = await readUsage(ports, [Number(params.id)], page)
    const fields = pageNumbers(page, total)
    const link = linkTo(context, `/beatmaps/${params.id}/usage`, fields)
    const shown = uses.map((use) => presentUse(use, settings.poolsOwnerName))
    return { json: jsonBody({ uses: shown, ...fields }), headers: { link } }
  },

  async listBeatmapUsage(context, { query, page }) {
    const { ports, settings } = context
    const { uses, totals, total } = await readUsage(ports, idsIn(query), page)
    const fields = pageNumbers(page, total)
    const link = linkTo(context, '/beatmaps/usage', fields, [['ids', query.ids]])
    const shown = uses.map((use) => ({
      beatmapId: use.beatmapId,
      ...presentUse(use, settings.poolsOwnerName),
    }))
    return { json: jsonBody({ uses: shown, totals, ...fields }), headers: { link } }
  },
}

/** The same on the sites, with drafts where tournaments are. */
export const sessionUsageHandlers: HandlerTable<Pick<typeof sessionApi, 'lookUpUsage'>> = {
  async lookUpUsage({ ports, service, settings }, { viewer, query }) {
    const { tournament = null } = query
    const accountId = viewer?.accountId ?? null
    const withDrafts = service === 'pools'
    const notes = await lookUpUsage(ports, idsIn(query), accountId, tournament, withDrafts)
    const beatmaps = notes.map(({ beatmapId, total, last, drafts }) => ({
      beatmapId,
      total,
      ...(last !== null && { last: presentUse(last, settings.poolsOwnerName) }),
      ...(drafts.length > 0 && { drafts: drafts.slice(0, MAX_DRAFT_USES).map(presentDraft) }),
    }))
    return { json: jsonBody({ beatmaps }) }
  },
}

const presentDraft = ({ tournament, round, mod, index }: SavedDraftUse): DraftUse => ({
  tournament: { ...tournament },
  round,
  mod,
  index,
})

const idsIn = ({ ids }: Pick<UsageQuery, 'ids'>): number[] => ids.split(',').map(Number)
