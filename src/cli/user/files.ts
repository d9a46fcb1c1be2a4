import { randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import * as fs from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Pack } from '../../contract/packs.ts'
import { fileStem } from '../../pool/text.ts'
import { CliError } from '../program.ts'
import { systemCode } from '../system-error.ts'
import { fileError } from './errors.ts'

/** As much as any reader of a file takes. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024

/** The content of a regular file: devices and pipes may have no end, or wait for ever. */
export async function readWhole(file: string): Promise<Buffer> {
  try {
    // Opening a pipe would wait for its writer.
    const handle = await fs.open(file, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0))
    try {
      const stats = await handle.stat()
      if (stats.isDirectory()) throw systemError('EISDIR')
      if (!stats.isFile()) throw new CliError(notRegular(file))
      return await readBounded(handle, file)
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw error instanceof CliError ? error : fileError(error, 'read', file)
  }
}

const notRegular = (file: string): string => `${file} is no ordinary file; give the name of one`

/** Files of /proc have more than their size, and others may grow. */
async function readBounded(handle: fs.FileHandle, file: string): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of handle.createReadStream({ autoClose: false, highWaterMark: 1 << 20 })) {
    parts.push(part as Buffer)
    length += (part as Buffer).length
    if (length > MAX_FILE_BYTES) throw new CliError(tooLarge(file))
  }
  return Buffer.concat(parts)
}

export const tooLarge = (name: string): string => `${name} has more than ${MAX_FILE_BYTES} bytes`

/** Makes a folder and those above it. Node's own recursion never ends where none can be made, as in /proc. */
export async function makeFolder(folder: string, mode = 0o777): Promise<void> {
  try {
    await fs.mkdir(folder, { mode })
  } catch (error) {
    if (systemCode(error) === 'EEXIST' && (await isFolder(folder))) return
    const above = dirname(folder)
    if (systemCode(error) !== 'ENOENT' || (await isFolder(above))) throw error
    await makeFolder(above, mode)
    await fs.mkdir(folder, { mode })
  }
}

const isFolder = async (path: string): Promise<boolean> =>
  (await fs.stat(path).catch(() => null))?.isDirectory() ?? false

/** null if there is no file. */
export function readIfThere(file: string, missing = ['ENOENT']): Promise<Buffer | null> {
  return readWhole(file).catch((error: unknown) => {
    if (missing.includes(systemCode(error) ?? '')) return null
    throw error
  })
}

/** The value that a file holds as JSON; null for anything else. */
export function parseJson(bytes: Buffer | string): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return null
  }
}

type WriteOptions = {
  /** Left out, an existing file keeps its own. */
  readonly mode?: number
  /** What to do about an existing file; with bytes, replace it only if it still has this content. */
  readonly existing?: 'replace' | 'refuse' | Uint8Array
}

const MAX_LINKS = 40

/**
 * Writes a file atomically: also after a power failure, a full disk or a kill, it has either the old
 * content or the new one. Symbolic links are followed; an existing file keeps its mode, and its owner if
 * that is permitted. Devices and pipes are written to directly.
 */
export async function writeWhole(
  file: string,
  content: string | Uint8Array,
  options: WriteOptions = {},
): Promise<void> {
  try {
    // By its own name: what /dev/stdout leads to has none if it is a pipe.
    const old = await fs.stat(file).catch(() => null)
    if (old?.isDirectory()) throw systemError('EISDIR')
    if (old !== null && !old.isFile()) return await fs.writeFile(file, content)
    await replace(await targetOf(file), old, content, options)
  } catch (error) {
    if (error instanceof CliError) throw error
    throw systemCode(error) === 'EEXIST' ? fileExists(file) : fileError(error, 'written', file)
  }
}

export const fileExists = (file: string): CliError =>
  new CliError(`${file} exists already and was not changed; --force overwrites it`)

async function replace(
  target: string,
  old: Stats | null,
  content: string | Uint8Array,
  { mode = old?.mode, existing = 'replace' }: WriteOptions,
): Promise<void> {
  if (existing === 'refuse' && old !== null) throw systemError('EEXIST')
  // Renaming would replace a write-protected file, too.
  if (old !== null) await fs.access(target, fs.constants.W_OK)
  const temporary = join(dirname(target), `.mapcrate-${randomBytes(6).toString('hex')}.tmp`)
  try {
    const handle = await fs.open(temporary, 'wx', mode === undefined ? 0o666 : 0o600)
    try {
      await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    // Only the superuser can give files away; for others the file becomes theirs.
    if (old !== null) await fs.chown(temporary, old.uid, old.gid).catch(() => {})
    if (mode !== undefined) await fs.chmod(temporary, mode & 0o7777)
    if (existing === 'refuse') await moveToNew(temporary, target)
    else {
      if (existing !== 'replace') await refuseIfChanged(target, existing)
      await fs.rename(temporary, target)
    }
  } finally {
    await fs.rm(temporary, { force: true })
  }
  await syncFolder(dirname(target))
}

function systemError(code: string): Error {
  return Object.assign(new Error(code), { code })
}

/** Where links lead to, also if there is no file yet. */
async function targetOf(file: string): Promise<string> {
  let path = resolve(file)
  for (let count = 0; count < MAX_LINKS; count++) {
    const real = await fs.realpath(path).catch(() => null)
    if (real !== null) return real
    const next = await fs.readlink(path).catch(() => null)
    if (next === null) return path
    path = resolve(dirname(path), next)
  }
  return path
}

/** Renames, unless there is a file of the name: renaming alone would replace it. */
export async function moveToNew(from: string, to: string): Promise<void> {
  try {
    await fs.link(from, to)
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw error
    // Some file systems have no links; there a reader may find the file while it is still empty.
    await fs.writeFile(to, '', { flag: 'wx' })
    await fs.rename(from, to)
  }
}

async function refuseIfChanged(target: string, content: Uint8Array): Promise<void> {
  const now = await readWhole(target).catch(() => null)
  if (now?.equals(content)) return
  throw new CliError(`${target} was changed by another program meanwhile; run the command again`)
}

/** Makes the new name survive a power failure; not every system can. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await fs.open(folder, 'r').catch(() => null)
  await handle?.sync().catch(() => {})
  await handle?.close()
}

/** A name for a pack's file that is not taken; upper and lower case are the same. */
export function freeName(pack: Pick<Pack, 'name' | 'slug'>, taken: readonly string[]): string {
  const stem = fileStem(pack.name)
  const name = `${stem}.json`
  const all = new Set(taken.map((each) => each.toLowerCase()))
  const isFree = (each: string) => !all.has(each.toLowerCase())
  if (isFree(name)) return name
  for (let number = 1; ; number += 1) {
    const other = `${stem} ${pack.slug}${number === 1 ? '' : ` ${number}`}.json`
    if (isFree(other)) return other
  }
}
