import type { poolsSessionApi } from '../../contract/session-api.ts'
import { presentInvitation, presentOffer } from '../../domain/invitations.ts'
import {
  acceptInvitation,
  listInvitations,
  makeInvitation,
  readInvitation,
  withdrawInvitation,
} from '../../operations/invitations.ts'
import { jsonBody } from '../answer.ts'
import type { HandlerTable } from '../handler.ts'

/** Invitations to the staff. A token is in the path of a request, and in no log line. */
export const invitationHandlers: HandlerTable<
  Pick<
    typeof poolsSessionApi,
    | 'listInvitations'
    | 'makeInvitation'
    | 'withdrawInvitation'
    | 'getInvitation'
    | 'acceptInvitation'
  >
> = {
  async listInvitations({ ports }, { accountId, slug }) {
    const open = await listInvitations(ports, accountId, slug)
    return { json: jsonBody({ invitations: open.map(presentInvitation) }) }
  },

  async makeInvitation({ ports, settings }, { accountId, slug, body }) {
    const { invitation, token } = await makeInvitation(ports, accountId, slug, body)
    const url = `${settings.ownUrl}/invite/${token}`
    return { json: jsonBody({ invitation: presentInvitation(invitation), url }) }
  },

  async withdrawInvitation({ ports }, { accountId, slug, params }) {
    await withdrawInvitation(ports, accountId, slug, params.id)
    return {}
  },

  async getInvitation({ ports }, { accountId, params }) {
    const { tournament, invitation } = await readInvitation(ports, params.token)
    return { json: jsonBody(presentOffer(tournament, invitation, accountId)) }
  },

  async acceptInvitation({ ports }, { viewer, params }) {
    const { tournament, invitation } = await acceptInvitation(ports, viewer, params.token)
    return { json: jsonBody(presentOffer(tournament, invitation, viewer.accountId)) }
  },
}
