import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { atMost, readArguments } from './arguments.ts'
import { compile, runTsc } from './client-package/compile.ts'
import { entries, programs } from './client-package/entries.ts'

// Packs `@mapcrate/client`.

const root = fileURLToPath(new URL('../', import.meta.url))
const destination = readArguments(
  'npm run pack:client -- [--pack-destination DIR]',
  { 'pack-destination': { type: 'string', default: '.' } },
  ({ values, positionals }) => {
    atMost(0, positionals)
    return resolve(process.env['INIT_CWD'] ?? '.', values['pack-destination'])
  },
)

type Manifest = {
  version: string
  license: string
  repository?: unknown
  homepage?: string
  dependencies: Readonly<Record<string, string>>
}
const { version, license, repository, homepage, dependencies } = JSON.parse(
  await readFile(join(root, 'package.json'), 'utf8'),
) as Manifest

/** What the README and the guides themselves lead to. */
const guides = ['cli.md', 'tournaments.md', 'formats.md', 'format-table.md']

const filesOf = (folder: string, name: string) => ({
  types: `${folder}/${name}.d.ts`,
  default: `${folder}/${name}.js`,
})
const exportsOf = (name: string) => ({
  require: filesOf('./dist/cjs', name),
  ...filesOf('./dist', name),
})
const subPath = (name: string) => (name === 'client' ? '.' : `./${name}`)

const manifest = {
  name: '@mapcrate/client',
  version,
  description:
    'Client and command line of the Mapcrate APIs, pools with their pack keys, file formats',
  license,
  ...(repository !== undefined && { repository }),
  ...(homepage !== undefined && { homepage }),
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20' },
  // Loaded only when a spreadsheet file is read.
  dependencies: { hucre: dependencies['hucre'] },
  exports: {
    ...Object.fromEntries(Object.keys(entries).map((name) => [subPath(name), exportsOf(name)])),
    './package.json': './package.json',
  },
  bin: Object.fromEntries(
    Object.entries(programs).map(([name, module]) => [name, `dist/${module}.js`]),
  ),
  files: ['dist', ...guides],
  publishConfig: { access: 'public' },
}

const folder = await mkdtemp(join(tmpdir(), 'mapcrate-client-'))
try {
  const dist = join(folder, 'dist')
  await mkdir(dist)
  await compile(dist)
  // Declarations that do not fit together, or need what is not in the package, must not get out.
  const declarations = [dist, join(dist, 'cjs')].flatMap((home) =>
    Object.keys(entries).map((name) => join(home, `${name}.d.ts`)),
  )
  const strict = [
    '--ignoreConfig',
    '--strict',
    '--noEmit',
    '--module',
    'nodenext',
    '--lib',
    'es2023,dom',
  ]
  await runTsc(...strict, '--skipLibCheck', 'false', '--types', '', ...declarations)
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  await cp(join(root, 'docs/client.md'), join(folder, 'README.md'))
  for (const guide of guides) await cp(join(root, 'docs', guide), join(folder, guide))
  await mkdir(destination, { recursive: true })
  const npm = process.env['npm_execpath']
  const [command, ...before] = npm === undefined ? ['npm'] : [process.execPath, npm]
  const { stdout } = await promisify(execFile)(
    command,
    [...before, 'pack', '--pack-destination', destination],
    { cwd: folder },
  )
  console.log(join(destination, stdout.trim()))
} finally {
  await rm(folder, { recursive: true, force: true })
}
