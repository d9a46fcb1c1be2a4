import * as words from '#texts/common'
import * as texts from '#texts/editor'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { fromStorage, listen } from '../../browser.ts'
import { formatMoment } from '../../format.ts'
import { Button } from '../../parts/buttons.tsx'
import { storedDraft } from './draft.ts'

/** The draft of a new pack that a window works on. */
export type DraftClaim = {
  readonly name: string
  /** Another window has this draft open: the window works on a copy of it. */
  readonly copyOf: string | null
}

/** `draft:new` alone was the only one in earlier versions of the page. */
const NEW_PACK = /^draft:new(?::[0-9a-z]+)?$/
const TAB_KEY = 'draft-of-this-window'
/** A window that is reloaded may take a moment to release its own draft. */
const LOCK_WAIT_MS = 500

/**
 * Chooses a draft for a new pack: the one in the address, else the one from before a reload, else a
 * new one. Where another window holds it, as in a duplicated window, this one gets a copy.
 */
export async function claimDraft(): Promise<DraftClaim> {
  const wanted = wantedDraft()
  const isOurs = wanted !== null && (await lock(wanted))
  const name = isOurs ? wanted : `draft:new:${randomId()}`
  if (!isOurs) await lock(name)
  // For a reload. Without storage there is no draft that it could restore.
  fromStorage(() => sessionStorage.setItem(TAB_KEY, name), undefined)
  return { name, copyOf: isOurs ? null : wanted }
}

/** Removes it from the address: a link to this page is one to a new pack. */
function wantedDraft(): string | null {
  const address = new URL(location.href)
  const wanted =
    address.searchParams.get('draft') ?? fromStorage(() => sessionStorage.getItem(TAB_KEY), null)
  address.searchParams.delete('draft')
  history.replaceState(history.state, '', address)
  return wanted !== null && NEW_PACK.test(wanted) ? wanted : null
}

function randomId(): string {
  return [...crypto.getRandomValues(new Uint32Array(2))].map((part) => part.toString(36)).join('')
}

/** Holds the draft while the page is shown. Resolves to false when another window holds it. */
function lock(name: string): Promise<boolean> {
  const { locks } = globalThis.navigator
  // Not given to sites without TLS; there, the warning of a shared draft must do.
  if (locks === undefined) return Promise.resolve(true)
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const hold = (): Promise<unknown> => {
    resolve(true)
    addEventListener('pageshow', ({ persisted }) => persisted && void lock(name), { once: true })
    return new Promise((release) => addEventListener('pagehide', release, { once: true }))
  }
  const options = { signal: AbortSignal.timeout(LOCK_WAIT_MS) }
  locks.request(name, options, hold).catch(() => resolve(false))
  return promise
}

type DraftEntry = Awaited<ReturnType<typeof listDrafts>>[number]

/** The other drafts of new packs in this browser, latest first; nothing where there are none. */
export function DraftList({ except }: { readonly except: string }) {
  const entries = useSignal<readonly DraftEntry[]>([])
  useEffect(() => {
    const read = async (): Promise<void> => {
      const found = await listDrafts(except)
      const all = [...found, ...entries.value.filter(({ isDiscarded }) => isDiscarded)]
      const byName = new Map(all.map((entry) => [entry.name, entry]))
      entries.value = [...byName.values()].toSorted((a, b) => b.draft.changedAt - a.draft.changedAt)
    }
    void read()
    return listen({ storage: () => void read(), focus: () => void read() })
  }, [except])

  const toggle = (entry: DraftEntry): void => {
    const stored = storedDraft(entry.name)
    if (!entry.isDiscarded) stored.drop()
    else if (!stored.keep(entry.draft)) return
    const toggled = { ...entry, isDiscarded: !entry.isDiscarded }
    entries.value = entries.value.map((each) => (each === entry ? toggled : each))
  }
  if (entries.value.length === 0) return null
  return (
    <details class="edit-notice draft-list" open>
      <summary>{texts.otherDrafts({ n: entries.value.length })}</summary>
      <ul>
        {entries.value.map((entry) => (
          <DraftRow key={entry.name} entry={entry} onToggle={() => toggle(entry)} />
        ))}
      </ul>
    </details>
  )
}

/** Drafts of new packs other than `except`; damaged ones are left out. */
async function listDrafts(except: string) {
  const stored = fromStorage(() => Object.keys(localStorage), [])
  const names = stored.filter((name) => NEW_PACK.test(name) && name !== except)
  const { held = [] } = (await globalThis.navigator.locks?.query()) ?? {}
  const open = new Set(held.map((lock) => lock.name))
  return names.flatMap((name) => {
    const draft = storedDraft(name).find()
    if (typeof draft !== 'object') return []
    return [{ name, draft, isOpen: open.has(name), isDiscarded: false }]
  })
}

function DraftRow({ entry, onToggle }: { entry: DraftEntry; onToggle: () => void }) {
  const { name, draft, isOpen, isDiscarded } = entry
  const title = draft.edit.name.trim() || texts.untitled
  const shown = <bdi>{title}</bdi>
  const href = `/new?draft=${encodeURIComponent(name)}`
  const facts = [
    texts.beatmapCount({ n: draft.edit.slots.length }),
    formatMoment(draft.changedAt),
    ...(isOpen ? [texts.openElsewhere] : []),
  ]
  return (
    <li>
      <span class="draft-words">
        {isDiscarded || isOpen ? shown : <a href={href}>{shown}</a>}
        <span class="quiet-text">{isDiscarded ? texts.discarded : facts.join(' · ')}</span>
      </span>
      {(isDiscarded || !isOpen) && (
        <Button
          tone="quiet"
          label={isDiscarded ? words.undo : texts.discard}
          onClick={onToggle}
          aria-label={
            isDiscarded ? texts.undoDiscardOf({ title }) : texts.discardDraftOf({ title })
          }
        />
      )}
    </li>
  )
}
