import { useRef, useState } from 'preact/hooks'
import { FormatError } from '../../formats/format-error.ts'
import { useAction } from '../action.ts'
import { Button } from '../parts/buttons.tsx'
import { CopyButton } from '../parts/copying.tsx'
import { Dialog } from '../parts/dialogs.tsx'
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
    merging.run(async () => setSaved(await onMerge(file)))
  }
  return (
    <Dialog
      title="Add to your collections"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button label="Download a new file" onClick={onNew} />
          <Button
            tone={saved === null ? 'primary' : 'plain'}
            icon="plus"
            label={`Choose your ${label}`}
            busy={merging.isBusy}
            onClick={() => field.current?.click()}
          />
        </>
      }
    >
      <p>
        The game keeps all your collections in one file. A new one would replace them, so choose
        yours: you get it back with this pool added. It does not leave your browser.
      </p>
      <ol class="merge-steps">
        <li>Close the game.</li>
        <li>
          Choose your {label}.
          <span class="merge-place">
            <code>{PLACE}</code>
            <CopyButton tone="quiet" text={PLACE} what="path" />
          </span>
        </li>
        <li>Put the new file in the place of the old one, and keep a copy of that.</li>
      </ol>
      <p class="side-note">
        <a href="/docs/into-the-game#a-collection" target="_blank">
          The guide has pictures, and the steps for lazer
        </a>
      </p>
      <input
        ref={field}
        type="file"
        hidden
        accept=".db"
        aria-label={`Your ${label}`}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file) merge(file)
          currentTarget.value = ''
        }}
      />
      <p role="status">{saved !== null && `Saved with the pool in it. ${saved}`}</p>
      {merging.error !== null && (
        <p class="failure-line" role="alert">
          {merging.error instanceof FormatError
            ? `Your file was not changed: ${merging.error.message}`
            : 'Your file could not be read. Choose it again.'}
        </p>
      )}
    </Dialog>
  )
}
