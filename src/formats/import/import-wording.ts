import { joinEnglish, worded, type Wording } from '../../pool/message.ts'
import { type ImportWords, importWords } from './import-words.ts'
import { type ImportMessage } from './import-message.ts'
import type { Question } from './questions.ts'
import type { PlacedLine } from './readings.ts'
import type { Shape } from './shapes.ts'

/** The wording of all messages about what is read, in the language of a reader. */
export type ImportWording = Wording<ImportWords>

const english: ImportWording = { words: importWords, join: joinEnglish }

type Read = {
  readonly shape: Shape
  readonly pools: readonly { readonly lines: readonly PlacedLine[] }[]
  readonly others: readonly PlacedLine[]
  readonly questions: readonly Question[]
  readonly notes: readonly string[]
}

/** What was read, with each message in words. */
export function inWords<R extends Read>(read: R, wording: ImportWording = english): R {
  // A text of one mistake has the same reason in each line.
  const known = new Map<string, string>()
  const text = (message: string): string => {
    const own = known.get(message) ?? worded(message as ImportMessage, wording)
    known.set(message, own)
    return own
  }
  const lineInWords = (line: PlacedLine): PlacedLine => {
    if (line.outcome === 'refused') return { ...line, reason: text(line.reason) }
    const isNoted = line.outcome === 'slot' || line.outcome === 'skipped'
    if (isNoted && line.note !== undefined) return { ...line, note: text(line.note) }
    return line.outcome === 'planned' && line.refusal !== undefined
      ? { ...line, refusal: text(line.refusal) }
      : line
  }
  const { shape, pools, others, questions, notes } = read
  return {
    ...read,
    shape: { ...shape, why: text(shape.why) },
    pools: pools.map((pool) => ({ ...pool, lines: pool.lines.map(lineInWords) })),
    others: others.map(lineInWords),
    questions: questions.map((question) => ({
      ...question,
      text: text(question.text),
      choices: question.choices.map(({ id, text: choice }) => ({ id, text: text(choice) })),
    })),
    notes: notes.map(text),
  }
}
