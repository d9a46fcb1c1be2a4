import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { DraftList } from './draft/draft-list.tsx'
import { DraftNotice } from './draft/draft-notice.tsx'
import type { DraftNews } from './draft/use-draft.ts'
import { EditNotice } from './edit-notice.tsx'
import { focusLater } from './focus-later.ts'
import { sideEffects } from './notes.ts'
import type { OpenEdit } from './open-edit.ts'
import { ConflictView } from './save/conflict-view.tsx'
import { SaveNotice } from './save/save-notice.tsx'

type Props = {
  readonly open: OpenEdit
  /** null while the edit is no pool. */
  readonly packKey: string | null
  readonly draft: DraftNews
  readonly nameOf: (beatmapId: number) => string
  readonly onRetry: () => void
  readonly onDiscard: () => void
}

/** Everything that is to be said about the whole edit, the most urgent first. */
export const EditNotices = ({
  open,
  packKey,
  draft,
  nameOf,
  onRetry,
  onDiscard,
}: Props): JSX.Element => {
  const { opening, saver, store } = open
  const { state, saved } = saver
  const effects = sideEffects(saved, store.edit, packKey)
  const [isDraftTold, setDraftTold] = useState(false)
  return (
    <div class="edit-notices">
      {state.phase === 'conflict' && (
        <ConflictView
          edit={store.edit}
          theirs={state.theirs}
          isAtStart={state.isAtStart}
          effect={sideEffects(state.theirs, store.edit, packKey).magnets}
          nameOf={nameOf}
          onMine={() => {
            void saver.keepMine()
            focusLater('edit-slots')
          }}
          onTheirs={() => {
            saver.takeTheirs()
            focusLater('edit-slots')
          }}
        />
      )}
      <SaveNotice saver={saver} onRetry={onRetry} />
      {!isDraftTold && (
        <DraftNotice
          opening={opening}
          onClose={() => setDraftTold(true)}
          onDiscard={() => {
            setDraftTold(true)
            onDiscard()
          }}
        />
      )}
      {draft.isShared && (
        <EditNotice title="This draft is open in another window">
          Both windows edit the same draft. The last change wins.
        </EditNotice>
      )}
      {draft.state === 'lost' && (
        <EditNotice title="Drafts cannot be saved in this browser" tone="danger">
          Browser storage is full or disabled. Save before you leave this page.
        </EditNotice>
      )}
      {saved === null && <DraftList except={open.draftNow().name} />}
      {saved?.hiddenAt !== undefined && (
        <EditNotice title="This pack is hidden by a moderator">
          {saved.hiddenReason !== undefined && `Reason: “${saved.hiddenReason}” `}
          Only you and moderators can see it. It stays hidden when you save.
        </EditNotice>
      )}
      {effects.magnets !== null && state.phase !== 'conflict' && (
        <p class="edit-effect">{effects.magnets}</p>
      )}
      {effects.pin !== null && <p class="edit-effect">{effects.pin}</p>}
    </div>
  )
}
