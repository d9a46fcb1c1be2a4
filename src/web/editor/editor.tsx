import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { MAX_SLOTS } from '../../contract/bounds.ts'
import { announce } from '../announce.ts'
import { pageData } from '../page-data.ts'
import { ConfirmDialog } from '../parts/dialog.tsx'
import { PersonText } from '../parts/person-text.tsx'
import { NARROW, useMedia } from '../use-media.ts'
import type { DraftClaim } from './draft/drafts.ts'
import { useDraft } from './draft/use-draft.ts'
import { EditBar, type Obstacle } from './edit-bar.tsx'
import { EditNotices } from './edit-notices.tsx'
import { EditSide } from './edit-side.tsx'
import { editOf, emptyEdit, isSameEdit } from './edit.ts'
import { focusLater } from './focus-later.ts'
import { KeysHelp } from './keys-help.tsx'
import { LanesView } from './lanes/lanes-view.tsx'
import { poolActions } from './lanes/pool-actions.ts'
import { liveKey } from './live-key.ts'
import { doubles, sideEffects } from './notes.ts'
import { openEdit } from './open-edit.ts'
import { PackFields } from './pack-fields.tsx'
import { PasteBox } from './paste/paste-box.tsx'
import { useFileDrop } from './paste/use-file-drop.ts'
import { usePaste } from './paste/use-paste.ts'
import { ProblemList } from './problem-list.tsx'
import { type Spot, spotId } from './problems.ts'
import { useChanges } from './use-changes.ts'
import { usePageKeys } from './use-page-keys.ts'
import { usePoolViews } from './use-pool-views.ts'
import { useProblems } from './use-problems.ts'
import '../style/editor.css'

const draftWords = {
  same: '',
  kept: 'Draft saved in this browser',
  lost: 'Draft not saved',
} as const

/** Builds a pack, or changes one. @param claim the draft of a new pack, see `openEdit`. */
export const Editor = ({ claim }: { readonly claim: DraftClaim | null }): JSX.Element => {
  const [open] = useState(() => openEdit(claim))
  const { store, saver } = open
  useChanges(store, saver)
  const draft = useDraft(store, saver, open.draftNow)
  const actions = useMemo(() => poolActions(store), [store])
  const paste = usePaste(store)
  const isNarrow = useMedia(NARROW)
  const [hasTried, setTried] = useState(false)
  const [isAsking, setAsking] = useState(false)

  const { edit } = store
  const { state, saved } = saver
  const problems = useProblems(edit, state)
  const packKey = useMemo(() => liveKey(edit), [edit])
  const effects = sideEffects(saved, edit, packKey)
  const pool = usePoolViews(
    edit,
    saver.base?.slug,
    state.phase === 'conflict' ? state.theirs : null,
  )

  const goTo = (spot: Spot): void => {
    setTried(true)
    if (spot.kind === 'slots' && edit.slots.length === 0) paste.open()
    else focusLater(spotId(spot))
  }
  const isUnchanged = useMemo(
    () => saved !== null && isSameEdit(edit, editOf(saved)),
    [edit, saved],
  )
  const obstacle = ((): Obstacle | null => {
    const [first] = problems.all
    if (problems.summary !== null && first !== undefined) {
      return { text: problems.summary, onPress: () => goTo(first.spot) }
    }
    if (isUnchanged) return { text: 'No changes', onPress: null }
    if (state.phase !== 'conflict') return null
    return { text: 'Choose a version first', onPress: () => focusLater('conflict-title') }
  })()
  const save = (): void => {
    if (pageData().viewer === null) announce('Sign in to save. Your draft is kept.')
    else if (obstacle !== null) obstacle.onPress?.()
    else if (effects.magnets !== null) setAsking(true)
    else void saver.save()
  }
  const undo = (): void => {
    const { undoes } = store
    store.undo()
    announce(undoes === null ? 'Nothing to undo' : `Undone: ${undoes}`)
  }
  const redo = (): void => {
    const { redoes } = store
    store.redo()
    announce(redoes === null ? 'Nothing to redo' : `Redone: ${redoes}`)
  }
  usePageKeys({ save, undo, redo, paste: paste.open })
  const isFileOver = useFileDrop(paste.openFile)

  // Typing a name or a description leaves all rows alone.
  const spots = JSON.stringify([[...problems.bySlot], [...problems.byBucket]])
  const lanes = useMemo(
    () => (
      <LanesView
        edit={edit}
        views={pool.bySlot}
        notes={{
          problems: problems.bySlot,
          bucketProblems: problems.byBucket,
          doubles: doubles(edit),
        }}
        actions={actions}
        onLines={(mod, text) => paste.open(mod === null ? text : `${mod}\n${text}`)}
      />
    ),
    [edit.slots, edit.buckets, pool, spots],
  )

  const side = (
    <>
      <ProblemList
        problems={hasTried ? problems.all : problems.all.filter((p) => !p.isMissing)}
        goTo={goTo}
      />
      <EditSide
        slots={pool.slots}
        beatmaps={pool.beatmaps}
        packKey={packKey}
        keyWords={
          edit.name.trim() === '' || edit.slots.length === 0
            ? 'Add a name and a beatmap to get a pack key.'
            : 'Fix all problems to get a pack key.'
        }
        onPick={({ slot }) =>
          focusLater(spotId({ kind: 'slot', key: (slot as { key?: number }).key ?? 0 }))
        }
      />
      <KeysHelp />
    </>
  )
  return (
    <main id="main" class={pool.beatmaps.phase === 'stalled' ? 'editor pool-stalled' : 'editor'}>
      <header class="editor-head">
        <h1>{saved === null ? 'New pack' : 'Edit pack'}</h1>
        {saved !== null && (
          <a href={`/p/${saved.slug}`}>
            Back to <PersonText text={saved.name} />
          </a>
        )}
      </header>
      <EditBar
        store={store}
        isSaving={state.phase === 'saving' || state.phase === 'saved'}
        obstacle={pageData().viewer === null ? null : obstacle}
        words={draftWords[draft.state]}
        onUndo={undo}
        onRedo={redo}
        onSave={save}
        onPaste={() => paste.open()}
      />
      <EditNotices
        open={open}
        packKey={packKey}
        draft={draft}
        nameOf={pool.nameOf}
        onRetry={save}
        onDiscard={() => {
          store.change('discard the draft', () => (saved === null ? emptyEdit : editOf(saved)))
          announce('Draft discarded. Undo to restore it.')
        }}
      />
      <div class="editor-columns">
        <div class="editor-main">
          <PackFields
            edit={edit}
            change={store.change}
            seal={store.seal}
            nameProblem={
              hasTried || !problems.at('name')?.isMissing ? problems.at('name')?.text : undefined
            }
            descriptionProblem={problems.at('description')?.text}
          />
          {paste.isOpen && <PasteBox edit={edit} paste={paste} />}
          <h2 id="edit-slots" tabIndex={-1} class="lanes-title">
            Beatmaps{' '}
            <span class={edit.slots.length > MAX_SLOTS ? 'edit-danger' : 'quiet-text'}>
              {edit.slots.length}/{MAX_SLOTS}
            </span>
          </h2>
          {lanes}
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
      <ConfirmDialog
        title="Save and remove magnet links?"
        isOpen={isAsking}
        action="Save"
        tone="primary"
        onConfirm={() => {
          setAsking(false)
          void saver.save()
        }}
        onCancel={() => setAsking(false)}
      >
        <p>{effects.magnets} You can add new ones on the pack’s page.</p>
      </ConfirmDialog>
      {isFileOver && (
        <div class="drop-veil" aria-hidden="true">
          Drop a file to open it
        </div>
      )}
    </main>
  )
}
