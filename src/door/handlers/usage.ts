import type { usageApi } from '../../contract/pools-api.ts'
import { readUsage } from '../../operations/usage.ts'
import { jsonBody } from '../answer.ts'
import type { Context } from '../context.ts'
import type { HandlerTable } from '../handler.ts'
import { linkTo, pageFields } from './packs.ts'

/** Where beatmaps were pooled (D-67). */
export const usageHandlers: HandlerTable<typeof usageApi> = {
  getBeatmapUsage: (context, { params, page }) =>
    answerUsage(context, params.id, page, `/beatmaps/${params.id}/usage`),

  async listBeatmapUsage(context, { query, page }) {
    const { ports, settings } = context
    const ids = query.ids.split(',').map(Number)
    const { uses, totals, total } = await readUsage(ports, ids, page, settings.poolsOwnerName)
    const fields = pageFields(page, total)
    const link = linkTo(context, '/beatmaps/usage', fields, [['ids', query.ids]])
    return { json: jsonBody({ uses, totals, ...fields }), headers: { link } }
  },
}

async function answerUsage(context: Context, id: string, page: number, path: string) {
  const { ports, settings } = context
  const found = await readUsage(ports, [Number(id)], page, settings.poolsOwnerName)
  const uses = found.uses.map(({ beatmapId: _, ...use }) => use)
  const fields = pageFields(page, found.total)
  const headers = { link: linkTo(context, path, fields) }
  return { json: jsonBody({ uses, ...fields }), headers }
}
