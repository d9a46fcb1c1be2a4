import type { draftingApi } from '../../contract/pools-api.ts'
import { presentMember } from '../../domain/tournament-views.ts'
import { listStaff, removeMember, setRole } from '../../operations/staff.ts'
import { jsonBody } from '../answer.ts'
import type { HandlerTable } from '../handler.ts'

/** The staff of tournaments (D-61), in the API and for sessions. */
export const staffHandlers: HandlerTable<
  Pick<typeof draftingApi, 'listStaff' | 'setRole' | 'removeMember'>
> = {
  async listStaff({ ports }, { accountId, slug }) {
    const staff = await listStaff(ports, accountId, slug)
    return { json: jsonBody({ staff: [...staff] }) }
  },

  async setRole({ ports }, { accountId, slug, params, body }) {
    const member = await setRole(ports, accountId, slug, Number(params.gameId), body)
    return { json: jsonBody({ member: presentMember(member, member.rounds ?? []) }) }
  },

  async removeMember({ ports }, { accountId, slug, params }) {
    await removeMember(ports, accountId, slug, Number(params.gameId))
    return {}
  },
}
