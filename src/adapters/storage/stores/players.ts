import { type InferResult, sql } from 'kysely'
import { GAME_ID_PATTERN, MAX_SAFE_INTEGER } from '../../../contract/bounds.ts'
import { plainDigits } from '../../../pool/text.ts'
import type { PlayerRow, Suspension, SuspensionStore } from '../../../ports/accounts.ts'
import type { Db, Engine } from '../engine.ts'
import { readPage, textContains } from '../query.ts'

/** Players as moderators see them, and whether they are suspended. */
export function playerReads(engine: Pick<Engine, 'db' | 'read'>) {
  return {
    async readSuspension(gameId) {
      const found = suspendedPlayers(engine.db).where('suspension.game_id', '=', gameId)
      const player = await found.executeTakeFirst()
      return player === undefined ? null : toPlayer(player).suspension
    },

    findPlayers: (query, ...page) =>
      query === ''
        ? readPage(engine, suspendedPlayers, toPlayer, ...page)
        : readPage(engine, (tx) => playersNamed(tx, query), toPlayer, ...page),
  } satisfies Partial<SuspensionStore>
}

const suspensionColumns = [
  'suspension.at',
  'suspension.reason',
  'suspension.by_operator as byOperator',
  'by.username as moderator',
] as const

const isNamed = (gameId: string) =>
  sql<0 | 1>`case when exists (
    select since from moderator where moderator.game_id = ${sql.ref(gameId)}
  ) then 1 else 0 end`.as('isModerator')

const suspendedPlayers = (tx: Db) =>
  tx
    .selectFrom('suspension')
    .leftJoin('account', 'account.game_id', 'suspension.game_id')
    .leftJoin('account as by', 'by.id', 'suspension.moderator_id')
    .select(suspensionColumns)
    .select(['account.username', 'suspension.game_id as gameId', isNamed('suspension.game_id')])
    .where('is_lifted', '=', 0)
    .orderBy('suspension.at', 'desc')
    .orderBy('suspension.game_id')

const GAME_ID = new RegExp(GAME_ID_PATTERN)

/** By a part of the name, or the whole id on the platform: who has that comes first, and may never have been here. */
function playersNamed(tx: Db, query: string) {
  const id = plainDigits(query)
  const gameId = GAME_ID.test(id) && Number(id) <= MAX_SAFE_INTEGER ? Number(id) : null
  return tx
    .selectFrom(playersAnd(gameId).as('player'))
    .leftJoin('suspension', (on) =>
      on.onRef('suspension.game_id', '=', 'player.game_id').on('is_lifted', '=', 0),
    )
    .leftJoin('account as by', 'by.id', 'suspension.moderator_id')
    .select(suspensionColumns)
    .select(['player.username', 'player.game_id as gameId', isNamed('player.game_id')])
    .where((eb) =>
      gameId === null
        ? textContains('player.username', query)
        : eb.or([textContains('player.username', query), eb('player.game_id', '=', gameId)]),
    )
    .orderBy(sql`case when player.game_id = ${gameId ?? 0} then 0 else 1 end`)
    .orderBy('player.username')
    .orderBy('player.game_id')
}

/** All who have an account, and who has this id. */
function playersAnd(gameId: number | null) {
  const stranger = sql`
    union all select cast(${gameId} as bigint), null
    where not exists (select 1 from account where game_id = ${gameId})`
  return sql<{ game_id: number; username: string | null }>`(
    select game_id, username from account where game_id is not null ${gameId === null ? sql`` : stranger}
  )`
}

type FoundRow = InferResult<ReturnType<typeof playersNamed>>[number]

function toPlayer(row: FoundRow): PlayerRow {
  const { gameId, username, at, reason, byOperator, moderator } = row
  const by: Suspension['by'] = byOperator === 1 ? 'operator' : { username: moderator }
  return {
    gameId,
    username,
    isModerator: row.isModerator === 1,
    suspension: at === null ? null : { at, reason: reason ?? '', by },
  }
}
