import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runTsc } from './client-package/compile.ts'

// Compiles the server and both programs to dist/, for the package that `npm pack` makes: Node takes
// types out of no file below node_modules. In the repository everything runs as it is.

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
  await rm(join(root, 'dist'), { recursive: true, force: true })
  await rename(out, join(root, 'dist'))
} finally {
  await rm(folder, { recursive: true, force: true })
}
