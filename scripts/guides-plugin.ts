import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { loadImage } from '@napi-rs/canvas'
import type { Plugin } from 'vite'
import type { Guide } from '../src/web/docs/guide.ts'
import { compileGuides } from './markdown-guides.ts'

/** The guides of docs/ that the site shows. */
export const guideNames = [
  'into-the-game',
  'api',
  'client',
  'cli',
  'tournaments',
  'history',
  'formats',
  'format-table',
  'pack-keys',
] as const

const PREFIX = 'guide:'
/** Keeps other plugins away. */
const TAKEN = '\0'

const docs = fileURLToPath(new URL('../docs/', import.meta.url))
const fileOf = (name: string): string => `${docs}${name}.md`

/** The guides that there are in a language. */
export const guidesIn = (language: string): readonly string[] =>
  language === 'en'
    ? guideNames
    : guideNames.filter((name) => existsSync(fileOf(`${language}/${name}`)))

/**
 * All guides, ready for the site, in a language or, where they are not translated, in English; addresses of pictures are
 * their paths in `docs/`.
 */
export const readGuides = async (language = 'en'): Promise<Record<string, Guide>> => {
  const names = readdirSync(`${docs}pictures`).filter((name) => /\.(?:svg|webp)$/.test(name))
  const sizes = await Promise.all(
    names.map(async (name) => {
      const { width, height } = await loadImage(`${docs}pictures/${name}`)
      return [`pictures/${name}`, { width, height }] as const
    }),
  )
  const translated = language === 'en' ? [] : guidesIn(language)
  const paths = [...guideNames, ...translated.map((name) => `${language}/${name}`)]
  const sources = paths.map((path) => [path, readFileSync(fileOf(path), 'utf8')])
  // What is not translated has no such links: pseudo-languages have no texts of their own.
  const textsOf = translated.length === 0 ? 'en' : language
  const texts = readFileSync(new URL(`../src/texts/${textsOf}/docs.json`, import.meta.url), 'utf8')
  const { inEnglish } = JSON.parse(texts) as { readonly inEnglish: string }
  const guides = compileGuides(Object.fromEntries(sources), new Map(sizes), (words) =>
    inEnglish.replace('{guide}', () => words),
  )
  return Object.fromEntries(
    guideNames.map((name) => [name, (guides[`${language}/${name}`] ?? guides[name])!]),
  )
}

/**
 * Lets the pages import `guide:api`: docs/api.md made ready while they are built, in their language if it is translated; and
 * `guide:translated`, the names of those that are.
 */
export const guidesPlugin = (language: string): Plugin => {
  let guides: Promise<Record<string, Guide>> | null = null
  return {
    name: 'guides',
    buildStart: () => {
      guides = null
    },
    resolveId: (id) => (id.startsWith(PREFIX) ? TAKEN + id : null),
    async load(id) {
      if (!id.startsWith(TAKEN + PREFIX)) return null
      const translated = guidesIn(language)
      for (const name of guideNames) this.addWatchFile(fileOf(name))
      for (const name of translated) this.addWatchFile(fileOf(`${language}/${name}`))
      const name = id.slice(`${TAKEN}${PREFIX}`.length)
      if (name === 'translated') return `export const translated = ${JSON.stringify(translated)}`
      const guide = (await (guides ??= readGuides(language)))[name]
      if (guide === undefined) throw new Error(`there is no guide ${name}`)
      return moduleOf(guide)
    },
  }
}

/** The pictures are imported, so that the bundler names them by their content as all files of the pages. */
function moduleOf(guide: Guide): string {
  const pictures = guide.blocks.flatMap((block) =>
    block.kind === 'picture' ? [block.light, block.dark] : [],
  )
  const imports = pictures.map((path, at) => `import picture${at} from '${docs}${path}'\n`).join('')
  const text = pictures.reduce(
    (code, path, at) => code.replaceAll(JSON.stringify(path), `picture${at}`),
    JSON.stringify(guide),
  )
  return `${imports}export const guide = ${text}`
}
