import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isatty } from 'node:tty'
import { Trouble } from '../../main/trouble.ts'
import type { StoreCare } from '../../ports/store.ts'
import { type Command, Misuse } from '../command.ts'
import { readOnly } from '../read-arguments.ts'
import { withScratchFile } from '../scratch-file.ts'
import { withPorts } from '../with-ports.ts'

const STDOUT = 1

export const backupCommand: Command = {
  name: 'backup',
  takes: 'FILE',
  details: `Writes a consistent copy of the whole store to FILE, which must not exist, while the server goes on
reading and writing. With - in place of FILE the copy goes to stdout, and nothing else does. To go back
to it, see \`restore\`; or stop the server and put it in place of mapcrate.db in DATA_DIR, without the
files mapcrate.db-wal and mapcrate.db-shm. With DATABASE_URL set, FILE is the same: a store that a
server without it can be started with.`,
  example: 'backup mapcrate-2026-10-03.db',
  moreExamples: [
    'docker compose exec -T mapcrate mapcrate-server backup - > mapcrate-2026-10-03.db',
  ],
  async run(args) {
    const word = readOnly(args, 'FILE')
    if (word === '-') return backupToStdout()
    const file = resolve(word)
    await withPorts('refuse', ({ care }) => backupTo(care, file))
    process.stdout.write(`${file}\n`)
  },
}

const backupTo = (care: StoreCare, file: string): Promise<void> =>
  care.backup(file).catch((cause: Error) => {
    throw new Trouble(cause.message, { cause })
  })

/** The copy is finished before its first byte is sent, so that a failure sends none. */
async function backupToStdout(): Promise<void> {
  if (isatty(STDOUT)) {
    throw new Misuse('stdout is a terminal; send the copy to a file: backup - > mapcrate.db')
  }
  await withPorts('refuse', ({ care }, { dataDir }) =>
    withScratchFile(dataDir, async (file) => {
      await backupTo(care, file)
      await pipeline(createReadStream(file), process.stdout, { end: false }).catch(
        (cause: Error) => {
          throw new Trouble(`stdout did not take the whole copy: ${cause.message}`, { cause })
        },
      )
    }),
  )
}
