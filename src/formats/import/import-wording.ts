import { joinEnglish, worded, type Wording } from '../../pool/message.ts'
import { type ImportWords, importWords } from './import-words.ts'
import { type ImportMessage } from './import-message.ts'
import type { Import, ImportedLine } from './read-import.ts'

/** The words that a reader has for all that is said of what is read. */
export type ImportWording = Wording<ImportWords>

const english: ImportWording = { words: importWords, join: joinEnglish }

/** What was read, with each message in words. */
export function inWords(read: Import, wording: ImportWording = english): Import {
  // A text of one mistake has the same reason in each line.
  const known = new Map<string, string>()
  const text = (message: string): string => {
    const own = known.get(message) ?? worded(message as ImportMessage, wording)
    known.set(message, own)
    return own
  }
  const lineInWords = (line: ImportedLine): ImportedLine => {
    if (line.outcome === 'refused') return { ...line, reason: text(line.reason) }
    if (line.outcome === 'slot' && line.note !== undefined) {
      return { ...line, note: text(line.note) }
    }
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
