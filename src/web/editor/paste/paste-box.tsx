import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { bucketTable } from '../../../pool/slots.ts'
import { count } from '../../format.ts'
import { Button } from '../../parts/buttons.tsx'
import { shownText } from '../../parts/labels.tsx'
import { typedInto } from '../fields.tsx'
import type { ModelProps } from '../model.ts'
import { type ImportState, openQuestions } from './import-state.ts'
import {
  FileButton,
  ImportLines,
  ImportNotes,
  ImportSource,
  ImportSummary,
  NewBuckets,
  OpenQuestions,
} from './import-view.tsx'

/** Takes anything that hosts keep their pools in, and shows what it understood before it counts. */
export function PasteBox({ model }: ModelProps) {
  const { store, paste } = model
  const state = paste.import
  const { text, file } = state
  const isReplacing = paste.mode.value === 'replace'
  const hintId = useId()
  const obstacleId = useId()
  const isEmpty = text.value.trim() === ''
  const read = state.read.value
  const pool = paste.pool.value
  const open = read === null || pool === null ? 0 : openQuestions(read, [pool])
  const added = pool?.slots ?? 0
  return (
    <section
      class="paste-box"
      aria-label="Paste"
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault()
          void paste.take()
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
      <ImportSource state={state} />
      {file.value === null && (
        <textarea
          id="edit-paste"
          class="field paste-field"
          aria-describedby={hintId}
          rows={isEmpty ? 4 : 8}
          spellcheck={false}
          autocomplete="off"
          value={text.value}
          onInput={typedInto(text)}
        />
      )}
      <ImportSummary state={state}>
        <PoolSummary model={model} open={open} />
      </ImportSummary>
      <ImportPanel state={state}>
        {read !== null && (
          <>
            {read.pools.length > 1 && <PoolChoice model={model} />}
            <ImportNotes state={state} read={read} />
            {pool !== null && <NewBuckets state={state} buckets={pool.newBuckets} />}
            {[...(pool === null ? [] : [pool.lines]), read.others].map((lines, at) => (
              <ImportLines
                key={at}
                state={state}
                lines={lines}
                questions={read.questions}
                buckets={bucketTable(pool?.draft.buckets)}
              />
            ))}
          </>
        )}
      </ImportPanel>
      <div class="actions paste-actions">
        <Button
          tone="primary"
          disabled={added === 0 || open > 0}
          aria-describedby={obstacleId}
          onClick={() => void paste.take()}
          aria-keyshortcuts="Control+Enter"
        >
          {isReplacing ? 'Replace with ' : 'Add '}
          {added === 0 ? 'beatmaps' : count(added, 'beatmap')}
        </Button>
        <OpenQuestions open={open} id={obstacleId} />
        <FileButton onOpen={(chosen) => void paste.openFile(chosen)} />
        <Button tone="quiet" label="Close" onClick={() => paste.close()} />
        {store.slots.length > 0 && (
          <label class="paste-mode">
            <input
              type="checkbox"
              checked={isReplacing}
              onChange={() => (paste.mode.value = isReplacing ? 'add' : 'replace')}
            />
            Replace the {count(store.slots.length, 'existing slot')}
          </label>
        )}
      </div>
    </section>
  )
}

type PanelProps = { readonly state: ImportState; readonly children: ComponentChildren }

/** Scrolls by itself. It has the height of the text's lines before they are read, so that nothing moves then. */
function ImportPanel({ state, children }: PanelProps) {
  const source = state.source.value
  if (source === null || state.problem.value !== null) return null
  const rows = source.kind === 'text' ? source.text.slice(0, 1000).split('\n', 12).length : 12
  return (
    <div
      class="paste-lines"
      tabIndex={0}
      role="region"
      aria-label="Result"
      aria-busy={state.isSlow.value}
      style={{ '--rows': String(rows) }}
    >
      {children}
    </div>
  )
}

function PoolSummary({ model, open }: ModelProps & { readonly open: number }) {
  const { import: state, pool: chosen } = model.paste
  const pools = state.read.value?.pools ?? []
  const pool = chosen.value
  if (pool === null && pools.length > 1) return <b>{count(pools.length, 'round')} found.</b>
  const { slots = 0, lines } = pool ?? {}
  const refused = (lines?.refused ?? 0) + (state.read.value?.others.refused ?? 0)
  return (
    <>
      <b>{slots === 0 ? 'No beatmaps' : count(slots, 'beatmap')}</b> found
      {open > 0 && `, ${count(open, 'open question')}`}
      {refused > 0 && <span class="edit-danger">, {count(refused, 'line')} with problems</span>}.
    </>
  )
}

function PoolChoice({ model: { paste } }: ModelProps) {
  const pools = paste.import.read.value?.pools ?? []
  return (
    <label class="paste-pool">
      Choose one of {pools.length} rounds or collections
      <select
        id="edit-import-pool"
        class="field"
        value={paste.pool.value?.key ?? ''}
        onChange={({ currentTarget: { value } }) => (paste.chosen.value = value)}
      >
        <option value="" disabled>
          Choose one
        </option>
        {pools.map(({ key, name, slots, open }) => (
          <option key={key} value={key}>
            {name === null ? 'Before the first round' : shownText(name)} ({count(slots, 'beatmap')}
            {open.length > 0 && `, ${count(open.length, 'open question')}`})
          </option>
        ))}
      </select>
    </label>
  )
}
