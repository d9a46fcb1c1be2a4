import { foldCode } from '../../pool/slots.ts'
import { asked, type Finding, type Reading, type SlotReading } from './readings.ts'

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
  /** null while it is open. */
  readonly answer: ChoiceId | null
}

/** The choice for each question by its id; `*` is for all that are not named. Others are ignored. */
export type Answers = ReadonlyMap<string, string>

export const HALF = 'half'

/** The answer to a question; null when there is none that it offers. */
export function answerTo(id: string, count: number, answers: Answers): ChoiceId | null {
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
      questions.set(topic, { id, text: reading.question, lines: [line], choices, answer })
    } else if (known.lines.at(-1) !== line) known.lines.push(line)
    const chosen = answer === null ? undefined : reading.choices[choiceIds.indexOf(answer)]
    return { ...finding, question: id, reading: asAnswered(chosen?.reading) ?? reading }
  })
  return { findings: resolved, questions: [...questions.values()] }
}

function asAnswered(reading: Reading | undefined): Reading | undefined {
  return reading?.kind === 'slot' ? { ...reading, rule: 'answer' } : reading
}

/** Fewer show nothing. */
const LEAST_SLOTS = 4

/**
 * The slots of each round with their numbers as hosts count them. Files of programs count from 0, which is no number of a
 * slot, and some count through the whole pool, which is asked: HD5 may be the fifth beatmap and HD1.
 */
export function countSlots(findings: readonly Finding[]): readonly Finding[] {
  const rounds: Counted[][] = [[]]
  for (const [at, { reading, round }] of findings.entries()) {
    if (round !== undefined) rounds.push([])
    const counted = reading.kind === 'slot' ? countedOf(reading, at) : null
    if (counted !== null) rounds.at(-1)!.push(counted)
  }
  const changed = rounds.flatMap(changesOf)
  return changed.length === 0
    ? findings
    : changed.reduce(
        (all, [at, finding]) => ((all[at] = { ...all[at]!, reading: finding }), all),
        [...findings],
      )
}

type Counted = {
  readonly at: number
  readonly reading: SlotReading
  readonly code: string
  readonly index: number
}

/** A slot whose code and number are in two fields or cells. */
function countedOf(reading: SlotReading, at: number): Counted | null {
  const { code = null, index = null } = reading.label ?? {}
  const isApart = reading.rule === 'fields' || reading.isSplit === true
  return isApart && code !== null && index !== null ? { at, reading, code, index } : null
}

function changesOf(slots: readonly Counted[]): (readonly [at: number, Finding['reading']])[] {
  const [first] = slots
  if (slots.length < LEAST_SLOTS || first === undefined || first.index > 1) return []
  const last = new Map<string, number>()
  const own = slots.map(({ code }) => {
    const place = (last.get(foldCode(code)) ?? 0) + 1
    last.set(foldCode(code), place)
    return place
  })
  const within = ({ reading, code }: Counted, at: number): SlotReading => {
    return { ...reading, label: { code, index: own[at]! } }
  }
  if (slots.every(({ index }, at) => index === own[at]! - 1)) {
    const note = 'The slots of this file are counted from 0; their numbers are one higher here.'
    return slots.map((slot, at) => {
      return [slot.at, { ...within(slot, at), ...(at === 0 && { note }) }] as const
    })
  }
  const isThrough = last.size > 1 && slots.every(({ index }, at) => index === first.index + at)
  const moved = slots.find(({ index }, at) => index !== own[at])
  if (!isThrough || moved === undefined) return []
  const named = slots.findLast(({ index }, at) => index !== own[at])!
  const label = (index: number): string => `${named.code}${index}`
  return slots.map((slot, at) => {
    const choices = [
      [`They count through the pool: it is ${label(own[slots.indexOf(named)]!)}`, within(slot, at)],
      [`They count in their bucket: it is ${label(named.index)}`, slot.reading],
    ] as const
    const question = `The numbers of the slots go on from bucket to bucket, up to ${label(named.index)}. What do they count?`
    return [slot.at, asked(question, choices, `count ${first.at}`)] as const
  })
}
