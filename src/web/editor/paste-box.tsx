import * as words from '#texts/common'
import * as texts from '#texts/import'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { bucketTable } from '../../pool/slots.ts'
import { type ImportState, openQuestions } from '../editing/paste/import-state.ts'
import { ImportLines, leftOutText } from '../editing/paste/import-lines.tsx'
import {
  FileButton,
  ImportNotes,
  ImportObstacle,
  ImportSource,
  ImportSummary,
  NewBuckets,
  PasteHint,
  TAKE_ID,
} from '../editing/paste/import-view.tsx'
import { Button } from '../parts/buttons.tsx'
import { shownText } from '../parts/labels.tsx'
import type { Paste } from './paste.ts'

type PasteProps = { readonly paste: Paste }

/** Takes anything that hosts keep their pools in, and shows what it understood before it counts. */
export function PasteBox({ paste }: PasteProps) {
  const { store, import: state } = paste
  const isReplacing = paste.mode.value === 'replace'
  const hintId = useId()
  const obstacleId = useId()
  const read = state.read.value
  const pool = paste.pool.value
  const open = read === null || pool === null ? 0 : openQuestions(read, [pool])
  const added = pool?.slots ?? 0
  const lines = paste.lines.value
  const isReady = open === 0 && state.looking.value === 0 && state.isPartTaken(lines)
  return (
    <section
      class="paste-box"
      aria-label={texts.paste}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault()
          void paste.take()
        } else if (event.key === 'Escape') paste.close()
      }}
    >
      <label class="paste-label" for="edit-paste">
        {texts.pasteHere}
      </label>
      <p id={hintId} class="paste-hint">
        <PasteHint />
      </p>
      <ImportSource
        state={state}
        id="edit-paste"
        aria-describedby={hintId}
        rows={state.text.value.trim() === '' ? 4 : 8}
      />
      <ImportSummary state={state} lines={lines}>
        <PoolSummary paste={paste} open={open} />
      </ImportSummary>
      <ImportPanel state={state}>
        {read !== null && (
          <>
            {read.pools.length > 1 && <PoolChoice paste={paste} />}
            <ImportNotes state={state} read={read} />
            {pool !== null && <NewBuckets state={state} buckets={pool.newBuckets} />}
            {[...(pool === null ? [] : [pool.lines]), read.others].map((lines, at) => (
              <ImportLines
                key={at}
                id={lines === read.others ? 'import-other-lines' : 'import-pool-lines'}
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
          id={TAKE_ID}
          tone="primary"
          // It keeps the focus while beatmaps are looked up; a press leads to what is in the way, or is remembered.
          aria-disabled={added === 0 || !isReady}
          aria-describedby={obstacleId}
          onClick={() => void paste.take()}
          aria-keyshortcuts="Control+Enter"
        >
          {isReplacing ? texts.replaceWith({ n: added }) : texts.add({ n: added })}
        </Button>
        <FileButton onOpen={(chosen) => void paste.openFile(chosen)} />
        <Button tone="quiet" label={words.close} onClick={() => paste.close()} />
        {store.slots.length > 0 && (
          <label class="paste-mode">
            <input
              type="checkbox"
              checked={isReplacing}
              onChange={() => (paste.mode.value = isReplacing ? 'add' : 'replace')}
            />
            {texts.replaceSlots({ n: store.slots.length })}
          </label>
        )}
        {/* Last, so that nothing moves when it comes. */}
        <ImportObstacle state={state} open={open} lines={lines} id={obstacleId} />
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
      aria-label={texts.result}
      aria-busy={state.isPending.value}
      style={{ '--rows': String(rows) }}
    >
      {children}
    </div>
  )
}

function PoolSummary({ paste, open }: PasteProps & { readonly open: number }) {
  const { import: state, pool: chosen } = paste
  const pools = state.read.value?.pools ?? []
  const pool = chosen.value
  if (pool === null && pools.length > 1) return <b>{texts.roundsFound({ n: pools.length })}</b>
  const { slots: n = 0, planned = [] } = pool ?? {}
  const parts = { b: (children: ComponentChildren) => <b>{children}</b>, n, open }
  return planned.length > 0
    ? texts.foundWithout({ ...parts, leftOut: leftOutText(planned) })
    : texts.found(parts)
}

function PoolChoice({ paste }: PasteProps) {
  const pools = paste.import.read.value?.pools ?? []
  return (
    <label class="paste-pool">
      {texts.chooseOneOf({ n: pools.length })}
      <select
        id="edit-import-pool"
        class="field"
        value={paste.pool.value?.key ?? ''}
        onChange={({ currentTarget: { value } }) => (paste.chosen.value = value)}
      >
        <option value="" disabled>
          {texts.chooseOne}
        </option>
        {pools.map(({ key, name, slots, open }) => (
          <option key={key} value={key}>
            {texts.poolOption({
              name: name === null ? texts.beforeFirstRound : shownText(name),
              n: slots,
              open: open.length,
            })}
          </option>
        ))}
      </select>
    </label>
  )
}
