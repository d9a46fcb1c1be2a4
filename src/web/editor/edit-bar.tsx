import type { JSX } from 'preact'
import { pageData } from '../page-data.ts'
import { Button, LinkButton } from '../parts/button.tsx'
import { signInHref } from '../parts/sign-in-button.tsx'
import type { EditorStore } from './editor-store.ts'

/** Why it cannot be saved now; a press leads to what to do about it. */
export type Obstacle = { readonly text: string; readonly onPress: (() => void) | null }

type Props = {
  readonly store: EditorStore
  readonly isSaving: boolean
  /** null when it can be saved. */
  readonly obstacle: Obstacle | null
  /** How the draft fares. */
  readonly words: string
  readonly onUndo: () => void
  readonly onRedo: () => void
  readonly onSave: () => void
  readonly onPaste: () => void
}

/** Always in sight: undo, redo, paste, save, and what stands in the way of saving. */
export const EditBar = ({
  store,
  isSaving,
  obstacle,
  words,
  onUndo,
  onRedo,
  onSave,
  onPaste,
}: Props): JSX.Element => {
  const { undoes, redoes } = store
  return (
    <div class="edit-bar" role="group" aria-label="Edit">
      <Button
        tone="quiet"
        icon="undo"
        aria-label={undoes === null ? 'Undo' : `Undo: ${undoes}`}
        title={undoes === null ? 'Nothing to undo' : `Undo: ${undoes} (Ctrl+Z)`}
        aria-disabled={undoes === null}
        onClick={onUndo}
      />
      <Button
        tone="quiet"
        icon="redo"
        aria-label={redoes === null ? 'Redo' : `Redo: ${redoes}`}
        title={redoes === null ? 'Nothing to redo' : `Redo: ${redoes} (Ctrl+Shift+Z)`}
        aria-disabled={redoes === null}
        onClick={onRedo}
      />
      <Button id="edit-open-paste" tone="quiet" icon="plus" onClick={onPaste}>
        Paste
      </Button>
      <p
        id="save-words"
        class={`edit-bar-words${obstacle === null ? '' : ' pressing'}`}
        role="status"
      >
        {obstacle?.onPress ? (
          <button type="button" class="edit-link" onClick={obstacle.onPress}>
            {obstacle.text}
          </button>
        ) : (
          (obstacle?.text ?? words)
        )}
      </p>
      {pageData().viewer === null ? (
        <LinkButton tone="primary" icon="user" href={signInHref()}>
          Sign in to save
        </LinkButton>
      ) : (
        <Button
          tone="primary"
          busy={isSaving}
          aria-disabled={obstacle !== null}
          aria-describedby="save-words"
          title="Save (Ctrl+S)"
          onClick={onSave}
        >
          {isSaving ? 'Saving …' : 'Save'}
        </Button>
      )}
    </div>
  )
}
