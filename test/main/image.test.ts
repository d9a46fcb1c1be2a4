import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { delimiter, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { freshFolder, startServer } from '../support/processes.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFile(join(root, path), 'utf8')
const [building = '', image = ''] = (await read('Dockerfile')).split(/^FROM .*$/m).slice(1)
const sent = [...(await read('.dockerignore')).matchAll(/^!(.+)$/gm)].map(([, path = '']) => path)

type Lock = { packages: Record<string, { dev?: boolean; devOptional?: boolean }> }

/** As `npm ci` does, with the packages that are here in place of the registry's. */
const install = async (folder: string, command: string): Promise<void> => {
  if (!command.includes('--omit=dev')) {
    return symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  }
  const lock = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as Lock
  const found = new Set(await readdir(join(root, 'node_modules')))
  for (const [path, { dev, devOptional }] of Object.entries(lock.packages)) {
    if (path === '' || dev || devOptional || path.lastIndexOf('node_modules/') > 0) continue
    const [scope = ''] = path.replace('node_modules/', '').split('/')
    if (!found.has(scope)) continue
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await symlink(join(root, path), join(folder, path))
  }
}

/** Takes the steps of the first stage, and returns the folder that the image is made from. */
const buildPackage = async (): Promise<string> => {
  const top = await freshFolder()
  const env = {
    ...process.env,
    PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
  }
  let place = top
  for (const [, step, rest = ''] of building.matchAll(/^(WORKDIR|COPY|RUN) (.+)$/gm)) {
    if (step === 'WORKDIR') place = join(top, relative('/build', rest))
    else if (step === 'RUN' && rest.startsWith('npm ci')) await install(place, rest)
    else if (step === 'RUN') execFileSync('sh', ['-c', rest], { cwd: place, env, stdio: 'pipe' })
    else {
      const paths = rest === '. .' ? sent : rest.split(' ').slice(0, -1)
      for (const path of paths) await cp(join(root, path), join(place, path), { recursive: true })
    }
  }
  const [, folder = ''] = /^COPY --from=package (\S+) \/app$/m.exec(image) ?? []
  return join(top, relative('/build', folder))
}

describe('the image', () => {
  test('holds the package that npm pack makes, which writes nothing but its data', async () => {
    const folder = await buildPackage()
    const { files } = JSON.parse(await read('package.json')) as { files: string[] }
    const own = await readdir(folder)
    expect(own).toEqual(expect.arrayContaining(['LICENSE', 'README.md']))
    const [left = [], packed = []] = [true, false].map((isLeft) =>
      files.filter((file) => file.startsWith('!') === isLeft),
    )
    for (const file of packed) expect(own, file).toContain(file.split('/')[0])
    for (const file of left) expect(existsSync(join(folder, file.slice(1))), file).toBe(false)
    expect(own).not.toContain('src')
    expect(await readdir(join(folder, 'node_modules'))).not.toContain('vitest')

    const program = join(folder, 'bin/mapcrate-server.js')
    expect(image).toContain('ln -s /app/bin/mapcrate-server.js /usr/local/bin/mapcrate-server')
    expect(execFileSync(program, ['--version'], { encoding: 'utf8' })).toMatch(/^\d+\.\d+\.\d+\n$/)

    const before = (await readdir(folder, { recursive: true })).toSorted()
    const env = { HOST: '127.0.0.1', NODE_ENV: 'production' }
    const server = await startServer(await freshFolder(), env, folder)
    expect((await fetch(`${server.packs.url}/packs`)).status).toBe(200)
    expect((await fetch(`${server.packs.url}/readyz`)).status).toBe(200)
    expect((await server.stop()).code).toBe(0)
    expect((await readdir(folder, { recursive: true })).toSorted()).toEqual(before)
  })

  test('does not run as root, and starts the installed program', () => {
    expect(image).toMatch(/^USER node$/m)
    expect(image.lastIndexOf('USER')).toBeGreaterThan(image.lastIndexOf('COPY'))
    expect(image).toMatch(/^CMD \["mapcrate-server", "serve"\]$/m)
    expect(image).toMatch(/^HEALTHCHECK .*CMD \["mapcrate-server", "health"\]$/m)
  })
})
