import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Every Node of 20 or later on this machine, the project's own included: version → where it is. */
export const findNodes = async (): Promise<[version: string, path: string][]> => {
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  const places = (process.env['PATH'] ?? '').split(delimiter).map((place) => join(place, name))
  const found = new Map<string, string>()
  for (const path of [process.execPath, ...places].filter(isExecutable)) {
    const { stdout } = await run(path, ['--version'])
    const version = stdout.trim()
    if (Number(/^v(\d+)/.exec(version)?.[1]) >= 20 && !found.has(version)) found.set(version, path)
  }
  return [...found]
}

const npm = (args: string[], cwd: string) =>
  run('npm', args, { cwd, shell: process.platform === 'win32' })

/** A project without anything but the package, and the examples: as those have it who install it. */
export const installPackage = async (): Promise<{
  readonly folder: string
  readonly remove: () => Promise<void>
}> => {
  const parent = await mkdtemp(join(tmpdir(), 'mapcrate-project-'))
  const tarballs = join(parent, 'tarballs')
  await npm(['run', '--silent', 'pack:client', '--', '--pack-destination', tarballs], root)
  // What the package depends on comes from here, as nothing is downloaded.
  await npm(['pack', '--silent', '--pack-destination', tarballs], join(root, 'node_modules/hucre'))
  const packed = (await readdir(tarballs)).map((name) => join(tarballs, name))
  const folder = join(parent, 'project')
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const options = ['--offline', '--no-audit', '--no-fund', '--loglevel=error']
  await npm(['install', ...options, ...packed], folder)
  await cp(join(root, 'examples'), folder, { recursive: true })
  return { folder, remove: () => rm(parent, { recursive: true, force: true }) }
}
