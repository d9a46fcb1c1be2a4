import type { Answers, ChoiceId, Question } from '../../formats/import/questions.ts'
import { CliError, type CommandOption, usageError } from '../program.ts'
import { askLetter } from './input.ts'
import { plain } from './screen.ts'
import type { CliContext } from './user-command.ts'

const answer = '(?:half|[0-9]{1,6}[abc])'

export const acceptOption: CommandOption = {
  name: 'accept',
  takes: 'CHOICE',
  optional: new RegExp(`^(?:all|${answer}(?:,${answer})*)$`),
  about:
    'readings to use where the file is not clear, such as 1a,2b; without a value, the first of each',
}

/** A question about a file, numbered over all files of the command. */
export type FileQuestion = Question & {
  readonly file: string
  /** The first of its lines; empty for a question about the whole file. */
  readonly source: string
}

/** The questions of several files, numbered one after the other; `half` keeps its name. */
export function numberQuestions(
  files: readonly { readonly file: string; readonly questions: readonly FileQuestion[] }[],
): FileQuestion[][] {
  let before = 0
  return files.map(({ questions }) => {
    const numbered = questions.map((each) => ({ ...each, id: shifted(each.id, before) }))
    before += questions.filter(({ id }) => id !== 'half').length
    return numbered
  })
}

function shifted(id: string, by: number): string {
  return id === 'half' ? id : String(Number(id) + by)
}

/**
 * The answers of `--accept`, or on a terminal those that are given there, for each file.
 *
 * @throws CliError (usage) for a reading that is not offered.
 */
export async function answersFor(
  numbered: readonly (readonly FileQuestion[])[],
  context: CliContext,
): Promise<Answers[]> {
  const all = numbered.flat()
  const given = readAccept(context.options.get('accept'), all)
  if (!context.options.has('accept') && context.stdin.isTTY && !context.options.has('json')) {
    for (const question of all) given.set(question.id, await ask(question, context))
  }
  let before = 0
  return numbered.map((questions) => {
    const own = questions.map(({ id }): [string, string] => [
      shifted(id, -before),
      given.get(id) ?? given.get('*') ?? '',
    ])
    before += questions.filter(({ id }) => id !== 'half').length
    return new Map(own)
  })
}

function readAccept(
  value: string | undefined,
  questions: readonly FileQuestion[],
): Map<string, string> {
  const given = new Map<string, string>()
  if (value === undefined) return given
  if (value === '' || value === 'all') return given.set('*', 'a')
  for (const word of value.split(',')) {
    const [, id = 'half', letter = 'a'] = /^([0-9]+)([abc])$/.exec(word) ?? []
    const question = questions.find((each) => each.id === id)
    const isOffered = question?.choices.some((choice) => choice.id === letter) === true
    if (word !== 'half' && !isOffered) throw usageError(`--accept ${word}: ${offered(questions)}`)
    given.set(id, letter)
  }
  return given
}

function offered(questions: readonly FileQuestion[]): string {
  const readings = questions.flatMap(({ id, choices }) =>
    id === 'half' ? ['half'] : choices.map((choice) => `${id}${choice.id}`),
  )
  return readings.length === 0 ? 'there is nothing to choose' : `there are: ${readings.join(', ')}`
}

async function ask(question: FileQuestion, context: CliContext): Promise<string> {
  const { screen } = context
  for (const line of questionLines(question)) screen.note(line)
  const letters: ('a' | 'b' | 'c' | 's')[] = [...question.choices.map(({ id }) => id), 's']
  const letter = await askLetter('Which one, or stop?', letters, context)
  if (letter === 's') throw new CliError('nothing was saved')
  return letter
}

/** The questions that have no answer. */
export function openQuestions(questions: readonly FileQuestion[]): FileQuestion[] {
  return questions.filter((question) => question.answer === null)
}

/** Lists open questions, and throws, if there are any: nothing may be saved. */
export function refuseOpen(
  questions: readonly FileQuestion[],
  { screen }: Pick<CliContext, 'screen'>,
): void {
  const open = openQuestions(questions)
  if (open.length === 0) return
  for (const line of open.flatMap(questionLines)) screen.note(line)
  throw openError(open)
}

export function openError(open: readonly FileQuestion[]): CliError {
  const first = open.map(({ id }) => (id === 'half' ? id : `${id}a`)).slice(0, 3)
  return new CliError(
    `nothing was saved: ${open.length === 1 ? '1 question' : `${open.length} questions`} must be answered first; choose readings with --accept ${first.join(',')}, or the first of each with --accept all`,
    'partial',
  )
}

export function questionLines({ file, id, text, lines, source, choices }: FileQuestion): string[] {
  const [line, ...more] = lines
  const place =
    line === undefined ? '' : `, line ${line}${more.length > 0 ? ` and ${more.length} more` : ''}`
  const quoted =
    source === '' ? '' : `, “${plain(source.trim().slice(0, MAX_SHOWN)).toWellFormed()}”`
  const marked = (choice: ChoiceId): string =>
    id === 'half' ? (choice === 'a' ? 'half' : '    ') : `${id}${choice}`
  return [
    `${plain(file)}${place}${quoted}: ${plain(text)}`,
    ...choices.map((choice) => `  ${marked(choice.id)}  ${plain(choice.text)}`),
  ]
}

const MAX_SHOWN = 60
