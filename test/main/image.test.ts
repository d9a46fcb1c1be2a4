import { execFileSync } from 'node:child_process'
import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildPages } from '../support/build-pages.ts'
import { freshFolder, startServer } from '../support/processes.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const stages = (await readFile(join(root, 'Dockerfile'), 'utf8')).split(/^FROM .*$/m).slice(1)
const image = stages.at(-1) ?? ''
const ignored = (await readFile(join(root, '.dockerignore'), 'utf8')).split('\n')
const sent = ignored.filter((line) => line.startsWith('!')).map((line) => line.slice(1))

/** What a stage takes from the project: path in the project → path below the image's folder. */
const copied = [...image.matchAll(/^COPY (?:--from=\w+ )?(.+) (\S+)$/gm)].flatMap(
  ([, from = '', to = '']) =>
    from.split(' ').map((path): [string, string] => {
      const source = path.replace(/^\/app\//, '')
      return [source, to.endsWith('/') ? join(to, source.replace(/^.*\//, '')) : to]
    }),
)

type Lock = { packages: Record<string, { dev?: boolean; devOptional?: boolean }> }

/** Only the packages that `npm ci --omit=dev` installs. */
const putPackages = async (folder: string): Promise<void> => {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Lock
  const found = new Set(await readdir(join(root, 'node_modules'), { recursive: false }))
  for (const [path, { dev, devOptional }] of Object.entries(lock.packages)) {
    if (path === '' || dev || devOptional || path.lastIndexOf('node_modules/') > 0) continue
    const [scope = ''] = path.replace('node_modules/', '').split('/')
    if (!found.has(scope)) continue
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await symlink(join(root, path), join(folder, path))
  }
}

beforeAll(() => void buildPages(), 60_000)

describe('the image', () => {
  test('takes nothing that is not sent to its builder', () => {
    const own = copied.filter(([from]) => from !== 'node_modules' && from !== 'build/web')
    expect(own.length).toBeGreaterThan(3)
    for (const [from] of own) expect(sent).toContain(from.split('/')[0])
  })

  test('holds all that the pages are built from', async () => {
    const folder = await freshFolder()
    for (const path of sent) await cp(join(root, path), join(folder, path), { recursive: true })
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    const script = join(folder, 'scripts/build-web.mjs')
    execFileSync(process.execPath, [script], { stdio: 'inherit' })
    expect(await readdir(join(folder, 'build/web'))).toContain('manifest.json')
  })

  test('holds all that the server needs, and the server writes nothing beside its data', async () => {
    const folder = await freshFolder()
    for (const [from, to] of copied.filter(([path]) => path !== 'node_modules')) {
      await cp(join(root, from), join(folder, to), { recursive: true })
    }
    await putPackages(join(folder))
    const before = (await readdir(folder, { recursive: true })).toSorted()
    const data = await freshFolder()
    const server = await startServer(data, { HOST: '127.0.0.1', NODE_ENV: 'production' }, folder)
    const page = await fetch(`${server.packs.url}/packs`)
    expect(page.status).toBe(200)
    expect((await fetch(`${server.packs.url}/readyz`)).status).toBe(200)
    expect((await server.stop()).code).toBe(0)
    const after = (await readdir(folder, { recursive: true })).toSorted()
    expect(after.filter((path) => !path.startsWith('build/compile-cache'))).toEqual(before)
  })

  test('does not run as root, and nothing in it is made for one machine alone', () => {
    expect(image).toMatch(/^USER node$/m)
    expect(image.lastIndexOf('USER')).toBeGreaterThan(image.lastIndexOf('COPY'))
  })
})
