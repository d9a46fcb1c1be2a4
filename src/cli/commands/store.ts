import { createReadStream } from 'node:fs'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pipeline } from 'node:stream/promises'
import { isatty } from 'node:tty'
import { readPostgresUrl } from '../../adapters/storage/postgres/address.ts'
import { withScratchFile } from '../../adapters/storage/sqlite/scratch.ts'
import { systemClock } from '../../adapters/system.ts'
import { loadConfig } from '../../main/config.ts'
import type { StorePlace, StoreStream } from '../../main/copy-store.ts'
import type { StoreCare } from '../../ports/store.ts'
import { onlyWord, refuseWords, required } from '../arguments.ts'
import { CliError, type Command, type ProcessIo, usageError } from '../program.ts'
import { progressLine } from '../progress-line.ts'
import { fileErrorText, systemErrorText } from '../system-error.ts'
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

/** @param folder that was named, where the copy has another place at first. */
async function backupTo(care: StoreCare, file: string, folder = dirname(file)): Promise<void> {
  await care.backup(file).catch((cause: NodeJS.ErrnoException) => {
    if (cause.path !== undefined) {
      throw new CliError(fileErrorText(cause, 'written', file), 'failed', { cause })
    }
    const remedy = /disk is full/.test(cause.message) ? '; free some space there' : ''
    const message = `no copy could be made in ${folder}: ${cause.message}${remedy}`
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
  if (!(await stat(folder).catch(() => null))?.isDirectory()) {
    throw new CliError(`there is no folder ${folder}; create it first, or name another`)
  }
  await withPorts(env, 'refuse', ({ care }) =>
    withScratchFile([folder], async (unchecked) => {
      await backupTo(care, unchecked, folder)
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
run the command again; no server uses the store before. FILE is not changed: a copy of it is read, for
which there must be room beside FILE or in the folder for temporary files, and which the next run removes
if this one is killed.`,
  words: ['FILE'],
  examples: ['mapcrate-server restore mapcrate-2026-10-03.db'],
  async run(call, io) {
    const word = onlyWord(call, 'FILE')
    if (word !== '-') return copyWithProgress('restore', io, { file: resolve(word) })
    if (isatty(STDIN)) {
      throw usageError('stdin is a terminal; give it a backup: restore - < mapcrate.db')
    }
    const { dataDir } = loadConfig(io.env)
    await copyWithProgress('restore', io, { stdin: process.stdin, folder: dataDir })
  },
}

export const copyCommand: Command = {
  details: `Copy a store to an empty one, and verify row counts and checksums. STORE is a file such as
data/mapcrate.db, or the address of a database (postgres://…). Without --to, the configured store is
used, so that no password is needed on the command line. Stop the server first, or let nothing be changed
("read-only on"): later changes are not copied, and a store that a server may still change is refused. If
interrupted, run the command again to continue; no server uses the store before.

The store to copy is not changed. Of a file, a copy is read, as by "restore". A database of an older
version is refused: start a server of this version on it once.`,
  options: [
    { name: 'from', takes: 'STORE', isRequired: true, about: 'store to copy' },
    { name: 'to', takes: 'STORE', about: 'empty store (default: the configured one)' },
  ],
  examples: ['mapcrate-server copy --from data/mapcrate.db'],
  async run(call, io) {
    const from = placeOf('from', required(call, 'from'))
    const to = call.options.get('to')
    refuseWords(call)
    await copyWithProgress('copy', io, from, to === undefined ? undefined : placeOf('to', to))
  },
}

function placeOf(option: string, given: string): StorePlace {
  const text = given.trim()
  if (text === '') throw usageError(`--${option} has no value`)
  // What may hold a password is not repeated.
  if (/^postgres(ql)?:\/\//i.test(text)) {
    try {
      readPostgresUrl(text)
    } catch (error) {
      throw usageError(`--${option} ${(error as Error).message}`)
    }
    return { databaseUrl: text }
  }
  if (!/^(?:\.{0,2}[/\\]|[a-z]:[/\\])/i.test(text) && /@|:\/\/|^postgres/i.test(text)) {
    const form = 'give one such as postgres://USER:PASSWORD@HOST/NAME, or a file as ./NAME'
    throw usageError(`--${option} is no database; ${form}`)
  }
  return { file: resolve(text) }
}

/** @param to the configured store when left out. */
async function copyWithProgress(
  command: 'copy' | 'restore',
  { env, stdout, stderr }: ProcessIo,
  from: StorePlace | StoreStream,
  to?: StorePlace,
): Promise<void> {
  // Help and usage errors do not load the database's drivers.
  const { copyStore, configuredPlace } = await import('../../main/copy-store.ts')
  const target = to ?? configuredPlace(loadConfig(env))
  const line = progressLine(stderr)
  let shown = ''
  const copied = copyStore(command, from, target, (doing, done, of) => {
    const text = `${of === 0 ? 100 : Math.floor((100 * done) / of)} % ${doing}`
    if (text !== shown) line.show(text)
    shown = text
  })
  const rows = await copied.finally(line.end)
  stdout.write(`${rows} rows copied, and the same in both\n`)
}
