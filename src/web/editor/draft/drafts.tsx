import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { count, formatMoment } from '../../format.ts'
import { Button } from '../../parts/buttons.tsx'
import { type Draft, fromStorage, storedDraft } from './draft.ts'

/** A draft of a new pack, as a list shows it. */
type DraftEntry = {
  readonly name: string
  readonly draft: Draft
  /** Another window has it open. */
  readonly isOpen: boolean
}

/** Which draft of a new pack a window works on. */
export type DraftClaim = {
  readonly name: string
  /** Another window has this draft open: the window works on a copy of it. */
  readonly copyOf: string | null
}

/** `draft:new` alone was the only one in earlier versions of the page. */
const NEW_PACK = /^draft:new(?::[0-9a-z]+)?$/
const TAB_KEY = 'draft-of-this-window'
/** A window that is reloaded may take a moment to let go of its own draft. */
const LOCK_WAIT_MS = 500

/**
 * Gives this window a draft of its own for a new pack: the one that its address names, else the one
 * that it had before it was reloaded, else a new one. No two windows have the same: where another
 * one holds it, which a duplicated window finds, this one gets a copy.
 */
export async function claimDraft(): Promise<DraftClaim> {
  const wanted = wantedDraft()
  if (wanted !== null && (await lock(wanted))) return keepForReload({ name: wanted, copyOf: null })
  const name = `draft:new:${randomId()}`
  await lock(name)
  return keepForReload({ name, copyOf: wanted })
}

/** Takes it out of the address: a link to this page is one to a new pack. */
function wantedDraft(): string | null {
  const address = new URL(location.href)
  const wanted =
    address.searchParams.get('draft') ?? fromStorage(() => sessionStorage.getItem(TAB_KEY), null)
  address.searchParams.delete('draft')
  history.replaceState(history.state, '', address)
  return wanted !== null && NEW_PACK.test(wanted) ? wanted : null
}

/** Without storage there is no draft that a reload could bring back. */
function keepForReload(claim: DraftClaim): DraftClaim {
  fromStorage(() => sessionStorage.setItem(TAB_KEY, claim.name), undefined)
  return claim
}

function randomId(): string {
  return [...crypto.getRandomValues(new Uint32Array(2))].map((part) => part.toString(36)).join('')
}

/**
 * Holds the draft for as long as the page is shown. Resolves to false when another window holds it.
 * Browsers give no locks to sites without TLS; there, the warning of a shared draft must do.
 */
function lock(name: string): Promise<boolean> {
  const { locks } = globalThis.navigator
  if (locks === undefined) return Promise.resolve(true)
  return new Promise((resolve) => {
    const hold = () =>
      new Promise<void>((release) => {
        addEventListener('pagehide', () => release(), { once: true })
        addEventListener('pageshow', ({ persisted }) => persisted && void lock(name), {
          once: true,
        })
        resolve(true)
      })
    locks.request(name, { signal: AbortSignal.timeout(LOCK_WAIT_MS) }, hold).catch(() => {
      resolve(false)
    })
  })
}

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

/** Drafts of new packs other than `except`, latest first; damaged ones are left out. */
async function listDrafts(except: string): Promise<DraftEntry[]> {
  const stored = fromStorage(() => Object.keys(localStorage), [])
  const names = stored.filter((name) => NEW_PACK.test(name) && name !== except)
  const { held = [] } = (await globalThis.navigator.locks?.query()) ?? {}
  const open = new Set(held.map((lock) => lock.name))
  return names
    .flatMap((name) => {
      const draft = storedDraft(name).find()
      return typeof draft === 'object' ? [{ name, draft, isOpen: open.has(name) }] : []
    })
    .toSorted((a, b) => b.draft.changedAt - a.draft.changedAt)
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
          <a href={`/new?draft=${encodeURIComponent(name)}`}>
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
