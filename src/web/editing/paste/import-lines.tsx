import * as texts from '#texts/import'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import type { Bucket } from '../../../contract/pools.ts'
import type { ImportedLine } from '../../../formats/import/read-import.ts'
import type { Planned } from '../../../formats/import/words/planned.ts'
import type { RuleId } from '../../../formats/import/readings.ts'
import { slotLabel } from '../../../pool/slots.ts'
import { formatList } from '../../format.ts'
import { PersonText } from '../../parts/labels.tsx'
import { bucketColor } from '../../pool/slot-parts.tsx'
import { listNames } from '../names.ts'
import { Sentences } from '../../parts/sentences.tsx'
import type { ImportState } from './import-state.ts'
import type { KeyedQuestion, ReadLines } from './read-source.ts'

type StateProps = { readonly state: ImportState }

const MOST_NAMED = 6

/** What becomes of slots without a beatmap where only beatmaps can be kept: `TB1 has no beatmap yet: left out`. */
export function leftOutText(labels: readonly string[]): string {
  return texts.leftOut({ n: labels.length, slots: listNames(labels, MOST_NAMED) })
}

type LinesProps = StateProps & {
  readonly id?: string
  readonly lines: ReadLines
  readonly questions: readonly KeyedQuestion[]
  readonly buckets: readonly Bucket[]
  /** What a slot without a beatmap holds, where these are taken, too. */
  readonly planned?: (filling: Planned) => string
}

/** Line by line, what was understood and by which rule, what is asked, and what was not understood. */
export function ImportLines({
  id,
  state,
  lines: { shown, more, moreRefused },
  questions,
  buckets,
  planned,
}: LinesProps) {
  const byId = new Map(questions.map((question) => [question.id, question]))
  const firstSlot = shown.findIndex(({ outcome }) => outcome === 'slot')
  const rows = shown.flatMap((line, at) => {
    const question = 'question' in line ? byId.get(line.question ?? '') : undefined
    const isFirst =
      shown.findIndex((each) => 'question' in each && each.question === question?.id) === at
    const row = (
      <LineRow
        key={`line ${at}`}
        line={line}
        // A pack key is one line with many slots.
        isRepeated={shown[at - 1]?.line === line.line}
        isEntry={at === firstSlot}
        buckets={buckets}
        planned={planned}
      />
    )
    if (question === undefined || !isFirst) return [row]
    const asked = (
      <tr key={question.key} class="asked-row">
        <td colSpan={3}>
          <QuestionChoice question={question} state={state} />
        </td>
      </tr>
    )
    return question.lines.length > 1 ? [asked, row] : [row, asked]
  })
  return (
    <>
      {rows.length > 0 && (
        <table id={id} aria-label={texts.whatWasRead} onKeyDown={stepToRule}>
          <colgroup>
            <col class="paste-number-column" />
            <col class="paste-text-column" />
            <col />
          </colgroup>
          <thead class="sr-only">
            <tr>
              {[texts.line, texts.text, texts.result].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{rows}</tbody>
        </table>
      )}
      {moreRefused > 0 && (
        <p class="paste-hint edit-danger">{texts.moreRefused({ n: moreRefused })}</p>
      )}
      {more > 0 && <p class="paste-hint">{texts.moreRead({ n: more })}</p>}
    </>
  )
}

type LineProps = {
  readonly line: ImportedLine
  readonly isRepeated: boolean
  /** Tab leads to this line's rule; arrows to those of others. */
  readonly isEntry: boolean
  readonly buckets: readonly Bucket[]
  readonly planned: LinesProps['planned']
}

function LineRow({ line, isRepeated, isEntry, buckets, planned }: LineProps) {
  return (
    <tr class={line.outcome}>
      <td class="paste-number">{!isRepeated && line.line}</td>
      <td class="paste-text" title={isRepeated ? undefined : line.text}>
        {!isRepeated && line.text}
      </td>
      <td class="paste-outcome">{outcomeOf(line, buckets, isEntry, planned)}</td>
    </tr>
  )
}

function outcomeOf(
  line: ImportedLine,
  buckets: readonly Bucket[],
  isEntry: boolean,
  planned: LinesProps['planned'],
): ComponentChildren {
  if (line.outcome === 'refused') return line.reason
  if (line.outcome === 'asked') return <span class="paste-unclear">{texts.notClear}</span>
  if (line.outcome === 'skipped') return <span class="quiet-text">{texts.skipped}</span>
  const bucket = buckets.find(({ code }) => code === line.mod) ?? null
  if (line.outcome === 'planned') {
    const label = slotLabel(line)
    if (planned === undefined) return <span class="quiet-text">{leftOutText([label])}</span>
    return (
      <>
        <span class="chip" {...bucketColor(bucket)}>
          {label}
        </span>{' '}
        <PersonText text={planned(line.filling)} />
      </>
    )
  }
  const rule = rules[line.rule]
  return (
    <details class="paste-why">
      <summary title={rule} tabIndex={isEntry ? 0 : -1}>
        <span class="chip" {...bucketColor(bucket)}>
          {line.mod === null ? texts.noBucket : slotLabel(line)}
        </span>{' '}
        {line.beatmapId}
      </summary>
      <p>
        <Sentences of={[rule, line.note ?? null]} />
      </p>
    </details>
  )
}

const rules: Readonly<Record<RuleId, string>> = {
  line: texts.ruleLine,
  alone: texts.ruleAlone,
  columns: texts.ruleColumns,
  row: texts.ruleRow,
  transposed: texts.ruleTransposed,
  heading: texts.ruleHeading,
  merged: texts.ruleMerged,
  block: texts.ruleBlock,
  fields: texts.ruleFields,
  keyOfList: texts.ruleKeyOfList,
  pair: texts.rulePair,
  numbers: texts.ruleNumbers,
  bracket: texts.ruleBracket,
  collection: texts.ruleCollection,
  packKey: texts.rulePackKey,
  answer: texts.ruleAnswer,
}

/** Arrows go from the rule of one line to the next. */
function stepToRule(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('.paste-why > summary')]
  const at = all.indexOf(event.target as HTMLElement)
  if (step === undefined || at < 0) return
  event.preventDefault()
  all[at + step]?.focus()
}

/** A question with its readings, also once it is answered. Digits choose while the focus is in it. */
export function QuestionChoice({
  question,
  state,
}: StateProps & { readonly question: KeyedQuestion }) {
  const { key, text, lines, choices } = question
  const name = useId()
  const answer = state.answers.value.get(key) ?? question.answer
  return (
    <fieldset
      class="asking"
      data-is-open={answer === null ? '' : undefined}
      onKeyDown={(event) => {
        const at = /^[1-9]$/.test(event.key) ? Number(event.key) - 1 : -1
        const choice = choices[at]
        if (choice === undefined || event.ctrlKey || event.altKey || event.metaKey) return
        event.preventDefault()
        state.answer(key, choice.id)
        event.currentTarget.querySelectorAll('input')[at]?.focus()
      }}
    >
      <legend>
        {text}
        {lines.length > 1 && <span class="quiet-text"> {decidesText(lines)}</span>}
      </legend>
      <span class="asking-choices">
        {choices.map(({ id, text }, at) => (
          <label key={id}>
            <input
              type="radio"
              class="sr-only"
              name={name}
              checked={answer === id}
              onChange={() => state.answer(key, id)}
            />
            <span>
              <kbd aria-hidden="true">{at + 1}</kbd> {text}
            </span>
          </label>
        ))}
      </span>
    </fieldset>
  )
}

/** `Decides lines 3–5, 9 and 12.`; of many, the first one and how many there are. */
function decidesText(lines: readonly number[]): string {
  const ranges: [from: number, to: number][] = []
  for (const line of lines) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] + 1 === line) last[1] = line
    else ranges.push([line, line])
  }
  if (ranges.length > 8) return texts.decidesMany({ n: lines.length, first: String(lines[0]) })
  const named = ranges.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`))
  return texts.decidesLines({ lines: formatList(named) })
}
