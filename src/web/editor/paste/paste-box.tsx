import type { JSX } from 'preact'
import { useId, useMemo } from 'preact/hooks'
import { count } from '../../format.ts'
import { Button } from '../../parts/button.tsx'
import type { Edit } from '../edit.ts'
import { FileChoice } from './file-choice.tsx'
import { PasteLines } from './paste-lines.tsx'
import { readInto } from './paste-reading.ts'
import type { Paste } from './use-paste.ts'
import '../../style/editor-paste.css'

type Props = { readonly edit: Edit; readonly paste: Paste }

/** Takes anything that hosts keep their pools in, and shows what it understood before it counts. */
export const PasteBox = ({ edit, paste }: Props): JSX.Element => {
  const { text, mode, file } = paste
  const hintId = useId()
  const read = useMemo(() => readInto(edit, text, mode), [edit, text, mode])
  const isEmpty = text.trim() === ''
  const take = (): void => {
    if (read.added > 0) paste.take(read)
  }
  return (
    <section
      class="paste-box"
      aria-label="Paste"
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault()
          take()
        } else if (event.key === 'Escape') paste.close()
      }}
    >
      <label class="paste-label" for="edit-paste">
        Paste a sheet, a list, links or a pack key
      </label>
      <p id={hintId} class="paste-hint">
        One beatmap per line: <code>NM1 129891</code>, <code>HD2 https://osu.ppy.sh/b/75</code>,
        spreadsheet rows, or plain ids. You can also drop a file anywhere on this page.{' '}
        <a href="/docs/formats" target="_blank" rel="noopener">
          What can be pasted
        </a>
      </p>
      {file !== null && <FileChoice file={file} onChoose={paste.choose} />}
      <textarea
        ref={paste.field}
        id="edit-paste"
        class="field paste-field"
        aria-describedby={hintId}
        rows={isEmpty ? 4 : 8}
        spellcheck={false}
        autocomplete="off"
        value={text}
        onInput={({ currentTarget }) => paste.setText(currentTarget.value)}
      />
      {!isEmpty && (
        <>
          <p class="paste-summary" role="status">
            <b>{read.added === 0 ? 'No beatmaps' : count(read.added, 'beatmap')}</b> found
            {read.refused > 0 && (
              <span class="edit-danger">, {count(read.refused, 'line')} with problems</span>
            )}
          </p>
          <PasteLines lines={read.lines} buckets={read.edit.buckets} />
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
              const [chosen] = currentTarget.files ?? []
              if (chosen !== undefined) paste.openFile(chosen)
              currentTarget.value = ''
            }}
          />
        </label>
        <Button tone="quiet" onClick={paste.close}>
          Close
        </Button>
        {edit.slots.length > 0 && (
          <label class="paste-mode">
            <input
              type="checkbox"
              checked={mode === 'replace'}
              onChange={() => paste.setMode(mode === 'replace' ? 'add' : 'replace')}
            />
            Replace the {count(edit.slots.length, 'existing slot')}
          </label>
        )}
      </div>
    </section>
  )
}
