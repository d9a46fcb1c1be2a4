import { sql } from 'kysely'
import type { OperatorState, OperatorStateStore } from '../../../ports/store.ts'
import type { Db, Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

type Row = Tables['operator_state']

export function createOperatorStateStore({ db, write }: Engine): OperatorStateStore {
  /** Returns the state before. */
  const replace = (row: Row | null, name: Row['name']): Promise<OperatorState> =>
    write('packs', async (tx) => {
      const before = await readAll(tx)
      await tx.deleteFrom('operator_state').where('name', '=', name).execute()
      if (row !== null) await tx.insertInto('operator_state').values(row).execute()
      return before
    })

  return {
    readState: () => readAll(db),

    async setNotice(notice) {
      const row = notice && ({ name: 'notice', ...notice } as const)
      return (await replace(row, 'notice')).notice
    },

    async setReadOnly(mode) {
      const row = mode && ({ name: 'read_only', text: mode.reason, since: mode.since } as const)
      return (await replace(row, 'read_only')).readOnly
    },
  }
}

async function readAll(on: Db): Promise<OperatorState> {
  const { rows } = await sql<Row>`select name, text, since from operator_state`.execute(on)
  const [notice, mode] = (['notice', 'read_only'] as const).map((name) =>
    rows.find((row) => row.name === name),
  )
  return {
    notice: notice ? { text: notice.text ?? '', since: notice.since } : null,
    readOnly: mode ? { reason: mode.text, since: mode.since } : null,
  }
}
