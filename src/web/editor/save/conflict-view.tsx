import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { SitePack } from '../../../contract/site-pack.ts'
import { formatMoment } from '../../format.ts'
import { Button } from '../../parts/button.tsx'
import { differences } from './differences.ts'
import { type Edit, editOf } from '../edit.ts'

type Props = {
  readonly edit: Edit
  readonly theirs: SitePack
  /** A draft that was left is older than what is saved; nobody has tried to save it yet. */
  readonly isAtStart: boolean
  /** What keeping mine would do beside saving; null for nothing. */
  readonly effect: string | null
  /** What is known of a beatmap, to call it by its title. */
  readonly nameOf: (beatmapId: number) => string
  readonly onMine: () => void
  readonly onTheirs: () => void
}

/** The pack was saved elsewhere meanwhile: shows how both differ, and asks which one counts. */
export const ConflictView = ({
  edit,
  theirs,
  isAtStart,
  effect,
  nameOf,
  onMine,
  onTheirs,
}: Props): JSX.Element => {
  const found = differences(edit, editOf(theirs))
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <section class="edit-notice edit-conflict" role="alertdialog" aria-labelledby="conflict-title">
      <h2 ref={title} id="conflict-title" tabIndex={-1}>
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
      {effect !== null && <p class="edit-effect">{effect}</p>}
      <p class="actions">
        <Button tone="primary" onClick={onMine}>
          {isAtStart ? 'Keep my draft' : 'Keep my version'}
        </Button>
        <Button onClick={onTheirs}>
          {isAtStart ? 'Discard my draft' : 'Use the saved version'}
        </Button>
      </p>
    </section>
  )
}

const Nothing = ({ isSlot }: { readonly isSlot: boolean }): JSX.Element => (
  <span class="quiet-text">{isSlot ? 'not included' : 'none'}</span>
)
