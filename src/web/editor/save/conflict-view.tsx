import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { formatMoment } from '../../format.ts'
import { Button } from '../../parts/button.tsx'
import { differences, editOf } from '../edit.ts'
import type { EditorModel } from '../model.ts'
import { focusLater, focusNow } from '../spots.ts'
import { type SaveState, sideEffects } from './saver.ts'

type Props = {
  readonly model: EditorModel
  readonly state: SaveState & { readonly phase: 'conflict' }
  /** What is known of a beatmap, to call it by its title. */
  readonly nameOf: (beatmapId: number) => string
}

/** The pack was saved elsewhere meanwhile: shows how both differ, and asks which one counts. */
export function ConflictView({ model, state, nameOf }: Props): JSX.Element {
  const { saver, store, packKey } = model
  const { theirs, isAtStart } = state
  const found = differences(store.edit, editOf(theirs))
  // What keeping mine would do beside saving.
  const { magnets } = sideEffects(theirs, store.edit, packKey.value)
  useEffect(() => void focusNow('conflict-title'), [])
  const keepMine = (): void => {
    void saver.keepMine()
    focusLater('edit-slots')
  }
  const takeTheirs = (): void => {
    saver.takeTheirs()
    focusLater('edit-slots')
  }
  return (
    <section class="edit-notice edit-conflict" role="alertdialog" aria-labelledby="conflict-title">
      <h2 id="conflict-title" tabIndex={-1}>
        {isAtStart ? 'Your draft is older than the saved pack' : 'This pack was changed elsewhere'}
      </h2>
      <p>
        It was saved on {formatMoment(theirs.updatedAt)}, in another window or through the API.
        Neither version has been overwritten. Choose which one to keep.
      </p>
      <table class="edit-conflict-table">
        <thead>
          <tr>
            <th scope="col">Change</th>
            <th scope="col">Your version</th>
            <th scope="col">Saved version</th>
          </tr>
        </thead>
        <tbody>
          {found.map(({ what, beatmapId, mine, theirs: other }) => (
            <tr key={`${what} ${beatmapId} ${mine} ${other}`}>
              <th scope="row">{beatmapId === undefined ? what : nameOf(beatmapId)}</th>
              <td dir="auto">{mine ?? <Nothing isSlot={beatmapId !== undefined} />}</td>
              <td dir="auto">{other ?? <Nothing isSlot={beatmapId !== undefined} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {magnets !== null && <p class="edit-effect">{magnets}</p>}
      <p class="actions">
        <Button tone="primary" onClick={keepMine}>
          {isAtStart ? 'Keep my draft' : 'Keep my version'}
        </Button>
        <Button onClick={takeTheirs}>
          {isAtStart ? 'Discard my draft' : 'Use the saved version'}
        </Button>
      </p>
    </section>
  )
}

function Nothing({ isSlot }: { readonly isSlot: boolean }): JSX.Element {
  return <span class="quiet-text">{isSlot ? 'not included' : 'none'}</span>
}
