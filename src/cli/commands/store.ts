import {
  constants as fsConstants,
  createReadStream,
  createWriteStream,
  existsSync,
  rmSync,
} from 'node:fs'
import { access, copyFile, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pipeline } from 'node:stream/promises'
import { isatty } from 'node:tty'
import { systemClock } from '../../adapters/system.ts'
import { loadConfig } from '../../main/config.ts'
import type { StorePlace } from '../../main/copy-store.ts'
import type { StoreCare } from '../../ports/store.ts'
import { onlyWord, refuseWords, required } from '../arguments.ts'
import { CliError, type Command, type ProcessIo, usageError } from '../program.ts'
import { progressLine } from '../progress-line.ts'
import { systemErrorText } from '../system-error.ts'
import { withPorts } from './with-ports.ts'

const [STDIN, STDOUT] = [0, 1]

export const backupCommand: Command = {
  details: `Write a consistent copy of the store to FILE, which must not exist, or to stdout if FILE is "-". The
server may keep running.

With --keep, FILE is a directory: the copy gets the time as its name, is verified, and only then are
the oldest copies deleted beyond the N newest. If no copy could be made, the exit status is 1 and all
copies stay; 3 means that a copy was made, but an old one could not be deleted.

To restore it, use "restore"; or stop the server, delete mapcrate.db-wal and mapcrate.db-shm in DATA_DIR,
and replace mapcrate.db with FILE. With DATABASE_URL set, FILE has the same format, and can be the store
of a server without DATABASE_URL.`,
  options: [{ name: 'keep', takes: 'N', about: 'write to the directory FILE, and keep N copies' }],
  words: ['FILE'],
  examples: [
    'mapcrate-server backup mapcrate-2026-10-03.db',
    'mapcrate-server backup --keep 14 /var/backups/mapcrate',
    'docker compose exec -T mapcrate mapcrate-server backup - > mapcrate-2026-10-03.db',
  ],
  async run(call, io) {
    const word = onlyWord(call, 'FILE')
    const keep = call.options.get('keep')
    // Keys and private packs are in it, as in the store.
    process.umask(0o077)
    if (keep !== undefined) return backupInto(word, readCount(keep), io)
    if (word === '-') return backupToStdout(io)
    const file = resolve(word)
    await withPorts(io.env, 'refuse', ({ care }) => backupTo(care, file))
    io.stdout.write(`${file}\n`)
  },
}

async function backupTo(care: StoreCare, file: string): Promise<void> {
  await care.backup(file).catch((cause: Error) => {
    const remedy = /disk is full/.test(cause.message) ? '; free some space there' : ''
    const message = `no copy could be made in ${dirname(file)}: ${cause.message}${remedy}`
    throw new CliError(message, 'failed', { cause })
  })
}

function readCount(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text)
  throw usageError(`--keep "${text}" is no count; give a whole number from 1 to 9999`)
}

const KEPT_COPY = /^mapcrate-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z\.db$/

/** Adds a copy to a directory, and deletes the oldest beyond `keep`, never the new one. */
async function backupInto(word: string, keep: number, { env, stdout }: ProcessIo): Promise<void> {
  if (word === '-') throw usageError('--keep needs a directory in place of "-"')
  const folder = resolve(word)
  const time = new Date(systemClock.now()).toISOString()
  const name = `mapcrate-${time.replaceAll(':', '-')}.db`
  await removeAbandoned(folder)
  await withPorts(env, 'refuse', ({ care }) =>
    withScratchFile([folder], async (unchecked) => {
      await backupTo(care, unchecked)
      checkContent(unchecked)
      await rename(unchecked, join(folder, name))
    }),
  )
  // The new copy must survive a power failure before an old one is deleted.
  await using directory = await open(folder)
  await directory.sync()
  stdout.write(`${join(folder, name)}\n`)

  const copies = (await readdir(folder)).filter((each) => KEPT_COPY.test(each) && each !== name)
  const old = copies
    .toSorted()
    .toReversed()
    .slice(keep - 1)
  const removals = await Promise.allSettled(old.map((each) => rm(join(folder, each))))
  const failed = removals.find((removal) => removal.status === 'rejected')
  if (!failed) return
  const reason = systemErrorText(failed.reason) ?? String(failed.reason)
  throw new CliError(`the copy was made, but an old one could not be deleted: ${reason}`, 'partial')
}

/** The backup of a damaged store is as damaged, and must not take the place of a good one. */
function checkContent(file: string): void {
  // Opened for writing: SQLite checks no constraints through a connection that only reads.
  using copy = new DatabaseSync(file)
  const result = copy.prepare('pragma integrity_check(1)').get()?.['integrity_check']
  if (result === 'ok') return
  throw new CliError(
    `the copy is damaged, probably because the store is: ${String(result)}; no copy was deleted`,
  )
}

const SCRATCH_PREFIX = '.mapcrate-scratch-'
const ABANDONED_MS = 86_400_000

/** Removes what a killed backup has left in the directory of the copies. */
async function removeAbandoned(folder: string): Promise<void> {
  const names = await readdir(folder)
  for (const name of names.filter((each) => each.startsWith(SCRATCH_PREFIX))) {
    const path = join(folder, name)
    const { mtimeMs } = await stat(path)
    if (systemClock.now() - mtimeMs > ABANDONED_MS) await rm(path, { recursive: true, force: true })
  }
}

/**
 * The copy is finished before its first byte is sent, so that a failure sends none. It is next to the store,
 * where there is room for it; the folder for temporary files may be in memory.
 */
async function backupToStdout({ env }: ProcessIo): Promise<void> {
  if (isatty(STDOUT)) {
    throw usageError('stdout is a terminal; send the copy to a file: backup - > mapcrate.db')
  }
  await withPorts(env, 'refuse', ({ care }, { dataDir }) =>
    withScratchFile([dataDir, tmpdir()], async (file) => {
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
  async run(call, io) {
    const word = onlyWord(call, 'FILE')
    if (word === '-') return restoreFromStdin(io)
    const backup = resolve(word)
    await access(backup)
    // What is read is also migrated: the version that made the backup must be able to read it again.
    await withScratchFile([dirname(backup), tmpdir()], async (file) => {
      for (const suffix of ['', '-wal']) {
        if (!existsSync(backup + suffix)) continue
        await copyFile(backup + suffix, file + suffix, fsConstants.COPYFILE_FICLONE)
      }
      await copyWithProgress(io, { file })
    })
  },
}

async function restoreFromStdin(io: ProcessIo): Promise<void> {
  if (isatty(STDIN)) {
    throw usageError('stdin is a terminal; give it a backup: restore - < mapcrate.db')
  }
  await withScratchFile([loadConfig(io.env).dataDir, tmpdir()], async (file) => {
    await pipeline(process.stdin, createWriteStream(file, { flags: 'wx', mode: 0o600 }))
    await checkWhole(file)
    await copyWithProgress(io, { file })
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
  async run(call, io) {
    const from = placeOf('from', required(call, 'from'))
    const to = call.options.get('to')
    refuseWords(call)
    await copyWithProgress(io, from, to === undefined ? undefined : placeOf('to', to))
  },
}

function placeOf(option: string, text: string): StorePlace {
  if (text.trim() === '') throw usageError(`--${option} has no value`)
  if (!/^postgres(ql)?:\/\//i.test(text)) return { file: resolve(text) }
  if (URL.canParse(text)) return { databaseUrl: text }
  // It may hold a password, which is not repeated.
  throw usageError(
    `--${option} is no address of a database; give postgres://USER:PASSWORD@HOST/NAME`,
  )
}

/** @param to the configured store when left out. */
async function copyWithProgress(
  { env, stdout, stderr }: ProcessIo,
  from: StorePlace,
  to?: StorePlace,
): Promise<void> {
  // Help and usage errors do not load the database's drivers.
  const { copyStore, configuredPlace } = await import('../../main/copy-store.ts')
  const target = to ?? configuredPlace(loadConfig(env))
  const line = progressLine(stderr)
  let shown = ''
  const copied = copyStore(from, target, (doing, done, of) => {
    const text = `${of === 0 ? 100 : Math.floor((100 * done) / of)} % ${doing}`
    if (text !== shown) line.show(text)
    shown = text
  })
  const rows = await copied.finally(line.end)
  stdout.write(`${rows} rows copied, and the same in both\n`)
}

/** Attempts, each of which removes something. */
const MOST_REMOVALS = 100

/**
 * Removes a folder in which other threads may still make and remove files: `rmSync` fails when one is made meanwhile,
 * and returns with the folder still there when one is removed.
 */
export function removeInUse(folder: string): void {
  for (let attempt = 0; attempt < MOST_REMOVALS && existsSync(folder); attempt += 1) {
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error
    }
  }
}

/**
 * Calls `use` with the name for a temporary file in `place`, or in `other` if that cannot be written. It is
 * removed afterwards, also on a signal.
 */
async function withScratchFile(
  [place, other]: readonly [string, string?],
  use: (file: string) => Promise<void>,
): Promise<void> {
  const made = mkdtemp(join(place, SCRATCH_PREFIX))
  const folder = await (other === undefined
    ? made
    : made.catch(() => mkdtemp(join(other, SCRATCH_PREFIX))))
  const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const
  const onSignal = (signal: (typeof signals)[number]): void => {
    removeInUse(folder)
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
