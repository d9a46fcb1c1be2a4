import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { compileGuides } from './markdown-guides.ts'

/** The guides of docs/ that the site shows. */
export const guideNames = [
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

const fileOf = (name: string): string =>
  fileURLToPath(new URL(`../docs/${name}.md`, import.meta.url))

/** Lets the pages import `guide:api`: docs/api.md made ready while they are built. */
export const guidesPlugin = (): Plugin => {
  const compile = () =>
    compileGuides(
      Object.fromEntries(guideNames.map((name) => [name, readFileSync(fileOf(name), 'utf8')])),
    )
  return {
    name: 'guides',
    resolveId: (id) => (id.startsWith(PREFIX) ? TAKEN + id : null),
    load(id) {
      if (!id.startsWith(TAKEN + PREFIX)) return null
      for (const name of guideNames) this.addWatchFile(fileOf(name))
      const name = id.slice(`${TAKEN}${PREFIX}`.length)
      const guide = compile()[name]
      if (guide === undefined) throw new Error(`there is no guide ${name}`)
      return `export const guide = ${JSON.stringify(guide)}`
    },
  }
}
