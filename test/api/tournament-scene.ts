import type { StaffRole } from '../../src/contract/tournaments.ts'
import type { Reply } from '../support/door.ts'
import type { Host, House } from '../support/house.ts'

/** A round that can be released. */
export const aRound = (changes: object = {}) => ({
  name: 'Quarterfinals',
  slots: [
    { mod: 'NM', index: 1, beatmapId: 75 },
    { mod: 'HD', index: 1, beatmapId: 76 },
  ],
  ...changes,
})

/** A slot of `aRound` for another beatmap. */
export const aChange = {
  changes: [{ mod: 'NM', index: 1, from: { beatmapId: 75 }, to: { beatmapId: 77 } }],
}

const made = async (asked: Promise<Reply>): Promise<Reply> => {
  const reply = await asked
  if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text}`)
  return reply
}

/** A private tournament of this host with one round, which is a draft. */
export const sceneOf = async (house: House, host: Host, facts: object = {}) => {
  const body = { name: 'Harbour Lights Cup', shortName: 'HLC', ...facts }
  const { tournament } = (await made(host.ask('POST', '/tournaments', { body }))).json
  const slug: string = tournament.slug
  const path = `/tournaments/${slug}`
  const { round } = (await made(host.ask('POST', `${path}/rounds`, { body: aRound() }))).json
  const roundPath = `${path}/rounds/${round.id}`

  /** Somebody new on the staff. */
  const staff = async (role: StaffRole): Promise<Host> => {
    const member = await house.host('pools')
    await made(host.ask('PUT', `${path}/staff/${member.gameId}`, { body: { role } }))
    return member
  }

  /** `If-Match` with the tag of what is at the path, as the host reads it. */
  const as = async (at: string) => ({
    'if-match': (await host.get(at)).headers.get('etag') ?? '',
  })

  const release = (at: string | null = 'now') =>
    made(host.ask('PUT', `${roundPath}/release`, { body: { at } }))
  const publish = () => made(host.ask('PATCH', path, { body: { visibility: 'public' } }))
  const read = async (at: string = path) => (await host.get(at)).text

  const id: string = round.id
  const { slots } = aRound()
  return { host, slug, path, id, roundPath, slots, staff, as, release, publish, read }
}

export type Scene = Awaited<ReturnType<typeof sceneOf>>

/** As `sceneOf`, of a new host at the beginning of a minute. */
export const newScene = async (house: House, facts: object = {}): Promise<Scene> => {
  house.clock.nextMinute()
  return sceneOf(house, await house.host('pools'), facts)
}
