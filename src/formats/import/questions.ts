import { say } from './import-message.ts'
import { isSure } from './lines/plausible-ids.ts'
import type { DoubtedBeatmaps, Finding, PlacedLine, Reading } from './readings.ts'
import type { BucketCodes } from './words/labels.ts'

export type ChoiceId = 'a' | 'b' | 'c'
const choiceIds: readonly ChoiceId[] = ['a', 'b', 'c']

/** What only a person can decide, of one line or of several alike. */
export type Question = {
  /**
   * `1`, `2` … in order of the text, whatever is answered or looked up; a word for those of what was looked up, and
   * `half` for that of the whole text.
   */
  readonly id: string
  readonly text: string
  /** Ascending, from 1. */
  readonly lines: readonly number[]
  /** Two or three, the likeliest first. */
  readonly choices: readonly { readonly id: ChoiceId; readonly text: string }[]
  /** The beatmaps that are doubted, where it is about what was looked up. */
  readonly about?: DoubtedBeatmaps
  /** null while it is open. */
  readonly answer: ChoiceId | null
}

/** The choice for each question by its id; `*` is for all that are not named. Others are ignored. */
export type Answers = ReadonlyMap<string, string>

export const HALF = 'half'

/** The answer to a question; null when there is none that it offers. */
function answerTo(id: string, count: number, answers: Answers): ChoiceId | null {
  const given = answers.get(id) ?? answers.get('*')
  return choiceIds.slice(0, count).find((each) => each === given) ?? null
}

export type ResolvedFinding = Finding & {
  /** The question about it, answered or not. */
  readonly question?: string
}

/** Collects the questions of the findings, and puts in the place of each that is answered the reading chosen. */
export function resolveQuestions(
  findings: readonly Finding[],
  answers: Answers,
): { findings: ResolvedFinding[]; questions: Question[] } {
  const questions = new Map<string, Question & { readonly lines: number[] }>()
  let numbered = 0
  const resolved = findings.map((finding): ResolvedFinding => {
    const { reading, line } = finding
    if (reading.kind !== 'asked') return finding
    const topic = reading.topic ?? `line ${line}, ${questions.size}`
    const known = questions.get(topic)
    const id = known?.id ?? reading.id ?? String((numbered += 1))
    const answer = answerTo(id, reading.choices.length, answers)
    if (known === undefined) {
      const choices = reading.choices.map(({ text }, at) => ({ id: choiceIds[at]!, text }))
      const { question: text, about } = reading
      questions.set(topic, { id, text, lines: [line], choices, ...(about && { about }), answer })
    } else if (known.lines.at(-1) !== line) known.lines.push(line)
    const chosen = answer === null ? undefined : reading.choices[choiceIds.indexOf(answer)]
    const round = chosen?.round === undefined ? {} : { round: chosen.round }
    return { ...finding, ...round, question: id, reading: asAnswered(chosen?.reading) ?? reading }
  })
  return { findings: resolved, questions: [...questions.values()] }
}

function asAnswered(reading: Reading | undefined): Reading | undefined {
  return reading?.kind === 'slot' ? { ...reading, rule: 'answer' } : reading
}

/** How many lines of a text without a beatmap plan a slot, of those and of the prose that is passed over. */
export function countPlanned(found: readonly Finding[], all: readonly PlacedLine[]) {
  const linesOf = (wanted: PlacedLine['outcome']): Set<number> =>
    new Set(all.flatMap(({ line, outcome }) => (outcome === wanted ? [line] : [])))
  const [planned, passed] = [linesOf('planned'), linesOf('skipped')]
  const prose = found.filter(
    ({ line, reading }) =>
      reading.kind === 'refused' && reading.isProse === true && passed.has(line),
  )
  const told = new Set([...planned, ...prose.map(({ line }) => line)])
  return { lines: planned.size, of: told.size }
}

/**
 * How many headings say nothing of the beatmaps: the only one of a text with prose and without a label, if no bucket is known
 * by it. `PS:` and `EDIT:` stand above anything.
 */
export function countVague(findings: readonly Finding[], codes: BucketCodes): number {
  const headings = findings.flatMap(({ reading }) => (reading.kind === 'heading' ? [reading] : []))
  const [only] = headings
  const isOnly = only !== undefined && headings.length === 1
  if (!isOnly || only.label.index !== null || isSure(only.label, codes)) return 0
  const isLabelled = ({ reading }: Finding): boolean => {
    const own = reading.kind === 'refused' ? reading.plan : reading
    return own !== undefined && 'label' in own && own.label?.code != null
  }
  const isProse = ({ reading }: Finding): boolean =>
    reading.kind === 'refused' && reading.isProse === true && reading.plan === undefined
  const others = findings.filter(({ reading }) => reading !== only)
  return others.some(isProse) && !others.some(isLabelled) ? 1 : 0
}

/** Of a text of which little was understood, the rest may be a chance hit; null where half of it was, or nothing. */
export function questionOfHalf(
  { lines, of }: { readonly lines: number; readonly of: number },
  answers: Answers,
): Question | null {
  if (lines === 0 || lines * 2 >= of) return null
  return {
    id: HALF,
    text: say('lessThanHalf', { read: lines, n: of }),
    lines: [],
    choices: [
      { id: 'a', text: say('useUnderstood') },
      { id: 'b', text: say('useNone') },
    ],
    answer: answerTo(HALF, 2, answers),
  }
}
