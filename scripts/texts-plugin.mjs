import { readFileSync } from 'node:fs'

/** What the texts of all languages import. */
const ofAll = /^#texts\/(wrap|isolate)$/

const IMPORT = /^import \* as (\w+) from '#texts\/([\w-]+)'$/gm

/**
 * Gives each text a module of its own: a page loads those that it shows, whichever others its section has.
 *
 * @param {string} folder of the compiled texts of one language.
 */
export function textsPlugin(folder) {
  /** @type {Map<string, ReturnType<typeof read>>} */
  const sections = new Map()
  const sectionOf = (name) => {
    if (!sections.has(name)) sections.set(name, read(readFileSync(`${folder}/${name}.js`, 'utf8')))
    return sections.get(name)
  }
  return {
    name: 'texts',
    enforce: 'pre',
    resolveId(id) {
      if (ofAll.test(id)) return id.replace(ofAll, `${folder}/../$1.js`)
      if (id === '#texts/language') return `${folder}/language.js`
      return /^#texts\/(?!languages$)/.test(id) ? `\0${id}` : null
    },
    load(id) {
      const [, section, key] = /^\0#texts\/([\w-]+)(?:\/(\w+))?$/.exec(id) ?? []
      if (section === undefined) return null
      const { imports, texts } = sectionOf(section)
      if (key === undefined) {
        const all = [...texts.keys()]
        const code = all.map((each) => `export { ${each} } from '#texts/${section}/${each}'\n`)
        return { code: code.join(''), moduleSideEffects: false }
      }
      const text = texts.get(key)
      if (text === undefined) throw new Error(`There is no text ${key} in ${section}.`)
      const used = imports.filter(({ name }) => new RegExp(`\\b${name}\\(|\\b${name},`).test(text))
      const lines = used.map(
        ({ name, from }) => `import { ${name} } from ${JSON.stringify(from)}\n`,
      )
      return { code: lines.join('') + text, moduleSideEffects: false }
    },
    transform(code) {
      if (!code.includes("from '#texts/")) return null
      let changed = code
      for (const [line, name, section] of code.matchAll(IMPORT)) {
        if (section === 'languages' || section === 'language') continue
        const { texts } = sectionOf(section)
        const used = new Set()
        const member = new RegExp(`(?<![\\w$.])${name}\\.(\\w+)`, 'g')
        changed = changed.replaceAll(member, (found, key) => {
          if (!texts.has(key)) return found
          used.add(key)
          return `${name}$${key}`
        })
        const imports = [...used].map(
          (key) => `import { ${key} as ${name}$${key} } from '#texts/${section}/${key}'`,
        )
        changed = changed.replace(line, '')
        // As a whole, such as a table that has a text for each kind.
        const isWhole = new RegExp(`(?<![\\w$]|(?<!\\.\\.)\\.)${name}(?![\\w$])`).test(changed)
        changed = [...imports, ...(isWhole ? [line] : []), changed].join('\n')
      }
      return changed === code ? null : { code: changed, map: null }
    },
  }
}

/** The texts of a compiled section, a line each, and what they may import. */
function read(source) {
  const imports = []
  const texts = new Map()
  for (const line of source.split('\n')) {
    const [, names, from] = /^import \{ (.*) \} from "(.*)"$/.exec(line) ?? []
    for (const name of names?.split(', ') ?? []) {
      imports.push({ name, from: from.replace(/^\.\.\/(\w+)\.js$/, '#texts/$1') })
    }
    const [, key] = /^export const (\w+) = /.exec(line) ?? []
    if (key !== undefined) texts.set(key, line)
  }
  return { imports, texts }
}
