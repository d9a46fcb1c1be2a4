import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import type { Bucket } from '../../../contract/pools.ts'
import type { ImportedLine } from '../../../formats/import/read-import.ts'
import { slotLabel } from '../../../pool/slots.ts'
import { count } from '../../format.ts'
import { Button } from '../../parts/buttons.tsx'
import { PersonText } from '../../parts/labels.tsx'
import { bucketColor } from '../../pool/slot-parts.tsx'
import { typedInto } from '../fields.tsx'
import type { ModelProps } from '../model.ts'
import '../../style/editor-paste.css'

/** Takes anything that hosts keep their pools in, and shows what it understood before it counts. */
export function PasteBox({ model }: ModelProps) {
  const { store, paste } = model
  const text = paste.text.value
  const isReplacing = paste.mode.value === 'replace'
  const { added, refused } = paste.reading.value
  const hintId = useId()
  const isEmpty = text.trim() === ''
  return (
    <section
      class="paste-box"
      aria-label="Paste"
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault()
          paste.take()
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
      <FileChoice model={model} />
      <textarea
        id="edit-paste"
        class="field paste-field"
        aria-describedby={hintId}
        rows={isEmpty ? 4 : 8}
        spellcheck={false}
        autocomplete="off"
        value={text}
        onInput={typedInto(paste.text)}
      />
      {!isEmpty && (
        <>
          <p class="paste-summary" role="status">
            <b>{added === 0 ? 'No beatmaps' : count(added, 'beatmap')}</b> found
            {refused > 0 && (
              <span class="edit-danger">, {count(refused, 'line')} with problems</span>
            )}
          </p>
          <PastedLines
            lines={paste.reading.value.lines}
            buckets={paste.reading.value.edit.buckets}
          />
        </>
      )}
      <div class="actions paste-actions">
        <Button
          tone="primary"
          disabled={added === 0}
          onClick={() => paste.take()}
          aria-keyshortcuts="Control+Enter"
        >
          {isReplacing ? 'Replace with ' : 'Add '}
          {added === 0 ? 'beatmaps' : count(added, 'beatmap')}
        </Button>
        <label class="button quiet file-button">
          Open a file
          <input
            type="file"
            class="sr-only"
            onChange={({ currentTarget }) => {
              const [chosen] = currentTarget.files ?? []
              if (chosen !== undefined) void paste.openFile(chosen)
              currentTarget.value = ''
            }}
          />
        </label>
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

/** The file whose text is in the box, and which pool of it. */
function FileChoice({ model: { paste } }: ModelProps) {
  if (paste.file.value === null) return null
  const { name, pools, chosen, problem } = paste.file.value
  const file = (
    <b>
      <PersonText text={name} />
    </b>
  )
  if (problem !== null) {
    return (
      <p class="paste-file edit-danger" role="alert">
        {file} could not be read: {problem}
      </p>
    )
  }
  const { leftOut = [] } = pools[chosen ?? -1] ?? {}
  return (
    <div class="paste-file">
      <p>
        From {file}
        {pools.length === 1 && [', ', <PersonText text={pools[0]?.name} />]}
      </p>
      {pools.length > 1 && (
        <label>
          Choose one of {pools.length} rounds or collections
          <select
            id="edit-file-pool"
            class="field"
            value={chosen ?? ''}
            onChange={({ currentTarget: { value } }) => value !== '' && paste.choose(Number(value))}
          >
            <option value="" disabled>
              Choose one
            </option>
            {pools.map((pool, at) => (
              <option key={at} value={at}>
                <PersonText text={pool.name} /> ({count(pool.beatmaps, 'beatmap')})
              </option>
            ))}
          </select>
        </label>
      )}
      {leftOut.length > 0 && (
        <ul class="edit-danger" role="list" aria-label="Not imported from the file">
          {leftOut.map((text, at) => (
            <li key={at}>Left out: {text}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** More lines than this are counted, not shown; refused ones are always shown. */
const MOST_SHOWN = 150

type PastedLinesProps = {
  readonly lines: readonly ImportedLine[]
  readonly buckets: readonly Bucket[]
}

/** Line by line, what was understood of a text, and what was not. */
export function PastedLines({ lines, buckets }: PastedLinesProps) {
  const shown = lines.filter(({ outcome }, at) => outcome === 'refused' || at < MOST_SHOWN)
  const left = lines.length - shown.length
  return (
    <div class="paste-lines" tabIndex={0} role="region" aria-label="Result">
      <table aria-label="Line, text and result">
        <tbody>
          {shown.map((line, at) => {
            // A pack key is one line with many slots.
            const isRepeated = shown[at - 1]?.line === line.line
            return (
              <tr key={at} class={line.outcome}>
                <td class="paste-number">{!isRepeated && line.line}</td>
                <td class="paste-text">{!isRepeated && line.text}</td>
                <td class="paste-outcome">{outcomeOf(line, buckets)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {left > 0 && <p class="paste-hint">and {count(left, 'line')} more without problems</p>}
    </div>
  )
}

function outcomeOf(line: ImportedLine, buckets: readonly Bucket[]): ComponentChildren {
  if (line.outcome === 'refused') return line.reason
  if (line.outcome === 'asked') return 'not clear'
  if (line.outcome === 'skipped') return <span class="quiet-text">skipped</span>
  const bucket = buckets.find(({ code }) => code === line.mod) ?? null
  return (
    <>
      <span class="chip" {...bucketColor(bucket)}>
        {line.mod === null ? 'no bucket' : slotLabel(line)}
      </span>{' '}
      {line.beatmapId}
    </>
  )
}
