import type { JSX } from 'preact'
import type { PastedLine } from '../../formats/pasted.ts'
import { slotLabel } from '../../pool/slot-label.ts'
import { count } from '../format.ts'

/** More lines than this are counted, not shown; refused ones are always shown. */
const MOST_SHOWN = 150

/** What became of each line. */
export const PasteLines = ({ lines }: { readonly lines: readonly PastedLine[] }): JSX.Element => {
  const shown = lines.filter(({ outcome }, at) => outcome === 'refused' || at < MOST_SHOWN)
  const left = lines.length - shown.length
  return (
    <div class="paste-lines" tabIndex={0} role="region" aria-label="What was understood">
      <table>
        <thead class="sr-only">
          <tr>
            <th scope="col">Line</th>
            <th scope="col">Text</th>
            <th scope="col">Understood as</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((line) => (
            <tr key={line.line} class={line.outcome}>
              <td class="paste-number">{line.line}</td>
              <td class="paste-text">{line.text}</td>
              <td class="paste-outcome">
                <Outcome line={line} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {left > 0 && <p class="paste-hint">and {count(left, 'line')} more, all understood</p>}
    </div>
  )
}

const Outcome = ({ line }: { readonly line: PastedLine }): JSX.Element => {
  if (line.outcome === 'refused') return <>{line.reason}</>
  if (line.outcome === 'skipped') return <span class="quiet-text">skipped</span>
  const { mod, beatmapId } = line
  return (
    <>
      <span class="chip" data-mod={mod ?? ''}>
        {mod === null ? 'no bucket' : slotLabel(line)}
      </span>{' '}
      {beatmapId}
    </>
  )
}
