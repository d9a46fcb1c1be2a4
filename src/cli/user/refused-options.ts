import { type Arguments, CliError, type CommandOption } from '../program.ts'
import { hasCode } from './errors.ts'

/** The bounds of a range, of which people give both as one value. */
const BOUND = String.raw`(?:\.(?:min|max))?`

/**
 * Of a refusal of the service that calls values by its own names, one that calls them by the options that they were given
 * by; null for anything else.
 */
export function refusedOptions(
  error: unknown,
  known: readonly CommandOption[],
  { options }: Arguments,
): CliError | null {
  if (!hasCode(error, 'bad_request')) return null
  const named = known
    .filter(({ name, field = '' }) => (isWord(field) ? options.has(name) : field !== ''))
    .reduce((text, { name, field = '' }) => renamed(text, field, `--${name}`), error.message)
  if (named === error.message) return null
  const problems = new Set(named.split('; '))
  return new CliError([...problems].join('; '), 'failed', { cause: error })
}

/** Such a field may be a word of a sentence, too, and is one only where a problem begins. */
const isWord = (field: string): boolean => /^[a-z]+$/.test(field)

function renamed(text: string, field: string, option: string): string {
  const path = String.raw`(?:\w+\[\d+\]\.)?` + field.replaceAll('.', String.raw`\.`) + BOUND
  const start = isWord(field) ? '(?<=^|; )' : String.raw`(?<![\w.])`
  return text.replaceAll(new RegExp(String.raw`${start}${path}(?![\w.[])`, 'g'), option)
}
