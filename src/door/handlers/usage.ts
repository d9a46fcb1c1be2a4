import type { usageApi } from '../../contract/pools-api.ts'
import type { UsageQuery } from '../../contract/usage.ts'
import { presentUse, readUsage } from '../../operations/usage.ts'
import { jsonBody } from '../answer.ts'
import type { HandlerTable } from '../handler.ts'
import { linkTo, pageFields } from './packs.ts'

/** Where beatmaps were pooled (D-67). */
export const usageHandlers: HandlerTable<typeof usageApi> = {
  async getBeatmapUsage(context, { params, page }) {
    const { ports, settings } = context
    const { uses, total } = await readUsage(ports, [Number(params.id)], page)
    const fields = pageFields(page, total)
    const link = linkTo(context, `/beatmaps/${params.id}/usage`, fields)
    const shown = uses.map((use) => presentUse(use, settings.poolsOwnerName))
    return { json: jsonBody({ uses: shown, ...fields }), headers: { link } }
  },

  async listBeatmapUsage(context, { query, page }) {
    const { ports, settings } = context
    const { uses, totals, total } = await readUsage(ports, idsIn(query), page)
    const fields = pageFields(page, total)
    const link = linkTo(context, '/beatmaps/usage', fields, [['ids', query.ids]])
    const shown = uses.map((use) => ({
      beatmapId: use.beatmapId,
      ...presentUse(use, settings.poolsOwnerName),
    }))
    return { json: jsonBody({ uses: shown, totals, ...fields }), headers: { link } }
  },
}

const idsIn = ({ ids }: UsageQuery): number[] => ids.split(',').map(Number)
