import { execFile } from 'node:child_process'
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { entries, entryModules, entryScript, entryText, programs } from './entries.ts'
import { plainTypes } from './plain-types.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const tsc = join(root, 'node_modules/typescript/bin/tsc')

/** Runs the compiler; its complaints are the error. */
export const runTsc = async (...args: string[]): Promise<void> => {
  await promisify(execFile)(process.execPath, [tsc, ...args]).catch((error: { stdout: string }) => {
    throw new Error(`tsc ${args.join(' ')}\n${error.stdout}`)
  })
}

/** What Node 20 and browsers of its age have: more does not compile. */
const language = ['ES2023', 'ES2024.String']
/**
 * Beside the client, which has the browser's library, the floors declare what little they need. The
 * programs, whose own floor checks them, come first: what they stand on is then written once more, as
 * its own floor has it.
 */
const passes = [
  { floors: /^cli\//, lib: language, globals: [], types: ['node'], noCheck: true },
  {
    floors: /^(client|contract)\//,
    lib: [...language, 'DOM', 'DOM.Iterable'],
    globals: [],
    types: [],
    noCheck: false,
  },
  {
    floors: /^(pool|formats)\//,
    lib: language,
    globals: ['pool/web-globals.d.ts'],
    types: [],
    noCheck: false,
  },
]

/** The modules that are written: ES modules, or CommonJS beside them, which knows no programs. */
type Kind = 'esm' | 'cjs'

/** Sources are ES modules; what is written as CommonJS has been checked as one. */
const kindOptions: Readonly<Record<Kind, object>> = {
  esm: {},
  cjs: { module: 'commonjs', moduleResolution: 'bundler', verbatimModuleSyntax: false },
}

const compileFloors = async (
  out: string,
  kind: Kind,
  { floors, lib, globals, types, noCheck }: (typeof passes)[number],
) => {
  const all = kind === 'cjs' ? entryModules : [...entryModules, ...Object.values(programs)]
  const modules = all.filter((module) => floors.test(module))
  if (modules.length === 0) return
  const config = join(out, 'tsconfig.json')
  const settings = {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: {
      outDir: out,
      rootDir: join(root, 'src'),
      composite: false,
      declaration: true,
      stripInternal: true,
      emitDeclarationOnly: false,
      rewriteRelativeImportExtensions: true,
      target: 'ES2023',
      lib,
      types,
      noCheck: noCheck || kind === 'cjs',
      ...kindOptions[kind],
      typeRoots: [join(root, 'node_modules/@types')],
    },
    files: [...modules.map((module) => `${module}.ts`), ...globals].map((file) =>
      join(root, 'src', file),
    ),
    include: [],
  }
  await writeFile(config, JSON.stringify(settings))
  await runTsc('-p', config)
  await rm(config)
}

/** Relative imports of a `.js` or `.d.ts` file. */
const importsOf = (text: string): string[] =>
  [...text.matchAll(/(?<![.\w])(?:from|import|require)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g)].map(
    ([, target = '']) => target,
  )

/** Every file that an entry reaches; a declaration reaches declarations. */
const reachable = async (folder: string, entry: string): Promise<Set<string>> => {
  const end = entry.endsWith('.d.ts') ? '.d.ts' : '.js'
  const found = new Set([join(folder, entry)])
  for (const file of found) {
    for (const target of importsOf(await readFile(file, 'utf8'))) {
      found.add(resolve(dirname(file), target).replace(/\.js$/, end))
    }
  }
  return found
}

const writePlainTypes = async (folder: string): Promise<void> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.d.ts'))
  const texts = await Promise.all(
    names.map(
      async (name) =>
        [basename(name, '.d.ts'), await readFile(join(folder, name), 'utf8')] as const,
    ),
  )
  for (const [module, text] of await plainTypes(new Map(texts))) {
    await writeFile(join(folder, `${module}.d.ts`), text)
  }
}

/**
 * Compiles what the entries give into `out`, and once more as CommonJS into `out/cjs`: to those who
 * `require`, declarations of ES modules are of no use. Nothing is left there that no entry reaches.
 */
export const compile = async (out: string): Promise<void> => {
  await compileKind(out, 'esm')
  const scripts = join(out, 'cjs')
  await mkdir(scripts)
  await compileKind(scripts, 'cjs')
  await writeFile(join(scripts, 'package.json'), '{ "type": "commonjs" }\n')
}

const compileKind = async (out: string, kind: Kind): Promise<void> => {
  for (const pass of passes) await compileFloors(out, kind, pass)
  await writePlainTypes(join(out, 'contract'))

  const made = (await readdir(out, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  for (const file of made.filter((each) => each.endsWith('.d.ts'))) {
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replace(/((?:from |import\()['"]\.[^'"]+)\.ts(?=['"])/g, '$1.js'))
  }
  const kept = new Set<string>()
  for (const program of kind === 'cjs' ? [] : Object.values(programs)) {
    for (const file of await reachable(out, `${program}.js`)) kept.add(file)
  }
  for (const [name, entry] of Object.entries(entries)) {
    const script = kind === 'cjs' ? entryScript(entry) : entryText(entry, false)
    await writeFile(join(out, `${name}.js`), script)
    await writeFile(join(out, `${name}.d.ts`), entryText(entry, true))
    for (const end of ['.js', '.d.ts']) {
      for (const file of await reachable(out, name + end)) kept.add(file)
    }
  }
  for (const file of made) if (!kept.has(file)) await rm(file)
}
