import type { poolsSessionApi } from '../../contract/session-api.ts'
import { readWorkspace } from '../../operations/workspaces.ts'
import { jsonBody } from '../answer.ts'
import type { HandlerTable } from '../handler.ts'

/** The workspace of a tournament, live. */
export const workspaceHandlers: HandlerTable<
  Pick<typeof poolsSessionApi, 'getWorkspace' | 'followWorkspace'>
> = {
  async getWorkspace({ ports }, { viewer, slug }) {
    return { json: jsonBody(await readWorkspace(ports, viewer, slug)) }
  },

  async followWorkspace({ workspaceHub }, { viewer, slug, query }) {
    return { events: await workspaceHub.open(viewer, slug, query.round ?? null) }
  },
}
