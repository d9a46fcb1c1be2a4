import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusals } from '../../src/contract/errors.ts'
import { type StaffRole, staffRoles } from '../../src/contract/tournaments.ts'
import { moderateTournament } from '../../src/operations/tournaments.ts'
import { type Host, openHouse } from '../support/house.ts'
import { newScene, type Scene } from './tournament-scene.ts'

const house = await openHouse()
afterAll(() => house.close())

/** What tournament and round are: a round that is released in a tournament that everybody sees, for example. */
const states = [
  'private draft',
  'public draft',
  'public scheduled',
  'public released',
  'hidden released',
] as const
type State = (typeof states)[number]

const askers = [...staffRoles, 'stranger', 'moderator'] as const
type Asker = (typeof askers)[number]

const staff: readonly StaffRole[] = staffRoles
const discussing: readonly StaffRole[] = ['host', 'pooler', 'tester']
const drafting: readonly StaffRole[] = ['host', 'pooler']
const hosts: readonly StaffRole[] = ['host']
const noRole: readonly StaffRole[] = []

type Asked = readonly [method: string, path: string, body?: object]

/** An item that somebody has said, made anew for each request. */
type Said = { readonly candidate: string; readonly remark: string }

/** Who may do what, whatever the state (D-61); all others on the staff get 403, and the rest 404. */
const actions: Readonly<
  Record<string, readonly [readonly StaffRole[], (own: Said, other: Said) => Asked]>
> = {
  'read candidates': [staff, () => ['GET', '/candidates']],
  'read remarks': [staff, () => ['GET', '/remarks']],
  propose: [
    discussing,
    () => ['POST', '/candidates', { mod: 'NM', index: 1, beatmapId: (ids += 1) }],
  ],
  vote: [discussing, (_, { candidate }) => ['PUT', `/candidates/${candidate}/vote`, { vote: 1 }]],
  'withdraw a candidate': [discussing, ({ candidate }) => ['DELETE', `/candidates/${candidate}`]],
  'remove a candidate': [drafting, (_, { candidate }) => ['DELETE', `/candidates/${candidate}`]],
  remark: [discussing, () => ['POST', '/remarks', { text: 'Too long' }]],
  'reword their own': [
    discussing,
    ({ remark }) => ['PATCH', `/remarks/${remark}`, { text: 'Far too long' }],
  ],
  "reword another's": [
    noRole,
    (_, { remark }) => ['PATCH', `/remarks/${remark}`, { text: 'Far too long' }],
  ],
  'settle their own': [
    discussing,
    ({ remark }) => ['PATCH', `/remarks/${remark}`, { settled: true }],
  ],
  "settle another's": [
    drafting,
    (_, { remark }) => ['PATCH', `/remarks/${remark}`, { settled: true }],
  ],
  'remove their own': [discussing, ({ remark }) => ['DELETE', `/remarks/${remark}`]],
  "remove another's": [hosts, (_, { remark }) => ['DELETE', `/remarks/${remark}`]],
}

/** Seven digits, of ids and of beatmaps. */
let ids = 1_000_000

const bring = async (state: State) => {
  const [visibility, round] = state.split(' ')
  const scene = await newScene(house, {
    visibility: visibility === 'private' ? 'private' : 'public',
  })
  const people = new Map<Asker, Host>([['host', scene.host]])
  for (const role of ['pooler', 'tester', 'referee'] as const) {
    people.set(role, await scene.staff(role))
  }
  for (const other of ['stranger', 'moderator'] as const) {
    people.set(other, await house.host('pools'))
  }
  await house.ports.accounts.setModerator(people.get('moderator')!.gameId, true, 0)
  const soon = new Date(house.clock.now() + 60_000).toISOString()
  if (round === 'scheduled') await scene.release(soon)
  if (round === 'released') await scene.release()
  if (visibility === 'hidden') {
    const operator = { moderatorId: null, reason: null }
    await moderateTournament(house.ports, scene.slug, 'hide', operator)
  }
  return { scene, people }
}

/** Somebody's candidate and remark, also of who is on the staff no more. */
const say = async ({ slug, id }: Scene, { gameId }: Host): Promise<Said> => {
  const { id: accountId } = (await house.ports.accounts.findByGameId(gameId))!
  const [place, createdAt] = [{ slug, roundId: id }, house.clock.now()]
  const [candidate, remark] = [`id-${(ids += 1)}`, `id-${(ids += 1)}`]
  const proposed = { mod: 'NM', index: 1, beatmapId: ids, note: null, createdAt }
  const { discussion } = house.ports
  await discussion.propose(place, accountId, [{ id: candidate, ...proposed }], () => {})
  const remarkFields = { id: remark, slot: null, text: 'Too long', createdAt }
  await discussion.addRemark(place, accountId, remarkFields, () => {})
  return { candidate, remark }
}

/** So that there is room for each that is proposed. */
const clear = async ({ slug, id }: Scene): Promise<void> => {
  const place = { slug, roundId: id }
  const { candidates } = await house.ports.discussion.read(place)
  for (const each of candidates) {
    await house.ports.discussion.changeCandidate(place, each.id, 0, () => 'remove')
  }
}

const missing = JSON.stringify({
  error: { code: 'not_found', message: refusals.tournamentNotFound[1], reason: 'nothing_visible' },
})

describe.each(states)('what is said of a round that is %s (D-60, D-61)', (state) => {
  let brought: Awaited<ReturnType<typeof bring>>
  beforeAll(async () => {
    brought = await bring(state)
  })

  const cells = askers.flatMap((asker) =>
    Object.entries(actions).map(([action, [allowed, ask]]) => {
      const isStaff = staff.some((role) => role === asker)
      const isAllowed = allowed.some((role) => role === asker)
      const answer = isAllowed ? 'goes well' : isStaff ? 'forbidden' : 'not_found'
      return { asker, action, answer, ask }
    }),
  )

  it.each(cells)(
    '$action, asked by the $asker: $answer',
    async ({ asker, action, answer, ask }) => {
      const { scene, people } = brought
      const mayReword = actions['reword their own']![0].some((role) => role === asker)
      house.clock.nextMinute()
      const person = people.get(asker)!
      const other = people.get(asker === 'tester' ? 'pooler' : 'tester')!
      const [own, others] = [await say(scene, person), await say(scene, other)]
      const [method, path, body] = ask(own, others)
      const place = { slug: scene.slug, roundId: scene.id }
      const before = await house.ports.discussion.read(place)
      const reply = await person.ask(method, scene.roundPath + path, { body })
      const isGranted = reply.status < 300
      expect(isGranted ? 'goes well' : reply.json.error.code, reply.text).toBe(answer)
      if (reply.status === 404) expect(reply.text).toBe(missing)
      // Hosts, too, are told whom to ask.
      const refused = action === "reword another's" && mayReword ? 'authorForbids' : 'roleForbids'
      if (reply.status === 403) expect(reply.json.error.message).toBe(refusals[refused][1])
      const after = await house.ports.discussion.read(place)
      if (isGranted && method !== 'GET') expect(after).not.toEqual(before)
      else expect(after).toEqual(before)
      await clear(scene)
    },
  )
})
