import { execFile } from 'node:child_process'
import {
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { runTsc } from './client-package/compile.ts'

// Compiles the server and both programs to dist/, for the package that `npm pack` makes: Node takes
// types out of no file below node_modules. In the repository everything runs as it is. Beside them are
// the lock file, which npm leaves out of packages, and a list of all that an installation runs (SBOM).

const root = fileURLToPath(new URL('../', import.meta.url))
const source = join(root, 'src')

/** The browser application is built by `build-web.mjs`; declarations hold no code. */
const isServerSide = (file: string): boolean =>
  file.endsWith('.ts') && !file.endsWith('.d.ts') && !/^web[/\\]/.test(file)

const files = (await readdir(source, { recursive: true })).filter(isServerSide)
const build = join(root, 'build')
await mkdir(build, { recursive: true })
const folder = await mkdtemp(join(build, 'dist-'))
try {
  const out = join(folder, 'out')
  const config = join(folder, 'tsconfig.json')
  const settings = {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: {
      outDir: out,
      rootDir: source,
      composite: false,
      declaration: false,
      emitDeclarationOnly: false,
      rewriteRelativeImportExtensions: true,
      // `npm run check` has checked them, each floor with what it may know.
      noCheck: true,
    },
    files: files.map((file) => join(source, file)),
  }
  await writeFile(config, JSON.stringify(settings))
  await runTsc('-p', config)
  await copyFile(join(root, 'package-lock.json'), join(out, 'package-lock.json'))
  await writeFile(join(out, 'sbom.cdx.json'), JSON.stringify(await makeSbom(), null, 2))
  await rm(join(root, 'dist'), { recursive: true, force: true })
  await rename(out, join(root, 'dist'))
} finally {
  await rm(folder, { recursive: true, force: true })
}

type Component = {
  readonly 'bom-ref': string
  readonly name: string
  readonly properties: readonly { readonly name: string }[]
}
type Sbom = {
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string }[]
}
type Locked = {
  readonly version: string
  readonly dev?: boolean
  readonly optional?: boolean
}

/**
 * In CycloneDX: the packages that are installed, and those whose code is in the pages. npm describes them; which these
 * are says the lock file, as npm leaves out some that tests have, too.
 */
async function makeSbom(): Promise<Sbom> {
  const read = async (path: string) => JSON.parse(await readFile(join(root, path), 'utf8'))
  const inPages: readonly string[] = await read('build/web/packages.json')
  const scopes = new Map<string, 'required' | 'optional'>()
  const { name: own, packages } = await read('package-lock.json')
  for (const [path, { version, dev, optional }] of Object.entries<Locked>(packages)) {
    const name = path.split('node_modules/').at(-1)!
    const ref = `${name}@${version}`
    if (name === '' || (dev && !inPages.includes(name))) continue
    if (!optional || !scopes.has(ref)) scopes.set(ref, optional ? 'optional' : 'required')
  }
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--omit=']
  const options = { cwd: root, shell: process.platform === 'win32', maxBuffer: 2 ** 26 }
  const { stdout } = await promisify(execFile)('npm', args, options)
  const { metadata, components, dependencies, ...rest }: Sbom = JSON.parse(stdout)
  const { component: project } = metadata
  return {
    ...rest,
    // npm gives it the name of the folder.
    metadata: { ...metadata, component: { ...project, name: own } },
    components: components.flatMap((component) => {
      const scope = scopes.get(component['bom-ref'])
      const properties = component.properties.filter(({ name }) => !name.endsWith(':development'))
      return scope === undefined ? [] : [{ ...component, scope, properties }]
    }),
    dependencies: dependencies.filter(({ ref }) => ref === project['bom-ref'] || scopes.has(ref)),
  }
}
