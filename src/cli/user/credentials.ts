import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { systemCode } from '../system-error.ts'
import type { Surroundings } from './surroundings.ts'
import { fileTrouble, Trouble } from './trouble.ts'
import { writeWhole } from './write-file.ts'

/** A service, and the key to it. */
export type Credentials = { readonly address: string; readonly key: string }

type Place = Pick<Surroundings, 'env' | 'platform' | 'home'>

/** Where programs keep their settings here. */
const settingsFolder = ({ env, platform, home }: Place): string => {
  const { XDG_CONFIG_HOME: xdg = '', APPDATA: appData = '' } = env
  if (xdg !== '') return xdg
  if (platform === 'win32') return appData === '' ? join(home, 'AppData', 'Roaming') : appData
  return platform === 'darwin'
    ? join(home, 'Library', 'Application Support')
    : join(home, '.config')
}

/** The file that `mapcrate login` writes. */
export const credentialsFile = (place: Place): string =>
  join(settingsFolder(place), 'mapcrate', 'login.json')

const parse = (text: string): Partial<Credentials> | null => {
  try {
    return JSON.parse(text) as Partial<Credentials> | null
  } catch {
    return null
  }
}

/** What was kept by the last login; null when nothing was. */
export const readCredentials = async (around: Surroundings): Promise<Credentials | null> => {
  const file = credentialsFile(around)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    throw fileTrouble(error, 'read', file)
  })
  if (text === null) return null
  const { address, key } = parse(text) ?? {}
  if (typeof address !== 'string' || typeof key !== 'string') {
    throw new Trouble(`${file} is damaged; log in again with: mapcrate login`)
  }
  const { mode } = await stat(file)
  if (around.platform !== 'win32' && (mode & 0o077) !== 0) {
    around.screen.note(`Others on this machine can read your key: chmod 600 '${file}'`)
  }
  return { address, key }
}

/** Keeps them where nobody else can read them; gives the file. */
export const keepCredentials = async (around: Place, kept: Credentials): Promise<string> => {
  const file = credentialsFile(around)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw fileTrouble(error, 'written', file)
  })
  await writeWhole(file, `${JSON.stringify(kept, null, 2)}\n`, { onlyMode: 0o600 })
  return file
}

/** Deletes what was kept; gives the file, or null when nothing was kept. */
export const forgetCredentials = async (around: Place): Promise<string | null> => {
  const file = credentialsFile(around)
  try {
    await rm(file)
    return file
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return null
    throw fileTrouble(error, 'deleted', file)
  }
}
