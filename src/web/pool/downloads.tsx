import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { announce } from '../announce.ts'
import { count } from '../format.ts'
import { Button } from '../parts/button.tsx'
import { useAction } from '../use-action.ts'
import { fileStem } from './file-name.ts'
import { saveFile } from './save-file.ts'
import { type Source, type Writer, writers } from './writers.ts'
import '../style/side-card.css'

type Props = {
  readonly source: Source
  /** Beatmaps are still being looked up. */
  readonly isBusy: boolean
}

/** The pool in the formats that hosts and referees keep pools in. */
export const Downloads = (props: Props): JSX.Element => (
  <section class="side-card" aria-labelledby="downloads-title">
    <h2 id="downloads-title">Downloads</h2>
    <ul class="side-list" role="list">
      {writers.map((writer) => (
        <li key={writer.name}>
          <Download writer={writer} {...props} />
        </li>
      ))}
    </ul>
  </section>
)

const missing = (leftOut: number, isBusy: boolean): string =>
  `${count(leftOut, 'slot')} left out: ${
    isBusy ? 'still loading. Try again in a moment.' : 'beatmap details are not available.'
  }`

const Download = ({ writer, source, isBusy }: Props & { readonly writer: Writer }) => {
  const { name, about, ending, mediaType, canCopy } = writer
  const action = useAction()
  const [note, setNote] = useState('')

  const take = async (use: (content: string | Uint8Array<ArrayBuffer>) => Promise<void>) => {
    setNote('')
    const isDone = await action.run(async () => {
      const { content, leftOut } = await writer.write(source)
      await use(content)
      if (leftOut > 0) setNote(missing(leftOut, isBusy))
    })
    if (!isDone) setNote(`Could not create ${name}. Reload the page and try again.`)
  }
  const copy = (): Promise<void> =>
    take(async (content) => {
      try {
        await navigator.clipboard.writeText(String(content))
        announce(`${name} copied`)
      } catch {
        announce('Your browser blocked copying. Download the file instead.', 'danger')
      }
    })
  const download = (): Promise<void> =>
    take(async (content) => saveFile(fileStem(source.pool.name) + ending, content, mediaType))

  return (
    <>
      <span class="side-words">
        {name}
        <span class="side-note">{about}</span>
      </span>
      {canCopy && (
        <Button tone="quiet" icon="copy" aria-label={`Copy ${name}`} onClick={() => void copy()} />
      )}
      <Button
        tone="quiet"
        icon="download"
        aria-label={`Download ${name}`}
        busy={action.isBusy}
        onClick={() => void download()}
      />
      <p class="failure-line" role="status">
        {note}
      </p>
    </>
  )
}
