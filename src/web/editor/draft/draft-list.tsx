import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { count, formatMoment } from '../../format.ts'
import { Button } from '../../parts/button.tsx'
import { type DraftEntry, draftHref, listDrafts, storedDraft } from './drafts.ts'

/** The other drafts of new packs in this browser; nothing where there are none. */
export const DraftList = ({ except }: { readonly except: string }): JSX.Element | null => {
  const [entries, setEntries] = useState<readonly DraftEntry[]>([])
  const [discarded, setDiscarded] = useState<readonly DraftEntry[]>([])
  useEffect(() => {
    const read = (): void => void listDrafts(except).then(setEntries)
    read()
    addEventListener('storage', read)
    addEventListener('focus', read)
    return () => {
      removeEventListener('storage', read)
      removeEventListener('focus', read)
    }
  }, [except])

  const discard = (entry: DraftEntry): void => {
    storedDraft(() => localStorage, entry.name).drop()
    setDiscarded([...discarded, entry])
  }
  const restore = (entry: DraftEntry): void => {
    if (storedDraft(() => localStorage, entry.name).keep(entry.draft)) {
      setDiscarded(discarded.filter(({ name }) => name !== entry.name))
    }
  }
  const isGone = ({ name }: DraftEntry): boolean => discarded.some((each) => each.name === name)
  const shown = [...entries.filter((entry) => !isGone(entry)), ...discarded].toSorted(
    (a, b) => b.draft.changedAt - a.draft.changedAt,
  )
  if (shown.length === 0) return null
  return (
    <details class="edit-notice draft-list" open>
      <summary>{count(shown.length, 'other draft')} in this browser</summary>
      <ul>
        {shown.map((entry) => (
          <li key={entry.name}>
            <DraftRow
              entry={entry}
              isDiscarded={isGone(entry)}
              onDiscard={() => discard(entry)}
              onRestore={() => restore(entry)}
            />
          </li>
        ))}
      </ul>
    </details>
  )
}

type RowProps = {
  readonly entry: DraftEntry
  readonly isDiscarded: boolean
  readonly onDiscard: () => void
  readonly onRestore: () => void
}

const DraftRow = ({ entry, isDiscarded, onDiscard, onRestore }: RowProps): JSX.Element => {
  const { name, draft, isOpen } = entry
  const title = draft.edit.name.trim() || 'Untitled pack'
  const facts = [
    count(draft.edit.slots.length, 'beatmap'),
    formatMoment(new Date(draft.changedAt).toISOString()),
    ...(isOpen && !isDiscarded ? ['open in another window'] : []),
  ]
  return (
    <>
      <span class="draft-words">
        {isDiscarded || isOpen ? (
          <bdi>{title}</bdi>
        ) : (
          <a href={draftHref(name)}>
            <bdi>{title}</bdi>
          </a>
        )}
        <span class="quiet-text">{isDiscarded ? 'Discarded' : facts.join(' · ')}</span>
      </span>
      {isDiscarded ? (
        <Button tone="quiet" onClick={onRestore} aria-label={`Undo discarding ${title}`}>
          Undo
        </Button>
      ) : (
        !isOpen && (
          <Button tone="quiet" onClick={onDiscard} aria-label={`Discard ${title}`}>
            Discard
          </Button>
        )
      )}
    </>
  )
}
