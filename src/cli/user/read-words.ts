import { SLUG_PATTERN } from '../../contract/bounds.ts'
import { type CommandOption, Misuse } from '../command.ts'

/** The words of a call: options by name, and the rest in order. */
export type Words = {
  readonly words: readonly string[]
  /** A flag's value is empty. */
  readonly values: ReadonlyMap<string, string>
}

const SLUG = new RegExp(SLUG_PATTERN)

/**
 * Sorts the words of a call. Options stand anywhere in front of `--`, as `--out FILE` or `--out=FILE`.
 * A slug may begin with hyphens and is a word all the same.
 */
export const readWords = (args: readonly string[], options: readonly CommandOption[]): Words => {
  const words: string[] = []
  const values = new Map<string, string>()
  const rest = [...args]
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') return { words: [...words, ...rest], values }
    const [, name = '', , given] = /^--([a-z-]+)(=(.*))?$/s.exec(word) ?? []
    const option = options.find((known) => known.name === name)
    if (option === undefined) {
      if (word.startsWith('-') && word !== '-' && !SLUG.test(word)) {
        throw new Misuse(`there is no option "${word}"`)
      }
      words.push(word)
    } else {
      if (values.has(name)) throw new Misuse(`--${name} is given twice`)
      values.set(name, valueOf(option, given, rest))
    }
  }
  return { words, values }
}

const valueOf = (
  { name, takes, choices }: CommandOption,
  given: string | undefined,
  rest: string[],
): string => {
  if (takes === undefined) {
    if (given !== undefined) throw new Misuse(`--${name} takes no value`)
    return ''
  }
  const value = given ?? rest.shift()
  if (value === undefined || value === '--') throw new Misuse(`--${name} has no value`)
  if (choices !== undefined && !choices.includes(value)) {
    throw new Misuse(`--${name} "${value}" is not known; give ${choices.join(', ')}`)
  }
  return value
}
