// Builds the pages when something that they are made of has changed since the last build. Plain
// JavaScript: it runs before every start, and most of the time has nothing to do.
import { createHash } from 'node:crypto'
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileTexts, PSEUDO_LANGUAGES } from './compile-texts.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const sources = [
  'src/web',
  'src/pool',
  'src/formats',
  'src/contract',
  'src/client',
  'src/texts',
  'docs',
  'scripts/build-web.mjs',
  'scripts/compile-texts.mjs',
  'scripts/guides-plugin.ts',
  'scripts/markdown-guides.ts',
  'scripts/page-chunks.ts',
  'scripts/texts-plugin.mjs',
  'vite.config.ts',
  'package-lock.json',
]
/** With `--pseudo` the pages are in the pseudo-languages, too, in a folder of their own: only tests show them. */
const isPseudo = process.argv.includes('--pseudo')
const built = join(root, 'build', isPseudo ? 'web-pseudo' : 'web')
const STAMP = '.built-from'

const filesOf = (path) =>
  statSync(path).isFile()
    ? [path]
    : readdirSync(path)
        .toSorted()
        .flatMap((name) => filesOf(join(path, name)))

const hashSources = () => {
  const hash = createHash('sha256')
  for (const source of sources.map((path) => join(root, path)).filter((path) => existsSync(path))) {
    for (const file of filesOf(source)) {
      const bytes = readFileSync(file)
      hash.update(`${file.slice(root.length)}\0${bytes.length}\0`).update(bytes)
    }
  }
  return hash.digest('hex')
}

/** The names of the packages that files of a build hold code of. */
const packagesOf = (files) => {
  /** @type {Set<string>} */
  const names = new Set()
  for (const id of files.flatMap(({ moduleIds = [] }) => moduleIds)) {
    const [, name] = /.*[/\\]node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+)/.exec(id) ?? []
    if (name !== undefined) names.add(name.replace('\\', '/'))
  }
  return [...names].toSorted((a, b) => a.localeCompare(b, 'en'))
}

const wanted = hashSources()
const stamp = join(built, STAMP)
const isUpToDate = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted

if (!isUpToDate()) {
  process.stderr.write('Building the pages …\n')
  // A test run that starts this says otherwise, and would get a build that nobody else has.
  process.env['NODE_ENV'] = 'production'
  const { build } = await import('vite')
  await compileTexts()
  // Beside the last build, which stays whole until this one is: somebody may be reading it.
  const fresh = `${built}-${process.pid}`
  const names = Object.keys(
    JSON.parse(readFileSync(join(root, 'src/texts/languages.json'), 'utf8')),
  )
  // The texts of a page are part of it: each language has pages of its own (D-107).
  const output = []
  for (const language of [...names, ...(isPseudo ? PSEUDO_LANGUAGES : [])]) {
    const outDir = language === 'en' ? fresh : join(fresh, language)
    // The mode is the language: `vite.config.ts`.
    const config = { configFile: join(root, 'vite.config.ts'), logLevel: 'warn', mode: language }
    const pages = await build({ ...config, build: { outDir } })
    // The same pages, for the server to render.
    const server = await build({ ...config, build: { ssr: true, outDir: join(outDir, 'server') } })
    output.push(...pages.output, ...server.output)
  }
  writeFileSync(join(fresh, 'packages.json'), JSON.stringify(packagesOf(output)))
  writeFileSync(join(fresh, STAMP), wanted)
  const last = `${built}-until-${process.pid}`
  for (let attempt = 1; ; attempt += 1) {
    rmSync(last, { recursive: true, force: true })
    try {
      if (existsSync(built)) renameSync(built, last)
      renameSync(fresh, built)
      break
    } catch (error) {
      // Another process has replaced it at the same moment.
      if (isUpToDate()) break
      if (attempt === 5) throw error
    }
  }
  for (const folder of [last, fresh]) rmSync(folder, { recursive: true, force: true })
}
