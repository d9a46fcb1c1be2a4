import type { poolsSessionApi } from '../../contract/session-api.ts'
import { refusal } from '../../contract/errors.ts'
import { presentReleased } from '../../domain/tournament-views.ts'
import { getDraft } from '../../operations/rounds.ts'
import { readWorkspace } from '../../operations/workspaces.ts'
import { jsonBody } from '../answer.ts'
import type { HandlerTable } from '../handler.ts'

/** The workspace of a tournament, live. */
export const workspaceHandlers: HandlerTable<
  Pick<typeof poolsSessionApi, 'getWorkspace' | 'followWorkspace' | 'getReleased'>
> = {
  async getWorkspace({ ports }, { viewer, slug }) {
    return { json: jsonBody(await readWorkspace(ports, viewer, slug)) }
  },

  async followWorkspace({ workspaceHub }, { viewer, slug, query }) {
    return { events: await workspaceHub.open(viewer, slug, query.round ?? null) }
  },

  async getReleased({ ports }, { viewer, slug, params }) {
    const { round } = await getDraft(ports, viewer.accountId, slug, params.round)
    const released = presentReleased(round)
    if (released === null) throw refusal('tournamentNotFound')
    return { json: jsonBody({ round: released }) }
  },
}
