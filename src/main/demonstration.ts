import type { PackInput } from '../contract/packs.ts'
import { issueKey } from '../operations/keys.ts'
import { createPack } from '../operations/packs.ts'
import type { Config } from './config.ts'
import type { Ports } from './wire.ts'

/** A made-up player; the game id is far above those of the platform. */
export const demonstrationPlayer = { gameId: 999_999_999, username: 'Demonstration' } as const

/** Setting a public address or a database means a real deployment. */
export function isDemonstration({ publicUrls, databaseUrl }: Config): boolean {
  return databaseUrl === null && Object.values(publicUrls).every((url) => url === null)
}

/**
 * Fills an empty store with a made-up player with three real pools as packs. Returns their key for the
 * packs service; null when this is no demonstration or not its first run.
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
  return key
}

/** Pools that were really played, newest stage first. */
export const demonstrationPools: readonly PackInput[] = [
  poolOf('OWC 2023 Grand Finals', 'The pool of the last weekend of the 2023 world cup.', {
    NM: [4392947, 4392960, 2809623, 4392977, 4392985],
    HD: [4392949, 4392963, 4392955],
    HR: [4392958, 1428309, 4393036],
    DT: [4392966, 4393043, 4393047, 131564],
    FM: [4393040, 4393042, 4393055, 4392973],
    TB: [4393066],
  }),
  poolOf('OWC 2023 Finals', 'The pool of the finals weekend of the 2023 world cup.', {
    NM: [4384629, 4384665, 4384633, 4384637, 4384562],
    HD: [4384671, 4267100, 4384672],
    HR: [4384635, 4384680, 4384670],
    DT: [725198, 4384687, 4384690, 58970],
    FM: [2602090, 4384679, 4384706, 129891],
    TB: [3326839],
  }),
  poolOf('OWC 2023 Qualifiers', 'The pool that seeded the teams of the 2023 world cup.', {
    NM: [4344435, 4344451, 4344441, 4344442],
    HD: [4344469, 4344423],
    HR: [4344412, 4344450],
    DT: [4344474],
  }),
]

function poolOf(
  name: string,
  description: string,
  beatmaps: Readonly<Record<string, readonly number[]>>,
): PackInput {
  const slots = Object.entries(beatmaps).flatMap(([mod, ids]) =>
    ids.map((beatmapId, at) => ({ mod, index: at + 1, beatmapId })),
  )
  return { name, description, visibility: 'public', slots }
}
