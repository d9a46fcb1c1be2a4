import { CliError } from '../program.ts'
import { randomBytes } from 'node:crypto'
import {
  access,
  chmod,
  constants,
  chown,
  link,
  open,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import type { Stats } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { systemCode } from '../system-error.ts'
import { fileError } from './errors.ts'

export type WriteOptions = {
  /** Mode of a new file, under the umask; one that is there keeps its own. */
  readonly mode?: number
  /** Mode of the file, whether or not it is there. */
  readonly onlyMode?: number
  /**
   * What to do about a file that is there: `replace` it, the default; `refuse`; or replace it only if it
   * still has the content that was read of it.
   */
  readonly existing?: 'replace' | 'refuse' | Uint8Array
}

const MAX_LINKS = 40

/**
 * Writes a file whole or not at all: who reads it meanwhile, or after a power cut, a full disk or a
 * kill, finds what was there before or what is there now. Symbolic links are followed; a file that is
 * there keeps its mode, and its owner where that is allowed. Devices and pipes are written to directly.
 *
 * @throws CliError with the file, the reason and what to do.
 */
export const writeWhole = async (
  file: string,
  content: string | Uint8Array,
  options: WriteOptions = {},
): Promise<void> => {
  try {
    const target = await targetOf(file)
    const there = await stat(target).catch(() => null)
    if (there?.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' })
    if (there !== null && !there.isFile()) return await writeFile(target, content)
    await replace(target, there, content, options)
  } catch (error) {
    if (error instanceof CliError) throw error
    throw systemCode(error) === 'EEXIST' ? fileExists(file) : fileError(error, 'written', file)
  }
}

/** That a file is there which should not be overwritten. */
export const fileExists = (file: string): CliError =>
  new CliError(`${file} exists already and was not changed; --force overwrites it`)

async function replace(
  target: string,
  there: Stats | null,
  content: string | Uint8Array,
  { mode = 0o666, onlyMode, existing = 'replace' }: WriteOptions,
): Promise<void> {
  if (existing === 'refuse' && there !== null) throw exists()
  // Renaming would replace a write-protected file, too.
  if (there !== null) await access(target, constants.W_OK)
  const temporary = join(dirname(target), `.mapcrate-${randomBytes(6).toString('hex')}.tmp`)
  try {
    const handle = await open(temporary, 'wx', onlyMode ?? (there === null ? mode : 0o600))
    try {
      await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    if (there !== null) await keepOwner(temporary, there)
    if (there !== null || onlyMode !== undefined) {
      await chmod(temporary, (onlyMode ?? there?.mode ?? mode) & 0o7777)
    }
    if (existing === 'refuse') await moveToNew(temporary, target)
    else {
      if (existing !== 'replace') await refuseIfChanged(target, existing)
      await rename(temporary, target)
    }
  } finally {
    await rm(temporary, { force: true })
  }
  await syncFolder(dirname(target))
}

/** Where links lead to, to a file that does not exist yet, too. */
async function targetOf(file: string): Promise<string> {
  let path = resolve(file)
  for (let count = 0; count < MAX_LINKS; count++) {
    const real = await realpath(path).catch(() => null)
    if (real !== null) return real
    const next = await readlink(path).catch(() => null)
    if (next === null) return path
    path = resolve(dirname(path), next)
  }
  return path
}

/** Only the superuser can give files away; for others the file becomes theirs. */
async function keepOwner(file: string, { uid, gid }: Stats): Promise<void> {
  const own = await stat(file)
  if (own.uid === uid && own.gid === gid) return
  await chown(file, uid, gid).catch(() => {})
}

/** Renames, unless there is a file of the name: renaming alone would replace it. */
async function moveToNew(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw error
    // Some file systems have no links.
    await writeFile(to, '', { flag: 'wx' })
    await rename(from, to)
  }
}

async function refuseIfChanged(target: string, content: Uint8Array): Promise<void> {
  const now = await readFile(target).catch(() => null)
  if (now !== null && now.equals(content)) return
  throw new CliError(`${target} was changed by another program meanwhile; run the command again`)
}

function exists(): Error {
  return Object.assign(new Error('exists'), { code: 'EEXIST' })
}

/** So that the new name outlives a power cut; not every system can. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null)
  await handle?.sync().catch(() => {})
  await handle?.close()
}
