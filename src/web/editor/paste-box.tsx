import type { JSX, RefObject } from 'preact'
import { useId, useMemo } from 'preact/hooks'
import { count } from '../format.ts'
import { Button } from '../parts/button.tsx'
import type { Edit } from './edit.ts'
import { PasteLines } from './paste-lines.tsx'
import { LONGEST_PASTE, type PasteMode, readInto } from './paste-reading.ts'
import '../style/editor-paste.css'

type Props = {
  readonly edit: Edit
  readonly text: string
  readonly mode: PasteMode
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly onText: (text: string) => void
  readonly onMode: (mode: PasteMode) => void
  /** Takes what was understood; `rest` stays in the box. */
  readonly onTake: (edit: Edit, added: number, rest: string) => void
  readonly onFile: (file: File) => void
  /** null: it cannot be closed, there is nothing else to begin with. */
  readonly onClose: (() => void) | null
}

/** Takes anything that hosts keep their pools in, and shows what it understood before it counts. */
export const PasteBox = ({
  edit,
  text,
  mode,
  field,
  onText,
  onMode,
  onTake,
  onFile,
  onClose,
}: Props): JSX.Element => {
  const hintId = useId()
  const read = useMemo(() => readInto(edit, text, mode), [edit, text, mode])
  const refused = read.lines.filter(({ outcome }) => outcome === 'refused').length
  const isEmpty = text.trim() === ''
  const take = (): void => {
    if (read.added > 0) onTake(read.edit, read.added, read.rest)
  }
  return (
    <section
      class="paste-box"
      aria-label="Paste"
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault()
          take()
        } else if (event.key === 'Escape') onClose?.()
      }}
    >
      <label class="paste-label" for="edit-paste">
        Paste a sheet, a list, links or a pack key
      </label>
      <p id={hintId} class="paste-hint">
        One beatmap a line: <code>NM1 129891</code>, <code>HD2 https://osu.ppy.sh/b/75</code>, rows
        of a spreadsheet, bare ids. You can also drop a file anywhere on this page.
      </p>
      <textarea
        ref={field}
        id="edit-paste"
        class="field paste-field"
        aria-describedby={hintId}
        rows={isEmpty ? 4 : 8}
        spellcheck={false}
        autocomplete="off"
        value={text}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
      {!isEmpty && (
        <>
          {text.length > LONGEST_PASTE && (
            <p class="paste-hint danger-text">
              This is far more than a pool: only its beginning is read.
            </p>
          )}
          <p class="paste-summary" role="status">
            <b>{count(read.added, 'beatmap')}</b> understood
            {refused > 0 && (
              <span class="danger-text">, {count(refused, 'line')} not: see why below</span>
            )}
          </p>
          <PasteLines lines={read.lines} />
        </>
      )}
      <div class="actions paste-actions">
        <Button
          tone="primary"
          disabled={read.added === 0}
          onClick={take}
          aria-keyshortcuts="Control+Enter"
        >
          {mode === 'replace' ? 'Replace with ' : 'Add '}
          {read.added === 0 ? 'beatmaps' : count(read.added, 'beatmap')}
        </Button>
        <label class="button quiet file-button">
          Open a file
          <input
            type="file"
            class="sr-only"
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? []
              if (file !== undefined) onFile(file)
              currentTarget.value = ''
            }}
          />
        </label>
        {onClose !== null && (
          <Button tone="quiet" onClick={onClose}>
            Close
          </Button>
        )}
        {edit.slots.length > 0 && (
          <label class="paste-mode">
            <input
              type="checkbox"
              checked={mode === 'replace'}
              onChange={() => onMode(mode === 'replace' ? 'add' : 'replace')}
            />
            In place of the {count(edit.slots.length, 'slot')} there{' '}
            {edit.slots.length === 1 ? 'is' : 'are'}
          </label>
        )}
      </div>
    </section>
  )
}
