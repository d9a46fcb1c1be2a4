import type { JSX } from 'preact'
import type { Bucket } from '../../../contract/bucket.ts'
import type { PastedLine } from '../../../formats/pasted.ts'
import { slotLabel } from '../../../pool/slots.ts'
import { count } from '../../format.ts'
import { bucketColor } from '../../pool/bucket-color.ts'

/** More lines than this are counted, not shown; refused ones are always shown. */
const MOST_SHOWN = 150

type Props = {
  readonly lines: readonly PastedLine[]
  /** Of the edit with the lines in it. */
  readonly buckets: readonly Bucket[]
}

/** What became of each line. */
export const PasteLines = ({ lines, buckets }: Props): JSX.Element => {
  const shown = lines.filter(({ outcome }, at) => outcome === 'refused' || at < MOST_SHOWN)
  const left = lines.length - shown.length
  return (
    <div class="paste-lines" tabIndex={0} role="region" aria-label="Result">
      <table aria-label="Line, text and result">
        <colgroup>
          <col />
          <col />
          <col />
        </colgroup>
        <tbody>
          {shown.map((line, at) => (
            <tr key={at} class={line.outcome}>
              {/* A pack key is one line with many slots. */}
              <td class="paste-number">{shown[at - 1]?.line !== line.line && line.line}</td>
              <td class="paste-text">{shown[at - 1]?.line !== line.line && line.text}</td>
              <td class="paste-outcome">
                <Outcome line={line} bucket={buckets.find(({ code }) => code === modOf(line))} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {left > 0 && <p class="paste-hint">and {count(left, 'line')} more without problems</p>}
    </div>
  )
}

const modOf = (line: PastedLine): string | null => (line.outcome === 'slot' ? line.mod : null)

type OutcomeProps = { readonly line: PastedLine; readonly bucket: Bucket | undefined }

const Outcome = ({ line, bucket }: OutcomeProps): JSX.Element => {
  if (line.outcome === 'refused') return <>{line.reason}</>
  if (line.outcome === 'skipped') return <span class="quiet-text">skipped</span>
  return (
    <>
      <span class="chip" {...bucketColor(bucket ?? null)}>
        {line.mod === null ? 'no bucket' : slotLabel(line)}
      </span>{' '}
      {line.beatmapId}
    </>
  )
}
