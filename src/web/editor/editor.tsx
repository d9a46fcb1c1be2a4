import * as words from '#texts/common'
import { changeField } from '#texts/editing'
import * as texts from '#texts/editor'
import { signal } from '@preact/signals'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { DESCRIPTION_LENGTH, MAX_SLOTS, NAME_LENGTH } from '../../contract/bounds.ts'
import { listen, NARROW, useMedia } from '../browser.ts'
import { fieldNames } from '../field-names.ts'
import { pageData } from '../page-data.ts'
import { Button, LinkButton, signInLink } from '../parts/buttons.tsx'
import { ConfirmDialog } from '../parts/dialogs.tsx'
import { PersonText, visibilityWords } from '../parts/labels.tsx'
import { takePastedText } from '../pasted-text.ts'
import { useBeatmaps } from '../pool/beatmaps.ts'
import type { DraftClaim } from './draft/drafts.tsx'
import { visibilities } from '../../pool/pack-fields.ts'
import { LanesView } from '../editing/lanes/lanes-view.tsx'
import { EditorModel, type ModelProps } from './model.ts'
import { PasteBox } from './paste-box.tsx'
import { EditNotices } from './save/notices.tsx'
import { EditSide } from './side.tsx'
import { isField, isInDialog, pressUndo, takePasted, UndoButtons } from '../editing/keys.tsx'
import '../style/editor.css'

const isFileOver = signal(false)

/** Builds a pack, or changes one. @param claim the draft of a new pack, see `EditorModel`. */
export function Editor({ claim }: { readonly claim: DraftClaim | null }) {
  const [model] = useState(() => new EditorModel(claim))
  const { store, saver, paste } = model
  const { saved } = saver
  const beatmaps = useBeatmaps(model.uses.value, saved?.slug)
  const isNarrow = useMedia(NARROW)
  useLayoutEffect(() => {
    model.beatmaps.value = beatmaps
  }, [beatmaps])
  useEffect(() => listenToPage(model), [model])
  useEffect(() => {
    const text = takePastedText()
    if (text !== '') model.paste.open(text)
  }, [model])

  const number = store.slots.length
  const side = <EditSide model={model} />
  return (
    <main id="main" class={beatmaps.phase === 'stalled' ? 'editor pool-stalled' : 'editor'}>
      <header class="editor-head">
        <h1>{saved === null ? words.newPack : texts.editPack}</h1>
        {saved !== null && (
          <a href={`/p/${saved.slug}`}>
            {texts.backTo({ pack: <PersonText text={saved.name} /> })}
          </a>
        )}
      </header>
      <EditBar model={model} />
      <EditNotices model={model} />
      <div class="editor-columns">
        <div class="editor-main">
          <PackFields model={model} />
          {paste.isOpen.value && <PasteBox paste={paste} />}
          <h2 id="edit-slots" tabIndex={-1} class="lanes-title">
            {texts.beatmaps({
              number: (
                <span class={number > MAX_SLOTS ? 'edit-danger' : 'quiet-text'}>
                  {number}/{MAX_SLOTS}
                </span>
              ),
            })}
          </h2>
          <LanesView board={model} />
        </div>
        {isNarrow ? (
          <details class="editor-side">
            <summary>{texts.sideTitle}</summary>
            {side}
          </details>
        ) : (
          <aside class="editor-side" aria-label={texts.packPreview}>
            {side}
          </aside>
        )}
      </div>
      <SaveDialog model={model} />
      {isFileOver.value && (
        <div class="drop-veil" aria-hidden="true">
          {texts.dropFile}
        </div>
      )}
    </main>
  )
}

const draftWords = { same: '', kept: texts.draftKept, lost: texts.draftLost }

function EditBar({ model }: ModelProps) {
  const { state } = model.saver
  const isSaving = state.phase === 'saved' || (state.phase === 'saving' && state.waited === null)
  const isVisitor = pageData().viewer === null
  const obstacle = isVisitor ? null : model.obstacle.value
  return (
    <div class="edit-bar" role="group" aria-label={texts.editBar}>
      <UndoButtons store={model.store} />
      <Button id="edit-open-paste" tone="quiet" icon="plus" onClick={() => model.paste.open()}>
        {texts.paste}
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
        <LinkButton tone="primary" icon="user" label={texts.signInToSave} {...signInLink()} />
      ) : (
        <Button
          tone="primary"
          label={isSaving ? texts.saving : texts.save}
          busy={isSaving}
          aria-disabled={obstacle !== null}
          aria-describedby="save-words"
          title={texts.saveHint}
          onClick={() => model.save()}
        />
      )}
    </div>
  )
}

const makeSteps = {
  private: texts.makePrivate,
  unlisted: texts.makeUnlisted,
  public: texts.makePublic,
}

function PackFields({ model }: ModelProps) {
  const { store } = model
  const { saved } = model.saver
  const { visibility } = store.edit
  return (
    <div class="edit-fields">
      <TextField model={model} field="name" />
      <fieldset class="edit-field edit-visibility">
        <legend>{fieldNames.visibility}</legend>
        <span class="edit-segments">
          {visibilities.map((name) => (
            <label key={name}>
              <input
                type="radio"
                class="sr-only"
                name="visibility"
                checked={visibility === name}
                onChange={() =>
                  store.change(makeSteps[name], (edit) => ({ ...edit, visibility: name }))
                }
              />
              <span>{visibilityWords[name][0]}</span>
            </label>
          ))}
        </span>
        <span class="edit-visibility-note">
          {saved?.hiddenAt === undefined ? visibilityWords[visibility][1] : texts.hiddenMeans}
        </span>
      </fieldset>
      <TextField model={model} field="description" />
    </div>
  )
}

function TextField({ model, field }: ModelProps & { field: 'name' | 'description' }) {
  const { store, shownProblems } = model
  const isName = field === 'name'
  const id = `edit-${field}`
  const most = isName ? NAME_LENGTH : DESCRIPTION_LENGTH
  const text = store.edit[field]
  const { length } = text.trim()
  const problem = shownProblems.value.findLast((each) => each.id === id)?.text
  const props = {
    id,
    dir: 'auto',
    value: text,
    'data-is-kept': '',
    'aria-invalid': problem === undefined ? undefined : true,
    'aria-describedby': [`${id}-problem`, `${id}-count`].join(' '),
    onInput: ({ currentTarget: { value } }: { readonly currentTarget: { value: string } }): void =>
      store.change(
        changeField({ field: fieldNames[field] }),
        (edit) => ({ ...edit, [field]: value }),
        field,
      ),
    onBlur: () => store.seal(),
  } as const
  return (
    <div class="edit-field">
      <label for={id}>
        {isName
          ? fieldNames.name
          : texts.optionalDescription({
              quiet: (children) => <span class="quiet-text">{children}</span>,
            })}
      </label>
      <span id={`${id}-count`} class={`edit-counter${length > most ? ' edit-danger' : ''}`}>
        {texts.characters({
          length: String(length),
          most: String(most),
          hidden: (children) => <span class="sr-only">{children}</span>,
        })}
      </span>
      {isName ? (
        <input {...props} class="field name-field" autocomplete="off" aria-required />
      ) : (
        <textarea {...props} class="field" rows={2} />
      )}
      <p id={`${id}-problem`} class="edit-problem" role="status">
        {problem}
      </p>
    </div>
  )
}

function SaveDialog({ model: { isAsking, effects, saver } }: ModelProps) {
  const close = () => (isAsking.value = false)
  return (
    <ConfirmDialog
      title={texts.saveAsk}
      isOpen={isAsking.value}
      action={texts.save}
      tone="primary"
      onConfirm={() => {
        close()
        void saver.save()
      }}
      onCancel={close}
    >
      <p>
        {effects.value.magnets} {texts.canAddLinks}
      </p>
    </ConfirmDialog>
  )
}

/** The keys, pastes and dropped files of the whole page. Returns a function that stops listening. */
function listenToPage(model: EditorModel): () => void {
  const { paste } = model
  return listen({
    keydown: (event) => pressKey(event, model),
    paste: (event) => takePasted(event, (text) => paste.open(text)),
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
  const { key, ctrlKey, metaKey, altKey, target } = event
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
  } else pressUndo(event, model.store)
}
