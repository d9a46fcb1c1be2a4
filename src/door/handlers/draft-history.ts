import { PAGE_SIZE } from '../../contract/bounds.ts'
import type { draftingApi } from '../../contract/pools-api.ts'
import { presentDraft, presentWholeDraft } from '../../domain/draft-history.ts'
import { readVersion } from '../../domain/reading/requests.ts'
import { getDraftHistory } from '../../operations/rounds.ts'
import { notFound } from '../../operations/tournaments.ts'
import { jsonBody } from '../answer.ts'
import type { HandlerTable } from '../handler.ts'
import { linkTo, pageFields } from './packs.ts'

/** The histories of drafts, in the API and for sessions. */
export const draftHistoryHandlers: HandlerTable<
  Pick<typeof draftingApi, 'getDraftHistory' | 'getDraftVersion'>
> = {
  async getDraftHistory(context, { accountId, slug, params, page }) {
    const drafts = await getDraftHistory(context.ports, accountId, slug, params.round)
    const from = (page - 1) * PAGE_SIZE
    const shown = drafts.slice(from, from + PAGE_SIZE)
    const fields = pageFields(page, drafts.length)
    const path = `/tournaments/${slug}/rounds/${params.round}/history`
    return {
      json: jsonBody({
        versions: shown.map((draft, at) => presentDraft(draft, drafts[from + at + 1])),
        ...fields,
      }),
      headers: { link: linkTo(context, path, fields) },
    }
  },

  async getDraftVersion({ ports }, { accountId, slug, params }) {
    const drafts = await getDraftHistory(ports, accountId, slug, params.round)
    const number = readVersion(params.version)
    const at = drafts.findIndex(({ version }) => version === number)
    const draft = drafts[at] ?? notFound()
    return { json: jsonBody({ version: presentWholeDraft(draft, drafts[at + 1]) }) }
  },
}
