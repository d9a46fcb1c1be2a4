import * as wording from '#texts/reading'
import * as texts from '#texts/editing'
import { type Signal, useSignal } from '@preact/signals'
import type { InputHTMLAttributes } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { MAX_BEATMAP_ID, MAX_SLOT_INDEX } from '../../contract/bounds.ts'
import type { Bucket } from '../../contract/pools.ts'
import { BucketCodes } from '../../formats/import/words/labels.ts'
import { readPlainLine } from '../../formats/import/lines/lines.ts'
import { type CommonReason, skipped } from '../../formats/import/readings.ts'
import { foldCode, isCode } from '../../pool/slots.ts'
import { plainDigits } from '../../pool/text.ts'
import { stepInColumn } from './focus.ts'

/** The value that a field's text means, or why it means none. */
export type Reading<T> = { readonly value: T } | { readonly reason: string }

/** Handles what is typed into a field by setting a signal. */
export function typedInto(text: Signal<string> | Signal<string | null>) {
  return ({ currentTarget }: { readonly currentTarget: { readonly value: string } }): void => {
    text.value = currentTarget.value
  }
}

/**
 * What Escape takes out of a field. Until something else is typed, or the field is left, Ctrl+Z puts it back, as with what
 * a browser takes out.
 */
function useDropped(put: (text: string) => void) {
  const dropped = useRef<string | null>(null)
  const forget = (): void => void (dropped.current = null)
  return {
    drop: (text: string): void => void (dropped.current = text),
    forget,
    takeBack: (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, shiftKey, altKey } = event
      const isUndo = key.toLowerCase() === 'z' && (ctrlKey || metaKey) && !shiftKey && !altKey
      if (!isUndo || dropped.current === null) return
      event.preventDefault()
      event.stopPropagation()
      put(dropped.current)
      forget()
    },
  }
}

type CommitFieldProps<T> = Pick<
  InputHTMLAttributes,
  'id' | 'aria-label' | 'inputMode' | 'maxLength' | 'placeholder'
> & {
  readonly class?: string
  readonly text: string
  readonly read: (text: string) => Reading<T>
  /** Others may change the text: what is half typed stays meanwhile. */
  readonly isShared?: boolean
  /** Called with what was typed on Enter, and when the field loses the focus. `seen`: the text when typing began. */
  readonly onCommit: (value: T, seen: string) => void
}

/**
 * A field whose text counts once it is finished. A text that means nothing stays to be corrected, with the reason beside it;
 * Escape gives back the one before, and Ctrl+Z then what was typed. In a column of the lanes (`data-column`), Enter goes to the field below.
 */
export function CommitField<T>(props: CommitFieldProps<T>) {
  const { text, read, onCommit, isShared = false, class: name = '', ...rest } = props
  /** null while the field shows what is set. */
  const typing = useSignal<string | null>(null)
  const seen = useRef(text)
  if (typing.value === null) seen.current = text
  const typed = typing.value
  const isSettled = typed === null || typed === text
  const reading = isSettled ? null : read(typed)
  const { field, reason, note } = useReason(typed === '' ? null : reading)

  const end = () => void (typing.value = null)
  const { drop, forget, takeBack } = useDropped((text) => void (typing.value = text))
  // The text changes by an undo, or because the slot is another.
  useLayoutEffect(() => (isShared ? undefined : end()), [text])

  const commit = (): boolean => {
    // Enter commits and moves the focus: the blur that follows has nothing left to commit.
    const last = typing.value === null ? null : reading
    if (reason !== null) return false
    end()
    if (last === null) return true
    if ('value' in last) onCommit(last.value, seen.current)
    return 'value' in last
  }

  return (
    <span class="commit-field">
      <input
        {...rest}
        {...field}
        class={`field ${name}`}
        value={typed ?? text}
        // Nothing is half typed: undo means the whole edit then.
        data-is-settled={isSettled ? '' : undefined}
        onInput={(event) => {
          forget()
          typedInto(typing)(event)
        }}
        onBlur={() => {
          forget()
          commit()
        }}
        onKeyDown={(event) => {
          takeBack(event)
          if (event.key === 'Escape' && typed !== null) {
            event.stopPropagation()
            drop(typed)
            end()
          } else if (event.key === 'Enter') {
            event.preventDefault()
            if (commit()) stepInColumn(event.currentTarget, 1)
          }
        }}
      />
      {note}
    </span>
  )
}

/** Why a field's text means nothing, with the attributes and the note that show it. */
function useReason(reading: Reading<unknown> | null) {
  const id = useId()
  const reason = reading !== null && 'reason' in reading ? reading.reason : null
  return {
    reason,
    field: {
      dir: 'auto',
      autocomplete: 'off',
      spellcheck: false,
      'aria-invalid': reason === null ? undefined : true,
      'aria-describedby': reason === null ? undefined : id,
    } as const,
    note: reason !== null && (
      <span id={id} class="commit-reason" role="status">
        {reason}
      </span>
    ),
  }
}

/**
 * A field for something new.
 *
 * @param onAdd calls `done` when it is added: what fails stays in the field.
 * @param kept where its text outlasts the field.
 */
export function useEntry<T>(
  read: (text: string) => Reading<T>,
  onAdd: (value: T, done: () => void) => void,
  kept?: Signal<string>,
) {
  const own = useSignal('')
  const typed = kept ?? own
  const value = typed.value
  const isBlank = value.trim() === ''
  const reading = isBlank ? null : read(value)
  const { field, note } = useReason(reading)
  const clear = () => (typed.value = '')
  const { drop, forget, takeBack } = useDropped((text) => void (typed.value = text))
  const submit = (event: Event): void => {
    event.preventDefault()
    if (reading === null || !('value' in reading)) return
    onAdd(reading.value, () => {
      // The next one may be half typed by then.
      if (typed.value === value) clear()
    })
  }
  const onInput: ReturnType<typeof typedInto> = (event) => {
    forget()
    typedInto(typed)(event)
  }
  /** For a field that Escape empties. */
  const onKeyDown = (event: KeyboardEvent): void => {
    takeBack(event)
    if (event.key !== 'Escape' || isBlank) return
    drop(value)
    clear()
  }
  const emptied = { onKeyDown, onBlur: forget }
  return {
    field: { ...field, value, onInput, 'data-is-kept': kept && '' },
    emptied,
    note,
    isBlank,
    submit,
  }
}

export function readIndex(text: string): Reading<number> {
  const plain = plainDigits(text)
  const value = /^\s*\d{1,4}\s*$/.test(plain) ? Number(plain) : 0
  return value >= 1 && value <= MAX_SLOT_INDEX
    ? { value }
    : { reason: texts.enterNumber({ most: String(MAX_SLOT_INDEX) }) }
}

/** A custom bucket's code; `own` is the one that it has now. */
export function readCode(
  text: string,
  buckets: readonly Bucket[],
  own: string | null,
): Reading<string> {
  const value = text.trim()
  if (!isCode(value)) return { reason: texts.enterCode }
  const holder = buckets.find(({ code }) => code !== own && foldCode(code) === foldCode(value))
  return holder === undefined ? { value } : { reason: texts.codeTaken({ bucket: holder.code }) }
}

const noCodes = new BucketCodes({ name: '', slots: [] })

/** A beatmap: an id or a link, in one line. */
export function readBeatmap(text: string): Reading<number> {
  const line = plainDigits(text.trim())
  const reading = /[\r\n]/.test(line) ? skipped : readPlainLine(line, noCodes)
  if (reading.kind === 'refused') {
    return { reason: reasons[reading.reason as string as CommonReason] ?? texts.enterBeatmap }
  }
  if (reading.kind !== 'slot') return { reason: texts.enterBeatmap }
  const { beatmapId: value } = reading
  return value >= 1 && value <= MAX_BEATMAP_ID
    ? { value }
    : { reason: texts.enterBeatmapId({ most: String(MAX_BEATMAP_ID) }) }
}

/** Why a line alone is no beatmap; the other reasons are of tables and files. */
const reasons: Readonly<Record<CommonReason, string>> = {
  noBeatmap: wording.noBeatmap,
  otherLink: wording.otherLink,
  wholeSet: wording.wholeSet,
  setId: wording.setId,
  severalBeatmaps: wording.severalBeatmaps,
  severalNumbers: wording.severalNumbers,
  unnamedColumns: wording.unnamedColumns,
  tooLarge: wording.tooLarge,
  conflict: wording.conflict,
  unclearSlot: wording.unclearSlot,
}
