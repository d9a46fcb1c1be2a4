import * as texts from '#texts/import'
import type { TextareaHTMLAttributes } from 'preact'
import { useId, useState } from 'preact/hooks'
import { typedInto } from '../fields.tsx'
import { focusLater } from '../focus.ts'
import { Sentences } from '../../parts/sentences.tsx'
import type { ImportState } from './import-state.ts'

export type TextFieldProps = Pick<TextareaHTMLAttributes, 'rows' | 'autofocus'> & {
  readonly state: ImportState
  readonly id: string
  readonly 'aria-describedby'?: string
  /** Called after each change of the text. */
  readonly onType?: (() => void) | undefined
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
export function TextField({
  state,
  onType,
  'aria-describedby': describedBy,
  ...field
}: TextFieldProps) {
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
        data-is-kept=""
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
          <Sentences
            of={[
              texts.longText({ n: lines }),
              <button type="button" class="edit-link" onClick={() => leave(() => setWhole(true))}>
                {texts.showWhole}
              </button>,
            ]}
          />{' '}
          <button
            type="button"
            class="edit-link"
            onClick={() => leave(() => (state.text.value = ''), onType)}
          >
            {texts.removeText}
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
