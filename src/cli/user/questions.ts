import { type Answers, type ChoiceId, type Question, HALF } from '../../formats/import/questions.ts'
import { CliError, type CommandOption, usageError } from '../program.ts'
import { askLetter } from './input.ts'
import { plain, withoutKeys } from './screen.ts'
import { shellCall } from './shell.ts'
import type { CliContext } from './user-command.ts'

export const acceptOption: CommandOption = {
  name: 'accept',
  takes: 'CHOICE',
  // Misspelt readings as well: taken for a file, they would leave the option without a value, which accepts all.
  optional: /^(?:all|half|[0-9]{1,6}[a-z]?|(?:unknown|ruleset|stars|high)(?:=[a-z]?)?)(?:,|$)/i,
  about:
    'readings to use where the file is not clear, such as 1a,2b; "all" or no value: the first of each',
}

export const partialOption: CommandOption = {
  name: 'accept-partial',
  about: 'save what was read where lines cannot be read, or questions are open',
}

/** A question about a file, numbered over all files of the command. */
export type FileQuestion = Question & {
  readonly file: string
  /** Its id within its file. */
  readonly ownId: string
  /** The first of its lines; empty for a question about the whole file. */
  readonly source: string
}

/** The questions of several files, numbered one after the other; words such as `half` are the same for all files. */
export function numberQuestions(
  files: readonly (readonly FileQuestion[])[],
): readonly FileQuestion[][] {
  let last = 0
  return files.map((questions) =>
    questions.map((question) => {
      if (!isNumbered(question.ownId)) return question
      last += 1
      return { ...question, id: String(last) }
    }),
  )
}

const isNumbered = (id: string): boolean => /^\d/.test(id)

/**
 * The answers of `--accept` for each file, and on a terminal those that are given there to the other questions.
 *
 * @throws CliError (usage) for a reading that is not offered.
 */
export async function answersFor(
  files: readonly (readonly FileQuestion[])[],
  context: CliContext,
): Promise<Answers[]> {
  const all = halvesFirst(files.flat())
  const given = readAccept(context.options.get('accept'), all)
  const answers = new Map(all.map((question) => [question, given(question)]))
  for (const question of canAsk(context) ? all : []) {
    answers.set(question, answers.get(question) ?? (await ask(question, context)))
  }
  return files.map(
    (questions) => new Map(questions.map((each) => [each.ownId, answers.get(each) ?? ''])),
  )
}

/** Whether a file is worth reading decides about all its other questions. */
function halvesFirst(questions: readonly FileQuestion[]): FileQuestion[] {
  return questions.toSorted((a, b) => Number(b.ownId === HALF) - Number(a.ownId === HALF))
}

/** What was pasted has used the terminal up. */
function canAsk({ stdin, options, words }: CliContext): boolean {
  return stdin.isTTY && !options.has('json') && !words.includes('-')
}

/** Whether `--accept` takes the first reading of each question. */
export const acceptsAll = (value: string | undefined): boolean =>
  value !== undefined && /^(?:all)?$/i.test(value)

function readAccept(value: string | undefined, questions: readonly FileQuestion[]) {
  if (value === undefined) return () => null
  const text = value.toLowerCase()
  if (acceptsAll(text)) return (): ChoiceId => 'a'
  const readings = new Map(questions.flatMap(readingsOf))
  const chosen = new Map<string, ChoiceId>()
  for (const word of text.split(',')) {
    const reading = readings.get(word)
    if (reading === undefined)
      throw usageError(`--accept ${word} is no reading; ${offered([...readings.keys()])}`)
    const { id, choice } = reading
    if ((chosen.get(id) ?? choice) !== choice) {
      throw usageError(`--accept names two readings of question ${id}; give one of them`)
    }
    chosen.set(id, choice)
  }
  return ({ id }: FileQuestion) => chosen.get(id) ?? null
}

function readingsOf({ id, choices }: FileQuestion) {
  return choices.flatMap(({ id: choice }): [string, { id: string; choice: ChoiceId }][] =>
    id === HALF && choice !== 'a' ? [] : [[readingName(id, choice), { id, choice }]],
  )
}

function readingName(id: string, choice: ChoiceId): string {
  if (id === HALF) return id
  return isNumbered(id) ? `${id}${choice}` : `${id}=${choice}`
}

function offered(names: readonly string[]): string {
  return names.length === 0 ? 'there is nothing to choose' : `there are ${names.join(', ')}`
}

async function ask(question: FileQuestion, context: CliContext): Promise<ChoiceId> {
  const { screen } = context
  const place = `${placeOf(question)}: ${plain(question.text)}`
  for (const line of [
    place,
    ...question.choices.map(({ id, text }) => `  ${id}  ${plain(text)}`),
  ]) {
    screen.note(line)
  }
  const letters: (ChoiceId | 's')[] = [...question.choices.map(({ id }) => id), 's']
  const letter = await askLetter('Which one? (s: stop)', letters, context)
  if (letter === 's') throw new CliError('nothing was saved')
  return letter
}

export function openQuestions(questions: readonly FileQuestion[]): FileQuestion[] {
  return questions.filter(({ answer }) => answer === null)
}

/** Lists the files of which less than half was understood, before anything else is printed about them. */
export function noteHalves(questions: readonly FileQuestion[], { screen }: CliContext): void {
  const halves = openQuestions(questions).filter(({ ownId }) => ownId === HALF)
  for (const line of halves.flatMap(questionLines)) screen.note(line)
}

/** Lists the other open questions. */
export function noteOpen(questions: readonly FileQuestion[], { screen }: CliContext): void {
  const others = openQuestions(questions).filter(({ ownId }) => ownId !== HALF)
  for (const line of others.flatMap(questionLines)) screen.note(line)
}

/**
 * As `noteOpen`, with how they are answered: nothing may be saved.
 *
 * @throws CliError (partial) if there are any.
 */
export function refuseOpen(
  questions: readonly FileQuestion[],
  command: string,
  context: CliContext,
): void {
  const open = openQuestions(questions)
  if (open.length === 0) return
  noteOpen(questions, context)
  const all = halvesFirst(questions).map(({ id, answer }) => readingName(id, answer ?? 'a'))
  const names = [...new Set(all)]
  const example = names.length > MAX_NAMED ? 'all' : names.join(',')
  throw new CliError(
    `nothing was saved; ${unanswered(open)}. Choose readings, or the first of each by --accept all:
  ${callOf(command, context, example)}`,
    'partial',
  )
}

function callOf(command: string, { words, options }: CliContext, accepted: string): string {
  const others = [...options].filter(([name]) => name !== acceptOption.name)
  const given = others.flatMap(([name, value]) => [`--${name}`, ...(value === '' ? [] : [value])])
  return shellCall(command, words, [...given, `--${acceptOption.name}`, accepted])
}

/** As `refuseOpen`, where no readings can be chosen: the file has to be clear. */
export function openError(questions: readonly FileQuestion[]): CliError | null {
  const open = openQuestions(questions)
  if (open.length === 0) return null
  const lines = [`${unanswered(open)}. Change the file so that it is clear:`]
  return new CliError([...lines, ...halvesFirst(open).flatMap(questionLines)].join('\n'), 'partial')
}

export function unanswered(open: readonly FileQuestion[]): string {
  return open.length === 1 ? '1 question is open' : `${open.length} questions are open`
}

const MAX_NAMED = 8

function questionLines(question: FileQuestion): string[] {
  const { id, text, choices } = question
  const marks = choices.map((choice) =>
    id === HALF && choice.id !== 'a' ? '' : readingName(id, choice.id),
  )
  const width = Math.max(...marks.map((mark) => mark.length))
  return [
    `${placeOf(question)}: ${plain(text)}`,
    ...choices.map((choice, at) => `  ${marks[at]!.padEnd(width)}  ${plain(choice.text)}`),
  ]
}

const MAX_LINES = 6
const MAX_SHOWN = 60

function placeOf({ file, lines, source }: FileQuestion): string {
  if (lines.length === 0) return plain(file)
  const more = lines.length - MAX_LINES
  const shown = `${lines.slice(0, MAX_LINES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  const quoted = source.trim() === '' ? '' : `, ${plain(shortened(source))}`
  return `${plain(file)}, line${lines.length === 1 ? '' : 's'} ${shown}${quoted}`
}

export function shortened(text: string): string {
  const line = text.trim().replaceAll('\t', ' ')
  return `“${line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN).toWellFormed()}…` : line}”`
}

/** A question as programs get it. */
export function questionJson({ file, id, text, lines, choices, answer }: FileQuestion) {
  const safe = choices.map((choice) => ({ id: choice.id, text: withoutKeys(choice.text) }))
  return { file, id, text: withoutKeys(text), lines, choices: safe, answer }
}
