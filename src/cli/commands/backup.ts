import { resolve } from 'node:path'
import { Trouble } from '../../main/trouble.ts'
import type { Command } from '../command.ts'
import { readOnly } from '../read-arguments.ts'
import { withPorts } from '../with-ports.ts'

export const backupCommand: Command = {
  name: 'backup',
  takes: 'FILE',
  details: `Writes a consistent copy of the whole store to FILE, which must not exist, while the server goes on
reading and writing. To go back to it, see \`restore\`; or stop the server and put it in place of
mapcrate.db in DATA_DIR, without the files mapcrate.db-wal and mapcrate.db-shm beside it. With
DATABASE_URL set, FILE is the same: a store that a server without it can be started with.`,
  example: 'backup mapcrate-2026-10-03.db',
  async run(args) {
    const file = resolve(readOnly(args, 'FILE'))
    await withPorts('refuse', ({ care }) =>
      care.backup(file).catch((cause: Error) => {
        throw new Trouble(cause.message, { cause })
      }),
    )
    process.stdout.write(`${file}\n`)
  },
}
