import { type InferResult, sql } from 'kysely'
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

const playerColumns = [
  'account.username',
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
    .select(playerColumns)
    .select(['suspension.game_id as gameId', isNamed('suspension.game_id')])
    .where('is_lifted', '=', 0)
    .orderBy('suspension.at', 'desc')
    .orderBy('suspension.game_id')

/** Those with an account: by a part of the name, or the whole id on the platform. */
function playersNamed(tx: Db, query: string) {
  const id = plainDigits(query)
  const gameId = /^[1-9]\d{0,15}$/.test(id) ? Number(id) : null
  return tx
    .selectFrom('account')
    .leftJoin('suspension', (on) =>
      on.onRef('suspension.game_id', '=', 'account.game_id').on('is_lifted', '=', 0),
    )
    .leftJoin('account as by', 'by.id', 'suspension.moderator_id')
    .select(playerColumns)
    .select(['account.game_id as gameId', isNamed('account.game_id')])
    .where('account.game_id', 'is not', null)
    .where((eb) =>
      gameId === null
        ? textContains('account.username', query)
        : eb.or([textContains('account.username', query), eb('account.game_id', '=', gameId)]),
    )
    .orderBy('account.username')
    .orderBy('account.game_id')
    .$narrowType<{ gameId: number }>()
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
