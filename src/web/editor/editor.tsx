import { signal } from '@preact/signals'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { MAX_SLOTS } from '../../contract/bounds.ts'
import { listen, NARROW, useMedia } from '../browser.ts'
import { pageData } from '../page-data.ts'
import { Button, LinkButton, signInHref } from '../parts/buttons.tsx'
import { ConfirmDialog } from '../parts/dialogs.tsx'
import { PersonText } from '../parts/labels.tsx'
import { useBeatmaps } from '../pool/beatmaps.ts'
import type { DraftClaim } from './draft/drafts.tsx'
import { LanesView } from './lanes/lanes-view.tsx'
import { EditorModel, type ModelProps } from './model.ts'
import { PackFields } from './pack-fields.tsx'
import { PasteBox } from './paste/paste-box.tsx'
import { EditNotices } from './save/notices.tsx'
import { EditSide } from './side.tsx'
import '../style/editor.css'

const isFileOver = signal(false)

/** Builds a pack, or changes one. @param claim the draft of a new pack, see `EditorModel`. */
export function Editor({ claim }: { readonly claim: DraftClaim | null }) {
  const [model] = useState(() => new EditorModel(claim))
  const { store, saver, paste } = model
  const { saved } = saver
  const beatmaps = useBeatmaps(model.uses.value, saver.base?.slug)
  const isNarrow = useMedia(NARROW)
  useLayoutEffect(() => {
    model.beatmaps.value = beatmaps
  }, [beatmaps])
  useEffect(() => listenToPage(model), [model])

  const number = store.slots.length
  const side = <EditSide model={model} />
  return (
    <main id="main" class={beatmaps.phase === 'stalled' ? 'editor pool-stalled' : 'editor'}>
      <header class="editor-head">
        <h1>{saved === null ? 'New pack' : 'Edit pack'}</h1>
        {saved !== null && (
          <a href={`/p/${saved.slug}`}>
            Back to <PersonText text={saved.name} />
          </a>
        )}
      </header>
      <EditBar model={model} />
      <EditNotices model={model} />
      <div class="editor-columns">
        <div class="editor-main">
          <PackFields model={model} />
          {paste.isOpen.value && <PasteBox model={model} />}
          <h2 id="edit-slots" tabIndex={-1} class="lanes-title">
            Beatmaps{' '}
            <span class={number > MAX_SLOTS ? 'edit-danger' : 'quiet-text'}>
              {number}/{MAX_SLOTS}
            </span>
          </h2>
          <LanesView model={model} />
        </div>
        {isNarrow ? (
          <details class="editor-side">
            <summary>Stars, pack key and shortcuts</summary>
            {side}
          </details>
        ) : (
          <aside class="editor-side" aria-label="Pack preview">
            {side}
          </aside>
        )}
      </div>
      <SaveDialog model={model} />
      {isFileOver.value && (
        <div class="drop-veil" aria-hidden="true">
          Drop a file to open it
        </div>
      )}
    </main>
  )
}

const draftWords = {
  same: '',
  kept: 'Draft saved in this browser',
  lost: 'Draft not saved',
} as const

/** Always in sight: undo, redo, paste, save, and what keeps the pack from being saved. */
function EditBar({ model }: ModelProps) {
  const { undoes, redoes } = model.store
  const { phase } = model.saver.state
  const isSaving = phase === 'saving' || phase === 'saved'
  const isVisitor = pageData().viewer === null
  const obstacle = isVisitor ? null : model.obstacle.value
  return (
    <div class="edit-bar" role="group" aria-label="Edit">
      <Button
        tone="quiet"
        icon="undo"
        {...stepAttributes('Undo', undoes, 'Ctrl+Z')}
        onClick={() => model.undo()}
      />
      <Button
        tone="quiet"
        icon="redo"
        {...stepAttributes('Redo', redoes, 'Ctrl+Shift+Z')}
        onClick={() => model.redo()}
      />
      <Button id="edit-open-paste" tone="quiet" icon="plus" onClick={() => model.paste.open()}>
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
          (obstacle?.text ?? draftWords[model.draft.state.value])
        )}
      </p>
      {isVisitor ? (
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
          onClick={() => model.save()}
        >
          {isSaving ? 'Saving …' : 'Save'}
        </Button>
      )}
    </div>
  )
}

function stepAttributes(name: 'Undo' | 'Redo', step: string | null, keys: string) {
  return {
    'aria-label': step === null ? name : `${name}: ${step}`,
    title: step === null ? `Nothing to ${name.toLowerCase()}` : `${name}: ${step} (${keys})`,
    'aria-disabled': step === null,
  }
}

function SaveDialog({ model: { isAsking, effects, saver } }: ModelProps) {
  const close = (): void => {
    isAsking.value = false
  }
  return (
    <ConfirmDialog
      title="Save and remove magnet links?"
      isOpen={isAsking.value}
      action="Save"
      tone="primary"
      onConfirm={() => {
        close()
        void saver.save()
      }}
      onCancel={close}
    >
      <p>{effects.value.magnets} You can add new ones on the pack’s page.</p>
    </ConfirmDialog>
  )
}

/**
 * What the page does wherever the focus is: save, undo, redo and paste by their usual keys, and open
 * files that are dropped anywhere. Returns a function that ends it.
 */
function listenToPage(model: EditorModel): () => void {
  const { paste } = model
  return listen({
    keydown: (event) => pressKey(event, model),
    // A text that is pasted outside of any field is for the paste box.
    paste: (event) => {
      if (event.defaultPrevented || isField(event.target) || isInDialog(event.target)) return
      const text = event.clipboardData?.getData('text/plain') ?? ''
      if (text.trim() === '') return
      event.preventDefault()
      paste.open(text)
    },
    dragover: (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      isFileOver.value = true
    },
    dragleave: ({ relatedTarget }) => {
      if (relatedTarget === null) isFileOver.value = false
    },
    drop: (event) => {
      isFileOver.value = false
      const [file] = event.dataTransfer?.files ?? []
      if (file === undefined) return
      event.preventDefault()
      void paste.openFile(file)
    },
  })
}

function pressKey(event: KeyboardEvent, model: EditorModel): void {
  const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event
  if ((!ctrlKey && !metaKey) || altKey || isInDialog(target)) return
  const letter = key.toLowerCase()
  if (letter === 's') {
    event.preventDefault()
    if (isField(target)) {
      // What is half typed counts.
      target.blur()
      target.focus()
    }
    model.save()
  } else if ((letter === 'z' || letter === 'y') && !undoesItself(target)) {
    event.preventDefault()
    if (letter === 'y' || shiftKey) model.redo()
    else model.undo()
  }
}

function isField(target: EventTarget | null): target is HTMLElement {
  return (
    target instanceof HTMLElement &&
    target.matches('textarea, select, input:not([type=radio], [type=checkbox], [type=file])')
  )
}

/** A field in which something is half typed undoes its own typing. */
function undoesItself(target: EventTarget | null): boolean {
  return isField(target) && target.dataset['isSettled'] === undefined
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('dialog') !== null
}
