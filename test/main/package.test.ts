import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { findNodes } from '../support/package-project.ts'
import { freshFolder, startServer } from '../support/processes.ts'
import { until } from '../support/until.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)

describe('the package that npm pack makes', () => {
  it('holds compiled programs and built pages, and runs where npm i -g puts it', async () => {
    const prefix = await freshFolder()
    const options = { cwd: root, shell: process.platform === 'win32' }
    await run('npm', ['pack', '--silent', '--pack-destination', prefix], options)
    const [tarball = ''] = await readdir(prefix)
    expect(tarball).toMatch(/^mapcrate-\d+\.\d+\.\d+\.tgz$/)

    // As `npm i -g` does, with the packages that are here in place of the registry's.
    const folder = join(prefix, 'lib/node_modules/mapcrate')
    const bin = join(prefix, 'bin')
    await mkdir(folder, { recursive: true })
    await mkdir(bin)
    await run('tar', ['-xzf', join(prefix, tarball), '-C', folder, '--strip-components=1'])
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    for (const name of ['mapcrate', 'mapcrate-server']) {
      await symlink(join(folder, 'bin', `${name}.js`), join(bin, name))
    }
    const files = await readdir(folder, { recursive: true })
    expect(files).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'README.md',
        'build/web/manifest.json',
        'deploy/kubernetes/kustomization.yaml',
        'deploy/mapcrate.service',
        'dist/main/serve.js',
        'dist/package-lock.json',
        'dist/sbom.cdx.json',
        'migrations/postgresql/0001-first-tables.sql',
        'migrations/sqlite/0001-first-tables.sql',
      ]),
    )
    const own = files.filter((file) => !file.startsWith('node_modules'))
    expect(own.filter((file) => /\.tsx?$|^(src|test|bench|data)\b/.test(file))).toEqual([])

    const read = async (name: string) => JSON.parse(await readFile(join(folder, name), 'utf8'))
    type Listed = { 'bom-ref': string; name: string; version: string }
    const sbom = await read('dist/sbom.cdx.json')
    const { components, dependencies }: { components: Listed[]; dependencies: { ref: string }[] } =
      sbom
    const { packages } = await read('dist/package-lock.json')
    const names = components.map(({ name }) => name)
    // What is installed, what the pages are made of, and nothing that builds or tests them.
    const { dependencies: direct, devDependencies } = await read('package.json')
    const bundled = ['preact', 'client-zip']
    expect(names).toEqual(expect.arrayContaining([...Object.keys(direct), ...bundled]))
    const ofPages = (name: string): boolean => bundled.some((each) => name.includes(each))
    const tools = Object.keys(devDependencies).filter((name) => !ofPages(name))
    expect(names.filter((name) => tools.includes(name))).toEqual([])
    for (const { name, version } of components) {
      const locked = Object.entries<{ version: string }>(packages)
      expect(locked.some(([path, at]) => path.endsWith(`/${name}`) && at.version === version)).toBe(
        true,
      )
    }
    const refs = [sbom.metadata.component, ...components].map((each: Listed) => each['bom-ref'])
    expect(new Set(dependencies.map(({ ref }) => ref))).toEqual(new Set(refs))

    for (const name of ['mapcrate', 'mapcrate-server']) {
      const { stdout } = await run(process.execPath, [join(bin, name), '--version'])
      expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    }
    for (const [version, node] of await findNodes()) {
      if (Number(version.slice(1).split('.')[0]) >= 24) continue
      const error = await run(node, [join(bin, 'mapcrate-server'), 'serve']).catch(
        (caught) => caught,
      )
      expect(error.stderr).toBe(
        `mapcrate-server: Node 24 or newer is needed, and this is ${version.slice(1)}\n`,
      )
    }

    const server = await startServer(await freshFolder(), {}, folder)
    const page = await (await fetch(`${server.packs.url}/packs`)).text()
    const [, script = ''] = /<script type="module" src="([^"]+)"/.exec(page) ?? []
    const asset = await fetch(new URL(script, server.packs.url))
    expect([asset.status, asset.headers.get('content-type')]).toEqual([
      200,
      'text/javascript; charset=utf-8',
    ])
    // Drawn on a thread, from a module of its own.
    const slug = await until(async () => {
      const index = await (await fetch(`${server.packs.url}/packs/index.json`)).text()
      return /"s":"([^"]+)"/.exec(index)?.[1]
    })
    expect((await fetch(`${server.packs.url}/p/${slug}/preview.png`)).status).toBe(200)
    expect((await server.stop()).code).toBe(0)
  })
})
