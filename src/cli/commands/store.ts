import { createReadStream, createWriteStream, rmSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isatty } from 'node:tty'
import { loadConfig } from '../../main/config.ts'
import type { StorePlace } from '../../main/copy-store.ts'
import type { StoreCare } from '../../ports/store.ts'
import { onlyWord, refuseWords, required } from '../arguments.ts'
import { CliError, type Command, usageError } from '../program.ts'
import { progressLine } from '../progress-line.ts'
import { withPorts } from './with-ports.ts'

const [STDIN, STDOUT] = [0, 1]

export const backupCommand: Command = {
  details: `Write a consistent copy of the store to FILE, which must not exist, or to stdout if FILE is "-". The
server may keep running.

To restore it, use "restore"; or stop the server, delete mapcrate.db-wal and mapcrate.db-shm in DATA_DIR,
and replace mapcrate.db with FILE. With DATABASE_URL set, FILE has the same format, and can be the store
of a server without DATABASE_URL.`,
  words: ['FILE'],
  examples: [
    'mapcrate-server backup mapcrate-2026-10-03.db',
    'docker compose exec -T mapcrate mapcrate-server backup - > mapcrate-2026-10-03.db',
  ],
  async run(call) {
    const word = onlyWord(call, 'FILE')
    if (word === '-') return backupToStdout()
    const file = resolve(word)
    await withPorts('refuse', ({ care }) => backupTo(care, file))
    process.stdout.write(`${file}\n`)
  },
}

async function backupTo(care: StoreCare, file: string): Promise<void> {
  await care.backup(file).catch((cause: Error) => {
    throw new CliError(cause.message, 'failed', { cause })
  })
}

/** The copy is finished before its first byte is sent, so that a failure sends none. */
async function backupToStdout(): Promise<void> {
  if (isatty(STDOUT)) {
    throw usageError('stdout is a terminal; send the copy to a file: backup - > mapcrate.db')
  }
  await withPorts('refuse', ({ care }, { dataDir }) =>
    withScratchFile(dataDir, async (file) => {
      await backupTo(care, file)
      const sent = pipeline(createReadStream(file), process.stdout, { end: false })
      await sent.catch((cause: Error) => {
        const message = `stdout did not take the whole copy: ${cause.message}`
        throw new CliError(message, 'failed', { cause })
      })
    }),
  )
}

export const restoreCommand: Command = {
  details: `Restore the backup in FILE ("-" is stdin) to the configured store, and verify row counts and checksums.
The store must be empty: use a new DATA_DIR or another database. Stop the server first. If interrupted,
run the command again.`,
  words: ['FILE'],
  examples: ['mapcrate-server restore mapcrate-2026-10-03.db'],
  async run(call) {
    const word = onlyWord(call, 'FILE')
    if (word === '-') return restoreFromStdin()
    await copyWithProgress({ file: resolve(word) })
  },
}

async function restoreFromStdin(): Promise<void> {
  if (isatty(STDIN)) {
    throw usageError('stdin is a terminal; give it a backup: restore - < mapcrate.db')
  }
  await withScratchFile(loadConfig().dataDir, async (file) => {
    await pipeline(process.stdin, createWriteStream(file, { flags: 'wx', mode: 0o600 }))
    await checkWhole(file)
    await copyWithProgress({ file })
  })
}

const MAGIC = 'SQLite format 3\0'
const HEADER_BYTES = 100

/** Refuses a stream that was cut off: the header says how long the file must be (SQLite's file format 1.3). */
async function checkWhole(file: string): Promise<void> {
  await using handle = await open(file)
  const header = Buffer.alloc(HEADER_BYTES)
  const { bytesRead } = await handle.read(header)
  if (bytesRead < HEADER_BYTES || header.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    throw new CliError('what came on stdin is no backup; nothing was changed')
  }
  // 1 means 65,536, which does not fit into two bytes.
  const pageBytes = header.readUInt16BE(16)
  const whole = (pageBytes === 1 ? 65_536 : pageBytes) * header.readUInt32BE(28)
  const { size } = await handle.stat()
  if (size !== whole) {
    throw new CliError(`stdin ended after ${size} of ${whole} bytes; nothing was changed`)
  }
}

export const copyCommand: Command = {
  details: `Copy a store to an empty one, and verify row counts and checksums. STORE is a file such as
data/mapcrate.db, or the address of a database (postgres://…). Without --to, the configured store is
used, so that no password is needed on the command line. Stop the server first: later changes are not
copied. If interrupted, run the command again to continue; no server uses the store before.`,
  options: [
    { name: 'from', takes: 'STORE', isRequired: true, about: 'store to copy' },
    { name: 'to', takes: 'STORE', about: 'empty store (default: the configured one)' },
  ],
  examples: ['mapcrate-server copy --from data/mapcrate.db'],
  async run(call) {
    const from = placeOf(required(call, 'from'))
    const to = call.options.get('to')
    refuseWords(call)
    await copyWithProgress(from, to === undefined ? undefined : placeOf(to))
  },
}

function placeOf(text: string): StorePlace {
  return /^postgres(ql)?:\/\//i.test(text) ? { databaseUrl: text } : { file: resolve(text) }
}

/** @param to the configured store when left out. */
async function copyWithProgress(from: StorePlace, to?: StorePlace): Promise<void> {
  // Help and usage errors do not load the database's drivers.
  const { copyStore, configuredPlace } = await import('../../main/copy-store.ts')
  const target = to ?? configuredPlace(loadConfig())
  const line = progressLine(process.stderr)
  let shown = ''
  const copied = copyStore(from, target, (doing, done, of) => {
    const text = `${of === 0 ? 100 : Math.floor((100 * done) / of)} % ${doing}`
    if (text !== shown) line.show(text)
    shown = text
  })
  const rows = await copied.finally(line.end)
  process.stdout.write(`${rows} rows copied, and the same in both\n`)
}

/**
 * Calls `use` with the name for a temporary file, which is removed afterwards, also on a signal. It is next
 * to the store, where there is room for a copy; the folder for temporary files may be in memory.
 */
async function withScratchFile(dataDir: string, use: (file: string) => Promise<void>) {
  const prefix = '.mapcrate-scratch-'
  const folder = await mkdtemp(join(dataDir, prefix)).catch(() => mkdtemp(join(tmpdir(), prefix)))
  const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const
  const onSignal = (signal: (typeof signals)[number]): void => {
    rmSync(folder, { recursive: true, force: true })
    process.exit(128 + constants.signals[signal])
  }
  for (const signal of signals) process.on(signal, onSignal)
  try {
    await use(join(folder, 'mapcrate.db'))
  } finally {
    for (const signal of signals) process.off(signal, onSignal)
    await rm(folder, { recursive: true, force: true })
  }
}
