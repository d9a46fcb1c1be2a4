import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { count, formatMoment } from '../../format.ts'
import { Button } from '../../parts/button.tsx'
import { storedDraft } from './draft.ts'
import { type DraftEntry, draftHref, listDrafts } from './drafts.ts'

/** The other drafts of new packs in this browser; nothing where there are none. */
export function DraftList({ except }: { readonly except: string }): JSX.Element | null {
  const entries = useSignal<readonly DraftEntry[]>([])
  const discarded = useSignal<readonly DraftEntry[]>([])
  useEffect(() => {
    const read = async (): Promise<void> => {
      entries.value = await listDrafts(except)
    }
    const stop = new AbortController()
    void read()
    addEventListener('storage', () => void read(), { signal: stop.signal })
    addEventListener('focus', () => void read(), { signal: stop.signal })
    return () => stop.abort()
  }, [except])

  const discard = (entry: DraftEntry): void => {
    storedDraft(entry.name).drop()
    discarded.value = [...discarded.value, entry]
  }
  const restore = (entry: DraftEntry): void => {
    if (storedDraft(entry.name).keep(entry.draft)) {
      discarded.value = discarded.value.filter(({ name }) => name !== entry.name)
    }
  }
  const isGone = ({ name }: DraftEntry): boolean =>
    discarded.value.some((each) => each.name === name)
  const left = entries.value.filter((entry) => !isGone(entry))
  const shown = [...left, ...discarded.value].toSorted(
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

function DraftRow({ entry, isDiscarded, onDiscard, onRestore }: RowProps): JSX.Element {
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
