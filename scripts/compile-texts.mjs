// Compiles the catalogue of texts, src/texts, to functions: `#texts/browse` are those of src/texts/en/browse.json in the
// language of the build, `#texts/all/site` those in every language. Runs before everything that imports them, and has
// nothing to do most of the time: plain JavaScript, on any Node. `--complete` fails where a translation lacks a text.
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const SOURCE = join(root, 'src', 'texts')
const BUILT = join(root, 'build', 'texts')
const STAMP = '.built-from'

/** Pages for moderators are in English alone. */
const ENGLISH_ONLY = ['moderation']
/** Names of which the English ones are in a table of the program; a translation has those that it names otherwise. */
const NAMES = ['formats']
/** Those that the server needs in the language of each request. */
const IN_EVERY_LANGUAGE = ['site', 'differences', 'fields']

/** What no constant of a module can be called, of words that a text may be. */
const reserved = new Set(
  'break case catch class continue default delete do else export for function if import in new of package private protected public return static switch this throw try while with yield'.split(
    ' ',
  ),
)

/**
 * English in other letters, longer by 40 % and in brackets, written to the right and to the left: what has other letters on
 * a page, is cut or does not fit would be so in other languages. Only tests show them.
 */
export const PSEUDO_LANGUAGES = ['en-XA', 'ar-XB']

/** @typedef {Record<string, string>} Messages by their keys, in ICU MessageFormat with elements */

/**
 * Compiles what has changed since the last time. Throws an Error that names each text with what is wrong with it. One that
 * a translation lacks is in English there (D-117).
 *
 * @param {string} from the folder of the catalogue.
 * @param {string} to the folder of what it is compiled to.
 */
export async function compileTexts(from = SOURCE, to = BUILT) {
  const wanted = hashSources(from)
  const stamp = join(to, STAMP)
  const isUpToDate = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted
  if (isUpToDate()) return
  const fresh = `${to}-${process.pid}`
  for (const [path, text] of new Catalogue(from, await openCompiler()).compile()) {
    mkdirSync(dirname(join(fresh, path)), { recursive: true })
    writeFileSync(join(fresh, path), text)
  }
  writeFileSync(join(fresh, STAMP), wanted)
  const last = `${to}-until-${process.pid}`
  for (let attempt = 1; ; attempt += 1) {
    rmSync(last, { recursive: true, force: true })
    try {
      if (existsSync(to)) renameSync(to, last)
      renameSync(fresh, to)
      break
    } catch (error) {
      // Another process has replaced it at the same moment.
      if (isUpToDate()) break
      if (attempt === 5) throw error
    }
  }
  for (const folder of [last, fresh]) rmSync(folder, { recursive: true, force: true })
}

/**
 * Every text that a translation lacks, a line each: `src/texts/es/browse.json, "noMatches": it is in English`. Throws as
 * `compileTexts` does.
 *
 * @param {string} from the folder of the catalogue.
 */
export async function findUntranslated(from = SOURCE) {
  const catalogue = new Catalogue(from, await openCompiler())
  catalogue.compile()
  return catalogue.untranslated
}

function hashSources(from) {
  const hash = createHash('sha256').update(readFileSync(fileURLToPath(import.meta.url)))
  for (const path of readdirSync(from, { recursive: true }).map(String).toSorted()) {
    if (path.endsWith('.json')) hash.update(path).update(readFileSync(join(from, path)))
  }
  return hash.digest('hex')
}

class Catalogue {
  #from
  #compiler
  /** What is wrong with it, a line each. */
  #faults = new Set()
  /** What its translations lack, a line each. */
  untranslated = []

  constructor(from, compiler) {
    this.#from = from
    this.#compiler = compiler
  }

  /**
   * The files that it is compiled to, by path.
   *
   * @returns {Map<string, string>}
   */
  compile() {
    const languages = this.#readJson('languages.json')
    const names = [
      ...Object.keys(languages).filter((each) => this.#isCode(each)),
      ...PSEUDO_LANGUAGES,
    ]
    const files = new Map([
      ['languages.js', `export const languages = ${JSON.stringify(languages)}\n`],
      ['languages.d.ts', languagesType(languages)],
      ['wrap.js', 'export const wrap = (make, _language, children) => make(children)\n'],
      ['isolate.js', ISOLATE],
      [join('en', 'language.d.ts'), LANGUAGE_TYPE],
    ])
    for (const name of names) {
      files.set(join(name, 'language.js'), `export const language = ${JSON.stringify(name)}\n`)
    }
    const sections = [...this.#sectionsOf('en'), ...NAMES]
    for (const name of names) {
      for (const section of this.#sectionsOf(name)) {
        const path = `${name}/${section}.json`
        if (!sections.includes(section)) this.#fault(path, null, 'there is no such file in English')
      }
    }
    for (const section of sections) {
      const english = NAMES.includes(section) ? {} : this.#readMessages('en', section)
      for (const name of names) {
        files.set(join(name, `${section}.js`), this.#compileSection(section, name, english))
      }
      files.set(join('en', `${section}.d.ts`), declare(english, this.#compiler))
    }
    for (const section of IN_EVERY_LANGUAGE) {
      const imports = names.map(
        (name, at) => `import * as l${at} from '../${name}/${section}.js'\n`,
      )
      const members = names.map((name, at) => `${JSON.stringify(name)}: l${at}`)
      const all = `${imports.join('')}export const ${section} = { ${members.join(', ')} }\n`
      files.set(join('all', `${section}.js`), all)
      files.set(join('all', `${section}.d.ts`), allType(section))
    }
    if (this.#faults.size > 0) {
      throw new Error(`The texts cannot be compiled.\n${[...this.#faults].join('\n')}`)
    }
    return files
  }

  /** Whether a language has a code that browsers know it by. */
  #isCode(name) {
    let known = null
    try {
      known = Intl.getCanonicalLocales(name)[0]
    } catch {
      // It is no code at all.
    }
    if (known === name) return true
    const right = known === null ? 'such as de or zh-Hans' : `which is written ${known}`
    this.#fault('languages.json', name, `it must be the code of a language (BCP 47), ${right}`)
    return false
  }

  #sectionsOf(name) {
    const folder = join(this.#from, name)
    if (!existsSync(folder)) return []
    const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
    return files.map((file) => file.replace(/\.json$/, ''))
  }

  #compileSection(section, name, english) {
    const compiler = this.#compiler
    const isFault = (path) => (key, reason) => this.#fault(path, key, reason)
    if (name === 'en' || ENGLISH_ONLY.includes(section)) {
      return compiler.module(english, () => 'en', isFault(`en/${section}.json`))
    }
    if (PSEUDO_LANGUAGES.includes(name)) {
      const messages = NAMES.includes(section) ? this.#longestNames(section) : english
      return compiler.module(compiler.pseudo(messages), () => 'en', isFault(`en/${section}.json`))
    }
    const path = `${name}/${section}.json`
    if (NAMES.includes(section))
      return compiler.module(this.#readNames(path), () => name, isFault(path))
    const translated = existsSync(join(this.#from, path)) ? this.#readMessages(name, section) : {}
    this.#compare(english, translated, path, name)
    for (const key of Object.keys(english).filter((each) => !(each in translated))) {
      this.untranslated.push(`src/texts/${path}, ${JSON.stringify(key)}: it is in English`)
    }
    const languageOf = (key) => (key in translated ? name : 'en')
    return compiler.module({ ...english, ...translated }, languageOf, isFault(path))
  }

  /** The names of a translation; none where it has no such file. */
  #readNames(path) {
    if (!existsSync(join(this.#from, path))) return {}
    const names = this.#readMessages(dirname(path), basename(path, '.json'))
    for (const [key, name] of Object.entries(names)) {
      const [value] = placesOf(valuesOf(name, this.#compiler))
      if (value !== undefined) this.#fault(path, key, `a name has no ${value}`)
    }
    return names
  }

  /** The longest ones, since the catalogue has none in English. */
  #longestNames(section) {
    const languages = Object.keys(this.#readJson('languages.json'))
    const all = languages.map((name) => this.#readNames(`${name}/${section}.json`))
    const lengthOf = (names) => Object.values(names).join('').length
    return all.reduce((longest, each) => (lengthOf(each) > lengthOf(longest) ? each : longest), {})
  }

  #readJson(path) {
    try {
      return JSON.parse(readFileSync(join(this.#from, path), 'utf8'))
    } catch (error) {
      this.#fault(path, null, error.code === 'ENOENT' ? 'there is no such file' : error.message)
      return {}
    }
  }

  /**
   * The messages of a file; what begins with @ is for translators.
   *
   * @returns {Messages}
   */
  #readMessages(language, section) {
    const path = `${language}/${section}.json`
    const all = Object.entries(this.#readJson(path)).filter(([key]) => !key.startsWith('@'))
    return Object.fromEntries(
      all.filter(([key, text]) => {
        const reason = reasonAgainst(key, text)
        if (reason !== null) this.#fault(path, key, reason)
        return reason === null
      }),
    )
  }

  /** A translation has texts of the English one alone, with the same values and elements, and all forms of plurals. */
  #compare(english, translated, path, language) {
    const { isMessage, pluralForms } = this.#compiler
    for (const key of Object.keys(english)) {
      // What is no message is told of when it is compiled.
      if (key in translated && isMessage(english[key]) && isMessage(translated[key])) {
        const [wanted, found] = [english[key], translated[key]].map((message) =>
          placesOf(valuesOf(message, this.#compiler)),
        )
        const lacks = wanted.filter((each) => !found.includes(each))
        const more = found.filter((each) => !wanted.includes(each))
        if (lacks.length > 0) this.#fault(path, key, `it lacks ${lacks.join(', ')}`)
        if (more.length > 0) this.#fault(path, key, `English has no ${more.join(', ')}`)
        for (const forms of pluralForms(translated[key])) {
          const left = formsLeft(language, forms)
          if (left.length > 0) this.#fault(path, key, `a plural lacks the form ${left.join(', ')}`)
        }
      }
    }
    for (const key of Object.keys(translated)) {
      if (!(key in english)) this.#fault(path, key, 'there is no such text in English')
    }
  }

  #fault(path, key, reason) {
    const text = key === null ? '' : `${this.#lineOf(path, key)}, ${JSON.stringify(key)}`
    this.#faults.add(`src/texts/${path}${text}: ${reason.replaceAll(/\s+/g, ' ')}`)
  }

  /** The line of a text, `:12`; nothing where there is none. */
  #lineOf(path, key) {
    const file = join(this.#from, path)
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
    const at = lines.findIndex((line) => line.trimStart().startsWith(`${JSON.stringify(key)}:`))
    return at < 0 ? '' : `:${at + 1}`
  }
}

/** Why a text cannot be compiled, whatever it says; null: it can. */
function reasonAgainst(key, text) {
  if (!/^[a-z][A-Za-z0-9]*$/.test(key)) return 'a key is in camelCase'
  if (reserved.has(key)) return 'JavaScript has another use for this word'
  return typeof text === 'string' && text.trim() !== '' ? null : 'there is no text'
}

const languagesType = (
  languages,
) => `/** The languages of the site, each with its own name for itself. */
export const languages: ${typeOf(literalTypes(languages))}
/** As BCP 47 has it. */
export type Language = keyof typeof languages
`

const LANGUAGE_TYPE = `import type { Language } from '../languages.js'
/** That of this build. */
export const language: Language
`

/** As `isolate` of src/pool/text.ts (D-47), but what holds texts that are isolated already stays as it is. */
const ISOLATE = String.raw`const rightToLeft = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
const isolated = /^([^\u202a-\u202e\u2066-\u2069]*\u2068[^\u202a-\u202e\u2066-\u2069]*\u2069)+[^\u202a-\u202e\u2066-\u2069]*$/
export const isolate = (value) => {
  if (isolated.test(value)) return value
  const safe = String(value).replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
  return rightToLeft.test(safe) ? '\u2068' + safe + '\u2069' : safe
}
`

const allType = (section) => `import type { Language } from '../languages.js'
import type * as english from '../en/${section}.js'
export const ${section}: Readonly<Record<Language, typeof english>>
`

const literalTypes = (members) =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, JSON.stringify(value)]))

const typeOf = (members) =>
  `{ ${Object.keys(members)
    .toSorted()
    .map((name) => `readonly ${/^\w+$/.test(name) ? name : JSON.stringify(name)}: ${members[name]}`)
    .join('; ')} }`

const NODE = 'ComponentChildren'

/** Values and elements as a text has them: `{name}`, `{n} as a number`, `<time/>`, `<b>…</b>`. */
const placesOf = (values) =>
  Object.entries(values).map(([name, type]) => {
    if (type === NODE) return `<${name}/>`
    if (type === 'number') return `{${name}} as a number`
    return type === 'string' ? `{${name}}` : `<${name}>…</${name}>`
  })

/** The forms of whole numbers of things that a language has and a plural has not, by form or by number. */
const formsLeft = (language, cases) => {
  const rules = new Intl.PluralRules(language)
  const left = Array.from({ length: 201 }, (_, n) => [rules.select(n), `=${n}`])
  return [
    ...new Set(left.flatMap((each) => (each.some((key) => cases.includes(key)) ? [] : [each[0]]))),
  ]
}

/** The declarations of a section, each with its English text. */
function declare(english, compiler) {
  const lines = Object.entries(english).map(([key, message]) => {
    const values = valuesOf(message, compiler)
    const type = Object.keys(values).length === 0 ? 'string' : functionOf(values)
    const comment = message.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')
    return `/** ${comment} */\nexport const ${key}: ${type}\n`
  })
  const text = lines.join('')
  if (text === '') return 'export {}\n'
  return text.includes(NODE) ? `import type { ${NODE} } from 'preact'\n${text}` : text
}

/** Of a text that is no message, none: that is said when it is compiled. */
function valuesOf(message, compiler) {
  try {
    return compiler.values(message)
  } catch {
    return {}
  }
}

const functionOf = (values) =>
  `(values: ${typeOf(values)}) => ${Object.values(values).some((type) => type.includes(NODE)) ? NODE : 'string'}`

/**
 * In ICU MessageFormat with elements: of "Hidden since <time/>, <a>why</a>", `time` is something that the page shows
 * there, and `a` a function that wraps what is between its tags.
 */
async function openCompiler() {
  const { default: MessageFormat } = await import('@messageformat/core')
  const { default: compileModule } = await import('@messageformat/core/compile-module.js')
  const { parse } = await import('@messageformat/parser')
  const ofModule = (id) => ({ formatter: () => '', arg: 'raw', id, module: `../${id}.js` })
  const customFormatters = { wrap: ofModule('wrap'), isolate: ofModule('isolate') }

  /** What a message needs, by name: its type. */
  function values(message) {
    const found = {}
    const read = (tokens) => {
      for (const token of tokens) {
        const { type, arg, key, param, cases } = token
        if (type === 'argument') found[arg] ??= nodesOf(message).has(arg) ? NODE : 'string'
        if (type === 'plural' || type === 'selectordinal') found[arg] = 'number'
        if (type === 'select') found[arg] = 'string'
        if (type === 'function' && key === 'wrap') {
          found[arg] = `(children: ${NODE}) => ${NODE}`
          read(param)
        } else if (type === 'function') found[arg] = 'number'
        for (const one of cases ?? []) read(one.tokens)
      }
    }
    read(parse(icuOf(message)))
    return found
  }

  /** The module with all messages of a section, each in its language; `fault` is told of those that are none. */
  function module(messages, languageOf, fault) {
    /** @type {Map<string, Set<string>>} */
    const imports = new Map()
    const lines = Object.entries(messages).map(([key, message]) => {
      try {
        const types = Object.values(values(message))
        const returnType = types.some((type) => type.includes(NODE)) ? 'values' : 'string'
        const format = new MessageFormat(languageOf(key), { returnType, customFormatters })
        const code = compileModule(format, { [key]: icuOf(isolated(message)) })
        const [, head, name, whole] =
          /^([^]*)export default \{\n {2}"?(\w+)"?: ([^]*)\n\}\s*$/.exec(code)
        // The library gives each formatter the language.
        const body = whole.replaceAll(/\bisolate\((d\.\w+), "[\w-]+"\)/g, 'isolate($1)')
        for (const [, names, from] of head.matchAll(/import \{ (.*?) \} from "(.*?)"/g)) {
          imports.set(from, new Set([...(imports.get(from) ?? []), ...names.split(', ')]))
        }
        return `export const ${name} = ${types.length === 0 ? body.replace('() => ', '') : body}\n`
      } catch (error) {
        fault(key, reasonOf(error))
        return ''
      }
    })
    const heads = [...imports].map(
      ([from, names]) => `import { ${[...names].join(', ')} } from ${JSON.stringify(from)}\n`,
    )
    return [...heads, ...lines].join('')
  }

  /** What is wrong with a message, without what the library adds of its own. */
  function reasonOf({ message }) {
    if (message.startsWith("No 'other' form")) return 'a plural or a select lacks the form other'
    if (/^(?:Unexpected message end|invalid syntax)/i.test(message)) {
      return 'a {, } or an element such as <b> is not closed, or has no beginning'
    }
    return message.split('\n', 1)[0]
  }

  /** The forms of each plural in a message. */
  function pluralForms(message) {
    const found = []
    const read = (tokens) => {
      for (const { type, cases = [], param = [] } of tokens) {
        if (type === 'plural') found.push(cases.map(({ key }) => key))
        if (Array.isArray(param)) read(param)
        for (const each of cases) read(each.tokens)
      }
    }
    read(parse(icuOf(message)))
    return found
  }

  function isMessage(message) {
    try {
      parse(icuOf(message))
      return true
    } catch {
      return false
    }
  }

  /**
   * A message with its values and elements as they are.
   *
   * @param {(text: string) => string} say what stands in place of a text.
   * @param {(name: string) => string} show what stands in place of a value that is a text, `{name}`.
   */
  function rewrite(message, say, show) {
    const nodes = nodesOf(message)
    const write = (tokens, isPlural = false) =>
      tokens
        .map(({ type, value, arg, key: format, param, cases, pluralOffset }) => {
          if (type === 'content') return quote(say(value), isPlural)
          if (type === 'octothorpe') return '#'
          if (type === 'argument') return nodes.has(arg) ? `<${arg}/>` : show(arg)
          if (format === 'wrap') return `<${arg}>${write(param, isPlural)}</${arg}>`
          if (type === 'function') return `{${arg}, ${format}}`
          const offset = pluralOffset ? ` offset:${pluralOffset}` : ''
          const all = cases.map((one) => `${one.key} {${write(one.tokens, type !== 'select')}}`)
          return `{${arg}, ${type},${offset} ${all.join(' ')}}`
        })
        .join('')
    return write(parse(icuOf(message)))
  }

  /** A message whose values turn nothing round that surrounds them, whichever way they are written. */
  const isolated = (message) =>
    rewrite(
      message,
      (text) => text,
      (name) => `{${name}, isolate}`,
    )

  /** Messages in pseudo-English, with their values and elements. */
  const pseudo = (messages) =>
    Object.fromEntries(
      Object.entries(messages).flatMap(([key, message]) =>
        isMessage(message) ? [[key, `[${rewrite(message, pseudoOf, (name) => `{${name}}`)}]`]] : [],
      ),
    )
  return { values, module, pseudo, isMessage, pluralForms }
}

/** With each vowel twice and with an accent: vowels are two fifths of a text. */
const pseudoOf = (text) => text.replaceAll(/[aeiouy]/gi, (vowel) => accented[vowel].repeat(2))

const accented = Object.fromEntries(
  [...'aáeéiíoóuúyýAÁEÉIÍOÓUÚYÝ'.matchAll(/(.)(.)/gu)].map(([, plain, accent]) => [plain, accent]),
)

/** What has a meaning in ICU MessageFormat, quoted. */
const quote = (text, isPlural) =>
  text.replaceAll("'", "''").replaceAll(isPlural ? /[{}#]+/g : /[{}]+/g, "'$&'")

const ELEMENT = /<([a-z]\w*)\/>/g

/** The names of what a message shows as it is given. */
const nodesOf = (message) => new Set(Array.from(message.matchAll(ELEMENT), ([, name]) => name))

const icuOf = (message) =>
  message
    .replaceAll(ELEMENT, '{$1}')
    .replaceAll(/<([a-z]\w*)>/g, '{$1, wrap,')
    .replaceAll(/<\/[a-z]\w*>/g, '}')

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await compileTexts()
    if (process.argv[2] === '--complete') {
      const left = await findUntranslated()
      process.stdout.write(left.map((line) => `${line}\n`).join(''))
      if (left.length > 0) process.exitCode = 1
    }
  } catch (error) {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}
