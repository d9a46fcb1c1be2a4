import { createReadStream, createWriteStream, rmSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isatty } from 'node:tty'
import { loadConfig } from '../../main/config.ts'
import type { StorePlace } from '../../main/copy-store.ts'
import type { StoreCare } from '../../ports/store.ts'
import { onlyWord, readArguments, refuseWords, required } from '../arguments.ts'
import { type Command, CliError } from '../program.ts'
import { progressLine } from '../progress-line.ts'
import { withPorts } from './with-ports.ts'

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
    const word = onlyWord(readArguments(args, []), 'FILE')
    if (word === '-') return backupToStdout()
    const file = resolve(word)
    await withPorts('refuse', ({ care }) => backupTo(care, file))
    process.stdout.write(`${file}\n`)
  },
}

const backupTo = (care: StoreCare, file: string): Promise<void> =>
  care.backup(file).catch((cause: Error) => {
    throw new CliError(cause.message, 'failed', { cause })
  })

/** The copy is finished before its first byte is sent, so that a failure sends none. */
async function backupToStdout(): Promise<void> {
  if (isatty(STDOUT)) {
    throw new CliError(
      'stdout is a terminal; send the copy to a file: backup - > mapcrate.db',
      'misuse',
    )
  }
  await withPorts('refuse', ({ care }, { dataDir }) =>
    withScratchFile(dataDir, async (file) => {
      await backupTo(care, file)
      await pipeline(createReadStream(file), process.stdout, { end: false }).catch(
        (cause: Error) => {
          throw new CliError(`stdout did not take the whole copy: ${cause.message}`, 'failed', {
            cause,
          })
        },
      )
    }),
  )
}

const STDIN = 0

export const restoreCommand: Command = {
  name: 'restore',
  takes: 'FILE',
  details: `Fills the store that the server is configured with from FILE, which \`backup\` has written (- is
stdin), and checks by count and checksum that all is there. The store must be empty: give the server a
new DATA_DIR or another database, or put the old one away. Stop the server first. If it is broken off,
call it again.`,
  example: 'restore mapcrate-2026-10-03.db',
  async run(args) {
    const word = onlyWord(readArguments(args, []), 'FILE')
    if (word === '-') return restoreFromStdin()
    await copyWithProgress({ file: resolve(word) }, null)
  },
}

async function restoreFromStdin(): Promise<void> {
  if (isatty(STDIN)) {
    throw new CliError('stdin is a terminal; give it a backup: restore - < mapcrate.db', 'misuse')
  }
  await withScratchFile(loadConfig().dataDir, async (file) => {
    await pipeline(process.stdin, createWriteStream(file, { flags: 'wx', mode: 0o600 }))
    await checkWhole(file)
    await copyWithProgress({ file }, null)
  })
}

const MAGIC = 'SQLite format 3\0'
const HEADER_BYTES = 100

/** A stream that was cut has no end of its own: the file says how long it has to be (SQLite's file format 1.3). */
async function checkWhole(file: string): Promise<void> {
  await using handle = await open(file)
  const header = Buffer.alloc(HEADER_BYTES)
  const { bytesRead } = await handle.read(header)
  if (bytesRead < HEADER_BYTES || header.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    throw new CliError('what came on stdin is no backup; nothing was changed')
  }
  // 1 stands for 65,536, which has no room in two bytes.
  const pageBytes = header.readUInt16BE(16)
  const whole = (pageBytes === 1 ? 65_536 : pageBytes) * header.readUInt32BE(28)
  const { size } = await handle.stat()
  if (size !== whole) {
    throw new CliError(`stdin ended after ${size} of ${whole} bytes; nothing was changed`)
  }
}

const placeOf = (text: string): StorePlace =>
  /^postgres(ql)?:\/\//i.test(text) ? { databaseUrl: text } : { file: resolve(text) }

export const copyCommand: Command = {
  name: 'copy',
  takes: '--from STORE [--to STORE]',
  details: `Copies a whole store to an empty one, and checks by count and checksum that all is there. A STORE is
a file such as data/mapcrate.db, or the address of a database, postgres://…; without --to it is the
one that the server is configured with, so that no password need stand on the command line. Stop the
server first: what is written meanwhile does not come along. If it is broken off, call it again: it goes
on where it was, and no server uses the store before.`,
  example: 'copy --from data/mapcrate.db',
  async run(args) {
    const given = readArguments(args, [
      { name: 'from', takes: 'STORE' },
      { name: 'to', takes: 'STORE' },
    ])
    const from = required(given, 'from')
    const to = given.values.get('to')
    refuseWords(given)
    await copyWithProgress(placeOf(from), to === undefined ? null : placeOf(to))
  },
}

const percent = (part: number, whole: number): number =>
  whole === 0 ? 100 : Math.floor((100 * part) / whole)

/**
 * Copies a store to the other, or to the one that is configured when that is null, and shows how far
 * it has come.
 */
const copyWithProgress = async (from: StorePlace, to: StorePlace | null): Promise<void> => {
  // Help and misuse are told without the database's drivers in memory.
  const { copyStore, configuredPlace } = await import('../../main/copy-store.ts')
  const line = progressLine(process.stderr)
  let shown = ''
  try {
    const rows = await copyStore(from, to ?? configuredPlace(loadConfig()), (doing, done, of) => {
      const text = `${percent(done, of)} % ${doing}`
      if (text !== shown) line.show(text)
      shown = text
    })
    line.end()
    process.stdout.write(`${rows} rows copied, and the same in both\n`)
  } catch (error) {
    line.end()
    throw error
  }
}

/** What ends a command from outside, and the number that its exit code is counted from. */
const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const

/**
 * Gives a name for a file that is needed for a moment and is as large as the store; it is removed
 * afterwards, when a signal ends the command too. Where the store is, there is room for it;
 * the folder for temporary files may be memory.
 */
const withScratchFile = async <T>(
  dataDir: string,
  use: (file: string) => Promise<T>,
): Promise<T> => {
  const prefix = '.mapcrate-scratch-'
  const folder = await mkdtemp(join(dataDir, prefix)).catch(() => mkdtemp(join(tmpdir(), prefix)))
  const onSignal = (signal: keyof typeof signals): void => {
    rmSync(folder, { recursive: true, force: true })
    process.exit(128 + signals[signal])
  }
  const names = Object.keys(signals) as (keyof typeof signals)[]
  for (const name of names) process.on(name, onSignal)
  try {
    return await use(join(folder, 'mapcrate.db'))
  } finally {
    for (const name of names) process.off(name, onSignal)
    await rm(folder, { recursive: true, force: true })
  }
}
