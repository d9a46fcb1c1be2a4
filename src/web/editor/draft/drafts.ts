import { type Draft, storedDraft } from './draft.ts'

/** A draft of a new pack, as a list shows it. */
export type DraftEntry = {
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

/** Where the unsaved changes of a saved pack are: all windows that edit it share them. */
export function draftNameOf(slug: string): string {
  return `draft:${slug}`
}

/** Where a draft of a new pack is opened. */
export function draftHref(name: string): string {
  return `/new?draft=${encodeURIComponent(name)}`
}

/** Drafts of new packs other than `except`, latest first; damaged ones are left out. */
export async function listDrafts(except: string): Promise<DraftEntry[]> {
  const names = storedNames().filter((name) => NEW_PACK.test(name) && name !== except)
  const { held = [] } = (await globalThis.navigator.locks?.query()) ?? {}
  const open = new Set(held.map((lock) => lock.name))
  return names
    .flatMap((name) => {
      const draft = storedDraft(name).find()
      return typeof draft === 'object' ? [{ name, draft, isOpen: open.has(name) }] : []
    })
    .toSorted((a, b) => b.draft.changedAt - a.draft.changedAt)
}

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
  const wanted = address.searchParams.get('draft') ?? readTabDraft()
  address.searchParams.delete('draft')
  history.replaceState(history.state, '', address)
  return wanted !== null && NEW_PACK.test(wanted) ? wanted : null
}

function keepForReload(claim: DraftClaim): DraftClaim {
  try {
    sessionStorage.setItem(TAB_KEY, claim.name)
  } catch {
    // Without storage there is no draft that a reload could bring back.
  }
  return claim
}

function readTabDraft(): string | null {
  try {
    return sessionStorage.getItem(TAB_KEY)
  } catch {
    return null
  }
}

function storedNames(): string[] {
  try {
    return Object.keys(localStorage)
  } catch {
    return []
  }
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
