import type { ComponentChildren, TextareaHTMLAttributes } from 'preact'
import { useId, useState } from 'preact/hooks'
import type { CustomBucket } from '../../../contract/pools.ts'
import type { LineCount } from '../../../formats/import/read-import.ts'
import { foldCode } from '../../../pool/slots.ts'
import { modsText } from '../../../pool/difference-words.ts'
import { count } from '../../format.ts'
import { Button } from '../../parts/buttons.tsx'
import { PersonText } from '../../parts/labels.tsx'
import { BucketChip } from '../../pool/slot-parts.tsx'
import { typedInto } from '../fields.tsx'
import { focusLater } from '../focus.ts'
import { ModChoice } from '../lanes/buckets.tsx'
import { leftOutText, QuestionChoice } from './import-lines.tsx'
import { type ImportState, wordsOf } from './import-state.ts'
import type { ReadImport } from './read-source.ts'
import '../../style/editor-paste.css'

type StateProps = { readonly state: ImportState }

type SourceProps = StateProps &
  Pick<TextareaHTMLAttributes, 'rows' | 'autofocus'> & {
    readonly id: string
    readonly 'aria-describedby'?: string
    /** Called after each change of the text. */
    readonly onType?: (() => void) | undefined
  }

/** The field of the text, or the file that is open in its place; why one of the two could not be read. */
export function ImportSource({ state, onType, ...field }: SourceProps) {
  const problem = state.problem.value
  const file = state.file.value
  return (
    <>
      {problem !== null && (
        <p class="paste-file edit-danger" role="alert">
          <b>{problem.name === null ? 'This text' : <PersonText text={problem.name} />}</b> could
          not be read: {problem.reason}.{' '}
          {problem.name === null && (
            <button type="button" class="edit-link" onClick={() => state.retry()}>
              Try again
            </button>
          )}
        </p>
      )}
      {problem === null && file !== null && (
        <p class="paste-file">
          From <PersonText within="b" text={file.name} />{' '}
          <Button tone="quiet" label="Close the file" onClick={() => state.closeFile()} />
        </p>
      )}
      {file === null && <TextField state={state} onType={onType} {...field} />}
    </>
  )
}

/** More lines or letters take a browser seconds to lay out in a field, for each of its lines is three boxes. */
const [MOST_LINES, LONGEST_TEXT] = [1000, 100_000]
/** So many lines of a longer text are shown. */
const LINES_SHOWN = 100

/** How many lines a text has that is too long for a field; null for others. */
function linesOfLong(text: string): number | null {
  if (text.length <= MOST_LINES) return null
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  return lines > MOST_LINES || text.length > LONGEST_TEXT ? lines : null
}

/** The field of the text; of a long one it shows the beginning, and cannot be typed in unless that is asked for. */
function TextField({ state, onType, 'aria-describedby': describedBy, ...field }: SourceProps) {
  const noteId = useId()
  const [isWhole, setWhole] = useState(false)
  const text = state.text.value
  const lines = linesOfLong(text)
  if (lines === null && isWhole) setWhole(false)
  const isCut = lines !== null && !isWhole
  const leave = (...steps: readonly ((() => void) | undefined)[]): void => {
    for (const step of steps) step?.()
    focusLater(field.id)
  }
  const takePasted = (event: ClipboardEvent & { readonly currentTarget: HTMLTextAreaElement }) => {
    const { value, selectionStart, selectionEnd } = event.currentTarget
    const pasted = event.clipboardData?.getData('text/plain').replaceAll(/\r\n?/g, '\n') ?? ''
    const isAll = selectionStart === 0 && selectionEnd === value.length
    const next =
      isCut && !isAll
        ? `${text.trimEnd()}\n${pasted}`
        : value.slice(0, selectionStart) + pasted + value.slice(selectionEnd)
    if (pasted === '' || isWhole || (!isCut && linesOfLong(next) === null)) return
    // Before the field lays it out.
    event.preventDefault()
    state.text.value = next
    onType?.()
  }
  return (
    <>
      <textarea
        {...field}
        class="field paste-field"
        spellcheck={false}
        autocomplete="off"
        readOnly={isCut}
        aria-describedby={[describedBy, isCut && noteId].filter(Boolean).join(' ') || undefined}
        value={isCut ? beginningOf(text) : text}
        onPaste={takePasted}
        onInput={(event) => {
          typedInto(state.text)(event)
          onType?.()
        }}
      />
      {isCut && (
        <p id={noteId} class="paste-hint">
          {count(lines, 'line')}: the whole text is read, but only its beginning is shown here.{' '}
          <button type="button" class="edit-link" onClick={() => leave(() => setWhole(true))}>
            Show and edit the whole text
          </button>{' '}
          <button
            type="button"
            class="edit-link"
            onClick={() => leave(() => (state.text.value = ''), onType)}
          >
            Remove it
          </button>
        </p>
      )}
    </>
  )
}

function beginningOf(text: string): string {
  return text
    .slice(0, LONGEST_TEXT / 10)
    .split('\n', LINES_SHOWN)
    .join('\n')
}

export function FileButton({ onOpen }: { readonly onOpen: (file: File) => void }) {
  return (
    <label class="button quiet file-button">
      Open a file
      <input
        type="file"
        class="sr-only"
        onChange={({ currentTarget }) => {
          const [chosen] = currentTarget.files ?? []
          if (chosen !== undefined) onOpen(chosen)
          currentTarget.value = ''
        }}
      />
    </label>
  )
}

type SummaryProps = StateProps & {
  readonly lines: LineCount
  readonly children: ComponentChildren
}

/** How much was read, and as what; that it is being read or looked up, if that takes a while. */
export function ImportSummary({ state, lines, children }: SummaryProps) {
  const read = state.read.value
  const looking = state.looking.value
  const missing = state.missing.value
  if (state.source.value === null || state.problem.value !== null) return null
  return (
    <p class="paste-summary" role="status">
      {state.isSlow.value || read === null ? (
        <span class="quiet-text">{state.isSlow.value ? 'Reading …' : '\u00a0'}</span>
      ) : (
        <>
          {lines.refused > 0 && (
            <>
              <b class="edit-danger">{wordsOf(lines)}</b> read:{' '}
            </>
          )}
          {children}{' '}
          <span class="quiet-text">
            {looking > 0
              ? `Looking up ${count(looking, 'beatmap')} …`
              : `${read.shape}. ${read.why}${missing > 0 ? ` ${missing} of ${count(read.beatmapIds.length, 'beatmap')} could not be looked up.` : ''}`}
          </span>
        </>
      )}
    </p>
  )
}

type DoubtsProps = {
  readonly open: number
  readonly refused?: number
  /** The labels of slots without a beatmap, where these are left out. */
  readonly leftOut?: readonly string[]
}

/** What of a pool is not clear, or not understood, after how much of it is: `, 1 open question`. */
export const ImportDoubts = ({ open, refused = 0, leftOut = [] }: DoubtsProps) => (
  <>
    {leftOut.length > 0 && `; ${leftOutText(leftOut)}`}
    {open > 0 && `, ${count(open, 'open question')}`}
    {refused > 0 && <span class="edit-danger">, {count(refused, 'line')} with problems</span>}
  </>
)

/** Of the button that takes what was read, and of the one that has to be pressed before where it is a part. */
export const TAKE_ID = 'import-take'
export const PART_ID = 'import-part'

type ObstacleProps = StateProps & {
  readonly open: number
  readonly lines: LineCount
  readonly id: string
}

/** Leads to the first question that is open, or asks whether a part is enough; else nothing. */
export function ImportObstacle({ state, open, lines, id }: ObstacleProps) {
  return (
    <span id={id} class="paste-obstacle">
      {open > 0 ? (
        <button type="button" class="edit-link" onClick={focusOpenQuestion}>
          Answer {count(open, 'question')} first
        </button>
      ) : (
        lines.read > 0 &&
        !state.isPartTaken(lines) && (
          <button
            id={PART_ID}
            type="button"
            class="edit-link"
            onClick={() => {
              state.takePart(lines)
              focusLater(TAKE_ID)
            }}
          >
            Use what was read
          </button>
        )
      )}
    </span>
  )
}

/** Focuses the first open question on the page, and opens what it is in. */
export function focusOpenQuestion(): void {
  const question = document.querySelector('[data-is-open]')
  const around = question?.closest('details') ?? null
  if (around !== null) around.open = true
  question?.querySelector('input')?.focus()
}

type OverviewProps = StateProps & { readonly read: ReadImport }

/** What concerns the whole text: the question whether it was understood at all, and notes. */
export function ImportNotes({ state, read }: OverviewProps) {
  const whole = read.questions.filter(({ lines }) => lines.length === 0)
  return (
    <>
      {whole.map((question) => (
        <div key={question.key} class="paste-whole">
          <QuestionChoice question={question} state={state} />
        </div>
      ))}
      {read.notes.length > 0 && (
        <ul class="paste-notes" role="list" aria-label="Notes">
          {read.notes.slice(0, MOST_NOTES).map((note, at) => (
            <li key={at}>{note}</li>
          ))}
          {read.notes.length > MOST_NOTES && (
            <li>and {read.notes.length - MOST_NOTES} more notes</li>
          )}
        </ul>
      )}
    </>
  )
}

const MOST_NOTES = 20

/** The mods of the custom buckets that would be new. */
export function NewBuckets({ state, buckets }: StateProps & { buckets: readonly CustomBucket[] }) {
  return buckets.map((bucket) => {
    const { code } = bucket
    const chosen = state.mods.value.get(foldCode(code))
    const mods = chosen === undefined ? bucket.mods : (chosen ?? undefined)
    return (
      <details key={code} class="paste-bucket">
        <summary>
          New bucket <BucketChip bucket={bucket} />{' '}
          <span class="quiet-text">{mods ? `mods: ${modsText(mods)}` : 'mods not set'}</span>
        </summary>
        <ModChoice code={code} mods={mods} onChange={(next) => state.setMods(code, next ?? null)} />
      </details>
    )
  })
}
