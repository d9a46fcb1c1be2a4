import { API_PREFIX } from '../../contract/endpoint.ts'
import type { Check, ChecksReply } from '../../contract/checks.ts'
import type { CandidateReply, ProposalReply, RemarkReply } from '../../contract/discussion.ts'
import type { discussionApi } from '../../contract/pools-api.ts'
import type { poolsSessionApi } from '../../contract/session-api.ts'
import {
  presentCandidate,
  presentRemark,
  type RoundPlace,
  type SavedCandidate,
  type SavedRemark,
  unnamed,
} from '../../domain/discussion.ts'
import { requesterOf } from '../../domain/quotas.ts'
import { checkDrafts } from '../../operations/checks.ts'
import {
  addRemark,
  changeRemark,
  getCandidate,
  getRemark,
  moveCandidate,
  propose,
  proposeAll,
  readDiscussion,
  removeCandidate,
  removeRemark,
  vote,
} from '../../operations/discussion.ts'
import { countChecks } from '../../pool/check-words.ts'
import { checkOf, type JsonBody, jsonBody } from '../answer.ts'
import type { Context } from '../context.ts'
import type { AdmittedRequest, HandlerTable } from '../handler.ts'
import { withDeadline } from './beatmaps.ts'
import { pageOf } from './packs.ts'

/** Candidates, votes, remarks and checks of drafts, in the API and for sessions. */
export const discussionHandlers: HandlerTable<typeof discussionApi> = {
  async listCandidates(context, call) {
    const { candidates } = await readDiscussion(context.ports, call.accountId, placeOf(call))
    const { items, fields, headers } = pageOf(
      context,
      `${pathOf(call)}/candidates`,
      call.page,
      candidates,
    )
    return { json: jsonBody({ candidates: items.map(presentCandidate), ...fields }), headers }
  },

  async proposeCandidate({ ports, settings }, call) {
    const { accountId, body, idempotencyKey } = call
    const place = placeOf(call)
    const list = `${settings.ownApiUrl}${API_PREFIX}${pathOf(call)}/candidates`
    if ('candidates' in body) {
      const made = await proposeAll(ports, accountId, place, body.candidates, idempotencyKey)
      const json = jsonBody<ProposalReply>(
        { candidates: made.map(presentCandidate) },
        made.map((candidate) => presentCandidate(unnamed(candidate))),
      )
      return { json, headers: { location: list } }
    }
    const candidate = await propose(ports, accountId, place, body, idempotencyKey)
    return { json: candidateBody(candidate), headers: { location: `${list}/${candidate.id}` } }
  },

  async getCandidate({ ports }, call) {
    return { json: candidateBody(await getCandidate(ports, ...itemOf(call))) }
  },

  async voteOnCandidate({ ports }, call) {
    const candidate = await vote(ports, ...itemOf(call), call.body.vote, candidateCheck(call))
    return { json: candidateBody(candidate) }
  },

  async moveCandidate({ ports }, call) {
    const candidate = await moveCandidate(ports, ...itemOf(call), call.body, candidateCheck(call))
    return { json: candidateBody(candidate) }
  },

  async removeCandidate({ ports }, call) {
    await removeCandidate(ports, ...itemOf(call), candidateCheck(call))
    return {}
  },

  async listRemarks(context, call) {
    const { remarks } = await readDiscussion(context.ports, call.accountId, placeOf(call))
    const { items, fields, headers } = pageOf(
      context,
      `${pathOf(call)}/remarks`,
      call.page,
      remarks,
    )
    return { json: jsonBody({ remarks: items.map(presentRemark), ...fields }), headers }
  },

  async addRemark({ ports, settings }, call) {
    const remark = await addRemark(
      ports,
      call.accountId,
      placeOf(call),
      call.body,
      call.idempotencyKey,
    )
    const location = `${settings.ownApiUrl}${API_PREFIX}${pathOf(call)}/remarks/${remark.id}`
    return { json: remarkBody(remark), headers: { location } }
  },

  async getRemark({ ports }, call) {
    return { json: remarkBody(await getRemark(ports, ...itemOf(call))) }
  },

  async updateRemark({ ports }, call) {
    const remark = await changeRemark(ports, ...itemOf(call), call.body, remarkCheck(call))
    return { json: remarkBody(remark) }
  },

  async removeRemark({ ports }, call) {
    await removeRemark(ports, ...itemOf(call), remarkCheck(call))
    return {}
  },

  getTournamentChecks: (context, call) => answerChecks(context, call, call.query.round ?? null),

  getRoundChecks: (context, call) => answerChecks(context, call, call.params.round),
}

/** What the workspace asks for in addition. */
export const sessionDiscussionHandlers: HandlerTable<
  Pick<typeof poolsSessionApi, 'getDiscussion'>
> = {
  async getDiscussion({ ports }, call) {
    const { candidates, remarks } = await readDiscussion(ports, call.accountId, placeOf(call))
    return {
      json: jsonBody({
        candidates: candidates.map(presentCandidate),
        remarks: remarks.map(presentRemark),
      }),
    }
  },
}

const candidateBody = (candidate: SavedCandidate): JsonBody<CandidateReply> =>
  jsonBody({ candidate: presentCandidate(candidate) }, presentCandidate(unnamed(candidate)))

const remarkBody = (remark: SavedRemark): JsonBody<RemarkReply> =>
  jsonBody({ remark: presentRemark(remark) }, presentRemark(unnamed(remark)))

type Condition = Pick<AdmittedRequest, 'ifMatch'>
const candidateCheck = ({ ifMatch }: Condition) =>
  checkOf(ifMatch, candidateBody, 'nothingHereToMatch')
const remarkCheck = ({ ifMatch }: Condition) => checkOf(ifMatch, remarkBody, 'nothingHereToMatch')

type RoundRequest = Pick<AdmittedRequest, 'slug'> & { readonly params: { readonly round: string } }

const placeOf = ({ slug, params }: RoundRequest): RoundPlace => ({ slug, roundId: params.round })

type ItemRequest = Pick<AdmittedRequest, 'accountId' | 'slug'> & {
  readonly params: { readonly round: string; readonly id: string }
}

/** Who asks, for which candidate or remark of which round. */
const itemOf = (call: ItemRequest) => [call.accountId, placeOf(call), call.params.id] as const

const pathOf = ({ slug, params }: RoundRequest): string =>
  `/tournaments/${slug}/rounds/${params.round}`

async function answerChecks(
  { ports, failures, lookUps }: Context,
  { accountId, slug, ...call }: Pick<AdmittedRequest, 'accountId' | 'requester' | 'slug'>,
  roundId: string | null,
) {
  const requester = call.requester ?? requesterOf(accountId, '')
  const checks = await withDeadline((deadline) => {
    const checker = { accountId, requester, deadline, failures, lookUps }
    return checkDrafts(ports, checker, slug, roundId)
  })
  const json = checksJson.get(checks) ?? jsonBody({ checks, counts: countChecks(checks) })
  checksJson.set(checks, json)
  return { json }
}

/** Checks that found the same as the last time are the same list. */
const checksJson = new WeakMap<Check[], JsonBody<ChecksReply>>()
