import type { draftingApi } from '../../contract/pools-api.ts'
import type { MemberReply } from '../../contract/staff.ts'
import { whenKnown } from '../../domain/loading.ts'
import { draftsOf } from '../../domain/tournament-access.ts'
import { presentMember, presentStaff } from '../../domain/tournament-views.ts'
import {
  getMember,
  listStaff,
  type MemberInTournament,
  removeMember,
  setRole,
} from '../../operations/staff.ts'
import type { SavedTournament } from '../../domain/tournaments.ts'
import { checkOf, type JsonBody, jsonBody } from '../answer.ts'
import type { AdmittedRequest, HandlerTable } from '../handler.ts'

/** The staff of tournaments (D-61), in the API and for sessions. */
export const staffHandlers: HandlerTable<
  Pick<typeof draftingApi, 'listStaff' | 'getMember' | 'setRole' | 'removeMember'>
> = {
  async listStaff({ ports }, { accountId, slug }) {
    const tournament = await listStaff(ports, accountId, slug)
    return { json: jsonBody({ staff: presentStaff(tournament, accountId) }) }
  },

  getMember({ ports }, { accountId, slug, params }) {
    return whenKnown(getMember(ports, accountId, slug, Number(params.gameId)), (found) => ({
      json: memberBody(found, accountId),
    }))
  },

  async setRole({ ports }, call) {
    const { accountId, slug, params, body } = call
    const gameId = Number(params.gameId)
    const changed = await setRole(ports, accountId, slug, gameId, body, memberCheck(call))
    return { json: memberBody(changed, accountId) }
  },

  async removeMember({ ports }, call) {
    const { accountId, slug, params } = call
    await removeMember(ports, accountId, slug, Number(params.gameId), memberCheck(call))
    return {}
  },
}

/** Of the rounds that a member is limited to, the reader hears of those that they know (D-81). */
const knownTo = (tournament: SavedTournament, accountId: string): readonly string[] =>
  draftsOf(tournament, accountId).map(({ id }) => id)

function memberBody(
  { tournament, member }: MemberInTournament,
  accountId: string,
): JsonBody<MemberReply> {
  const known = knownTo(tournament, accountId)
  const { gameId, role, rounds } = member
  // Deleted rounds stay in a limit, and are not shown in it (D-82).
  return jsonBody({ member: presentMember(member, known) }, { gameId, role, rounds })
}

const memberCheck = ({ accountId, ifMatch }: Pick<AdmittedRequest, 'accountId' | 'ifMatch'>) =>
  checkOf(
    ifMatch,
    (found: MemberInTournament) => memberBody(found, accountId),
    'nothingHereToMatch',
  )
