import type { PackInput } from '../contract/packs.ts'
import type { RoundInput } from '../contract/rounds.ts'
import { MINUTE_MS } from '../contract/quotas.ts'
import { newAccountId } from '../domain/keys.ts'
import { timestamp } from '../domain/quotas.ts'
import { addRemark, propose, vote } from '../operations/discussion.ts'
import { issueKey } from '../operations/keys.ts'
import { createPack } from '../operations/packs.ts'
import { releaseRound } from '../operations/releases.ts'
import { createRound } from '../operations/rounds.ts'
import { setRole } from '../operations/staff.ts'
import { createTournament } from '../operations/tournaments.ts'
import type { Config } from './config.ts'
import type { Ports } from './wire.ts'

/** Made-up players, whose game ids are far above those of the platform. */
export const demonstrationPlayer = { gameId: 999_999_999, username: 'Demonstration' } as const
const pooler = { gameId: 999_999_998, username: 'Demo pooler' } as const
const tester = { gameId: 999_999_997, username: 'Demo tester' } as const
export const demonstrationPlayers = [demonstrationPlayer, pooler, tester]

/** Setting the platform, a public address or a database means a real deployment. */
export function isDemonstration({ platform, publicUrls, databaseUrl }: Config): boolean {
  const isLocal = Object.values(publicUrls).every((url) => url === null)
  return platform === null && databaseUrl === null && isLocal
}

/**
 * Fills an empty store with a made-up player with three real pools as packs, and with their tournament of other ones.
 * Returns their key for the packs service; null when this is no demonstration or not its first run.
 */
export async function setUpDemonstration(ports: Ports, config: Config): Promise<string | null> {
  if (!isDemonstration(config) || (await ports.accounts.countPlayers()) > 0) return null
  const key = await issueKey(ports, {
    service: 'packs',
    keyPrefix: config.keyPrefixes.packs,
    ...demonstrationPlayer,
  })
  const account = await ports.accounts.findByGameId(demonstrationPlayer.gameId)
  if (account === null) throw new Error('the demonstration account is gone')
  for (const pool of demonstrationPools.toReversed()) await createPack(ports, account.id, pool)
  await setUpTournament(ports, account.id)
  return key
}

const RELEASE_MS = 10 * MINUTE_MS

/** Two rounds that are released, one that is due in ten minutes, and a draft that its staff discusses. */
async function setUpTournament(ports: Ports, hostId: string): Promise<void> {
  const { slug } = await createTournament(ports, hostId, {
    name: 'World Cup 2023',
    shortName: 'OWC 2023',
    description: 'A demonstration: some pools of the world cup, and a draft.',
    year: 2023,
    visibility: 'public',
    announceRounds: true,
  })
  const add = async (round: RoundInput): Promise<string> =>
    (await createRound(ports, hostId, slug, round)).round.id
  const release = (roundId: string, at: string) =>
    releaseRound(ports, hostId, slug, roundId, { at })

  await release(await add(roundOf('Qualifiers')), 'now')
  await release(await add({ ...roundOf('Finals'), bestOf: 13, bans: 2 }), 'now')
  const last = await add({ ...roundOf('Grand Finals'), bestOf: 13, bans: 2 })
  await release(last, timestamp(ports.clock.now() + RELEASE_MS))
  await discussDraft(ports, hostId, { slug, roundId: await add(draft) })
}

const roundOf = (name: keyof typeof worldCup): RoundInput => ({ name, slots: worldCup[name] })

const draft: RoundInput = {
  name: 'All-Stars',
  bestOf: 9,
  bans: 1,
  targets: { stars: { min: 6, max: 7.5 }, length: { max: 300 } },
  slots: [
    { mod: 'NM', index: 1, beatmapId: 4344435 },
    { mod: 'NM', index: 2, beatmapId: 4384629 },
    { mod: 'NM', index: 3 },
    { mod: 'HD', index: 1, beatmapId: 4344469 },
    { mod: 'HR', index: 1 },
    { mod: 'DT', index: 1, beatmapId: 58970 },
    { mod: 'FM', index: 1, beatmapId: 129891 },
    { mod: 'TB', index: 1, placeholder: 'custom map, due Sunday' },
  ],
}

/** Two others help the host. */
async function discussDraft(
  ports: Ports,
  hostId: string,
  place: { readonly slug: string; readonly roundId: string },
): Promise<void> {
  const join = async (
    player: { readonly gameId: number; readonly username: string },
    role: 'pooler' | 'tester',
  ) => {
    const newId = newAccountId(ports.random)
    const { id } = await ports.accounts.ensurePlayer(player, newId, ports.clock.now())
    await setRole(ports, hostId, place.slug, player.gameId, { role })
    return id
  }
  const poolerId = await join(pooler, 'pooler')
  const testerId = await join(tester, 'tester')

  const third = { mod: 'NM', index: 3 }
  const note = 'More aim than the other two'
  const liked = await propose(ports, poolerId, place, { ...third, beatmapId: 4384637, note })
  await propose(ports, testerId, place, { ...third, beatmapId: 4392985 })
  for (const account of [testerId, hostId]) await vote(ports, account, place, liked.id, 1)
  await propose(ports, poolerId, place, { mod: 'HR', index: 1, beatmapId: 4384635 })
  const length = 'With DT it may be too short for this round.'
  await addRemark(ports, testerId, place, { mod: 'DT', index: 1, text: length })
  await addRemark(ports, poolerId, place, { text: 'The tiebreaker comes on Sunday.' })
}

/**
 * Pools that were really played, newest stage first. None is of the tournament, whose releases are packs by themselves:
 * with a second pack of each, its rounds would have been pooled before.
 */
export const demonstrationPools: readonly PackInput[] = [
  poolOf('OWC 2020 Finals', 'The pool of the finals weekend of the 2020 world cup.', {
    NM: [2708955, 2708949, 2708946, 2708950, 2708952, 2708983],
    HD: [2708985, 2709014, 2708997],
    HR: [2709040, 2709049, 2709056],
    DT: [2709059, 2709164, 2594991, 2709076],
    FM: [2709094, 2709080, 2709083],
    TB: [2709097],
  }),
  poolOf('OWC 2020 Semifinals', 'The pool of the semifinals of the 2020 world cup.', {
    NM: [2699190, 2699196, 2699135, 2699240, 2699219, 2699221],
    HD: [2699222, 2699419, 1522554],
    HR: [2699246, 1863224, 2699245],
    DT: [975036, 2699262, 2699264, 2699268],
    FM: [2699274, 2699287, 2699289],
    TB: [2699308],
  }),
  poolOf('OWC 2020 Qualifiers', 'The pool that seeded the teams of the 2020 world cup.', {
    NM: [2659377, 2659373, 2659349, 2659353],
    HD: [2659351, 2659367],
    HR: [2659364, 2659376],
    DT: [2659374, 2659360],
  }),
]

/** The rounds of the tournament, as they were played. */
const worldCup = {
  'Grand Finals': slotsOf({
    NM: [4392947, 4392960, 2809623, 4392977, 4392985],
    HD: [4392949, 4392963, 4392955],
    HR: [4392958, 1428309, 4393036],
    DT: [4392966, 4393043, 4393047, 131564],
    FM: [4393040, 4393042, 4393055, 4392973],
    TB: [4393066],
  }),
  Finals: slotsOf({
    NM: [4384629, 4384665, 4384633, 4384637, 4384562],
    HD: [4384671, 4267100, 4384672],
    HR: [4384635, 4384680, 4384670],
    DT: [725198, 4384687, 4384690, 58970],
    FM: [2602090, 4384679, 4384706, 129891],
    TB: [3326839],
  }),
  Qualifiers: slotsOf({
    NM: [4344435, 4344451, 4344441, 4344442],
    HD: [4344469, 4344423],
    HR: [4344412, 4344450],
    DT: [4344474],
  }),
}

function poolOf(
  name: string,
  description: string,
  beatmaps: Readonly<Record<string, readonly number[]>>,
): PackInput {
  return { name, description, visibility: 'public', slots: slotsOf(beatmaps) }
}

function slotsOf(beatmaps: Readonly<Record<string, readonly number[]>>): PackInput['slots'] {
  return Object.entries(beatmaps).flatMap(([mod, ids]) =>
    ids.map((beatmapId, at) => ({ mod, index: at + 1, beatmapId })),
  )
}
