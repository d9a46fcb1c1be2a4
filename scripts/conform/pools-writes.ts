import { judgeDocument, readWrites } from './document.ts'
import { differenceOf, type Report, unlike } from './report.ts'
import { Trials, type Write } from './trials.ts'
import type { Service } from './wire.ts'

const TOURNAMENT = '/tournaments/{slug}'
const ROUND = `${TOURNAMENT}/rounds/{round}`
const MEMBER = `${TOURNAMENT}/staff/{gameId}`
const CANDIDATE = `${ROUND}/candidates/{id}`
const REMARK = `${ROUND}/remarks/{id}`
/** Nothing is released while this runs. */
const LATER = '2099-12-01T18:00:00.000Z'

const nm1 = { mod: 'NM', index: 1, beatmapId: 75 }
const hd1 = { mod: 'HD', index: 1, beatmapId: 76 }
const roundOf = (name: string, more: object = {}) => ({ name, slots: [nm1, hd1], ...more })

/**
 * Every write of the tournament-pools service with its answer lost and, but for POST, with a stale tag: on one
 * tournament, which is private.
 *
 * @param player somebody else with an account, to be put on its staff; null where nobody is known.
 */
export const tryPoolsWrites = async (
  service: Service,
  report: Report,
  tag: string,
  turn: number,
  player: number | null,
): Promise<void> => {
  const trials = new Trials(service, report, turn)
  const field = async (path: string, read: string) => {
    const json = (await service.get(path)).answer?.json ?? {}
    return read.split('.').reduce((value, part) => value?.[part], json)
  }
  const idsOf = async (path: string, read: string): Promise<string[]> =>
    ((await field(path, read)) ?? []).map((item: { id: string }) => item.id)
  const is = (path: string, read: string, wanted: unknown) => async () =>
    differenceOf(wanted, await field(path, read), read)
  const isGone = (path: string) => async () => unlike(await service.get(path), 404)

  const name = `${tag} lost ${turn}`
  const made = await trials.post(
    { operation: 'POST /tournaments', path: '/tournaments', body: { name } },
    async () =>
      ((await field('/me/tournaments', 'tournaments')) ?? [])
        .filter((tournament: { name: string }) => tournament.name === name)
        .map(({ slug }: { slug: string }) => slug),
  )
  const slug = made.answer?.json?.tournament?.slug
  if (slug === undefined) return
  const path = `/tournaments/${slug}`
  const rounds = `${path}/rounds`
  const first = await trials.post(
    { operation: `POST ${TOURNAMENT}/rounds`, path: rounds, body: roundOf('Qualifiers') },
    () => idsOf(path, 'tournament.rounds'),
  )
  const id = first.answer?.json?.round?.id
  if (id === undefined) return
  const round = `${rounds}/${id}`
  const post = async (list: 'candidates' | 'remarks', body: object): Promise<string> => {
    const operation = `POST ${ROUND}/${list}`
    const { answer } = await trials.post({ operation, path: `${round}/${list}`, body }, () =>
      idsOf(`${round}/${list}`, list),
    )
    return `${round}/${list}/${answer?.json?.candidate?.id ?? answer?.json?.remark?.id}`
  }
  const candidate = await post('candidates', { ...nm1, beatmapId: 77 })
  const remark = await post('remarks', { text: 'Too long for this round' })
  const member = `${path}/staff/${player ?? (await field('/me', 'user.gameId'))}`

  const patch = (at: string, body: object) => () => service.ask('PATCH', at, { body })
  const put = (at: string, body: object) => () => service.ask('PUT', at, { body })
  const write = (operation: string, at: string, read: string, body?: object): Write => ({
    operation,
    path: at,
    read,
    ...(body !== undefined && { body }),
  })
  const slots = [{ ...nm1, beatmapId: 78 }, hd1]
  const changes = [{ mod: 'NM', index: 1, from: { beatmapId: 75 }, to: { beatmapId: 78 } }]
  const sheet = { rounds: [{ id, ...roundOf('Qualifiers') }, roundOf('Finals')] }
  const ofTournament = [
    write(`PATCH ${TOURNAMENT}`, path, path, { year: 2027 }),
    write(`PUT ${TOURNAMENT}/rounds`, rounds, path, sheet),
    write(`DELETE ${TOURNAMENT}`, path, path),
  ] as const
  const ofRound = [
    write(`PUT ${ROUND}`, round, round, roundOf('Qualifiers', { bans: 2 })),
    write(`PATCH ${ROUND}/slots`, `${round}/slots`, round, { changes }),
    write(`PUT ${ROUND}/release`, `${round}/release`, round, { at: LATER }),
    write(`DELETE ${ROUND}`, round, round),
  ] as const
  const ofMember = [
    write(`PUT ${MEMBER}`, member, member, { role: player === null ? 'host' : 'tester' }),
    write(`DELETE ${MEMBER}`, member, member),
  ] as const
  const ofCandidate = [
    write(`PUT ${CANDIDATE}/vote`, `${candidate}/vote`, candidate, { vote: -1 }),
    write(`PATCH ${CANDIDATE}`, candidate, candidate, { mod: 'HD', index: 1 }),
    write(`DELETE ${CANDIDATE}`, candidate, candidate),
  ] as const
  const ofRemark = [
    write(`PATCH ${REMARK}`, remark, remark, { text: 'Too short' }),
    write(`DELETE ${REMARK}`, remark, remark),
  ] as const

  await trials.refuse(path, ofTournament, patch(path, { year: 2026 }))
  await trials.refuse(round, ofRound, async () => {
    const headers = { 'if-match': await trials.tagOf(round) }
    return service.ask('PUT', round, { body: roundOf('Qualifiers', { bans: 1 }), headers })
  })
  if (player !== null) {
    const { answer } = await service.ask('PUT', member, { body: { role: 'pooler' } })
    if (answer?.status !== 200) report.note(`Player ${player} could not be put on the staff.`)
  }
  await trials.refuse(member, ofMember, player === null ? null : put(member, { role: 'referee' }))
  await trials.refuse(candidate, ofCandidate, put(`${candidate}/vote`, { vote: 1 }))
  await trials.refuse(remark, ofRemark, patch(remark, { settled: true }))

  const [patched, replacedAll, removed] = ofTournament
  const [replaced, slotted, released, dropped] = ofRound
  const [voted, moved, withdrawn] = ofCandidate
  await trials.write(patched, is(path, 'tournament.year', 2027))
  await trials.write(replaced, is(round, 'round.bans', 2))
  await trials.write(slotted, is(round, 'round.slots', slots))
  await trials.write(released, is(round, 'round.releaseAt', LATER))
  await trials.write({ ...released, body: { at: null } }, is(round, 'round.releaseAt', undefined))
  await trials.write(voted, is(candidate, 'candidate.score', -1))
  await trials.write(moved, is(candidate, 'candidate.mod', 'HD'))
  await trials.write(withdrawn, isGone(candidate))
  await trials.write(ofRemark[0], is(remark, 'remark.text', 'Too short'))
  await trials.write(ofRemark[1], isGone(remark))
  await trials.write(ofMember[0], is(member, 'member.role', player === null ? 'host' : 'tester'))
  if (player !== null) await trials.write(ofMember[1], isGone(member))
  await trials.write(replacedAll, async () => {
    const names = ((await field(path, 'tournament.rounds')) ?? []).map(
      (each: { name: string }) => each.name,
    )
    return differenceOf(['Qualifiers', 'Finals'], names, 'the names of the rounds')
  })
  await trials.write(dropped, isGone(round))
  await trials.post(
    {
      operation: `POST ${TOURNAMENT}/deleted-rounds/{round}/restore`,
      path: `${path}/deleted-rounds/${id}/restore`,
    },
    () => idsOf(path, 'tournament.rounds'),
  )
  await trials.write(removed, isGone(path))

  if (player === null) {
    report.note('Both keys are of one account: removing somebody from the staff was not tried.')
  }
  const without = player === null ? [`DELETE ${MEMBER}`] : []
  judgeDocument(service, await readWrites(service), trials, report, without)
}
