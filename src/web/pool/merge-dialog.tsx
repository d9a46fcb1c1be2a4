import * as texts from '#texts/collections'
import { useRef, useState } from 'preact/hooks'
import { useAction } from '../action.ts'
import { formatSentences } from '../format.ts'
import { Button } from '../parts/buttons.tsx'
import { CopyButton } from '../parts/copying.tsx'
import { Dialog } from '../parts/dialogs.tsx'
import { FileProblem, withFile } from './file-problem.ts'
import '../style/side-card.css'

/** Where the game's client keeps it, as a file dialog of Windows takes it. */
const PLACE = String.raw`%localappdata%\osu!\collection.db`

type MergeDialogProps = {
  /** `collection.db` */
  readonly label: string
  /** Saves the reader's file with the pool in it; returns what is not in it, in words, or nothing. */
  readonly onMerge: (file: File) => Promise<string>
  readonly onNew: () => void
  readonly onClose: () => void
}

/** Adds a pool to the collections of the reader. A file of its own would replace them, and comes second. */
export function MergeDialog({ label, onMerge, onNew, onClose }: MergeDialogProps) {
  const field = useRef<HTMLInputElement>(null)
  const merging = useAction()
  const [saved, setSaved] = useState<string | null>(null)
  const merge = (file: File): void => {
    setSaved(null)
    merging.run(async () => setSaved(await withFile(() => onMerge(file))))
  }
  return (
    <Dialog
      title={texts.addToCollections}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button label={texts.newFile} onClick={onNew} />
          <Button
            tone={saved === null ? 'primary' : 'plain'}
            icon="plus"
            label={texts.chooseFile({ file: label })}
            busy={merging.isBusy}
            onClick={() => field.current?.click()}
          />
        </>
      }
    >
      <p>{texts.whyChoose}</p>
      <ol class="merge-steps">
        <li>{texts.closeGame}</li>
        <li>
          {texts.chooseFileStep({ file: label })}
          <span class="merge-place">
            <code>{PLACE}</code>
            <CopyButton tone="quiet" text={PLACE} name={texts.copyPath} copied={texts.pathCopied} />
          </span>
        </li>
        <li>{texts.replaceFile}</li>
      </ol>
      <p class="side-note">
        <a href="/docs/into-the-game#a-collection" target="_blank">
          {texts.stepsInGuide}
        </a>
      </p>
      <input
        ref={field}
        type="file"
        hidden
        accept=".db"
        aria-label={texts.yourFile({ file: label })}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file) merge(file)
          currentTarget.value = ''
        }}
      />
      <p role="status">{saved !== null && formatSentences([texts.savedWithPool, saved])}</p>
      {merging.error !== null && (
        <p class="failure-line" role="alert">
          {merging.error instanceof FileProblem
            ? texts.fileNotChanged({ reason: merging.error.message })
            : texts.fileUnreadable}
        </p>
      )}
    </Dialog>
  )
}
