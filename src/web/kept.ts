import { fromStorage, listen } from './browser.ts'
import { pageData } from './page-data.ts'

type StoredItem = {
  /** `local` outlasts visits, `tab` lasts as long as the tab is open. */
  readonly in: 'local' | 'tab' | 'cookie' | 'files'
  /** `account`: the id of the account is the second part of the key, and no other account sees or sends the item (D-111). */
  readonly of: 'account' | 'browser' | 'public'
  /** Not saved yet: signing out removes it, after a warning. */
  readonly isUnsaved?: true
  /** Stays for the next session of the account. */
  readonly outlastsSignOut?: true
}

/** Everything that the sites keep in a browser, by the first part of its key. There is no other place for anything. */
export const kept = {
  /**
   * A pack while it is edited, until it is saved, discarded or signed out of. Who edits without an account has the
   * empty id: the account that signs in then takes it over.
   */
  draft: { in: 'local', of: 'account', isUnsaved: true },
  /** Which draft of a new pack this tab edits, until another one is opened in it. */
  'draft-of-this-window': { in: 'tab', of: 'account' },
  /** Changes of a round that were not sent yet, until they are, or were signed out of. */
  unsaved: { in: 'tab', of: 'account', isUnsaved: true },
  /** What is typed into fields of a pack, a round or a sheet and was not sent, until it is, or was signed out of. */
  typed: { in: 'tab', of: 'account', isUnsaved: true },
  /** Packs that a closed page was about to delete, until that is decided, or for a week. */
  'deleting-packs': { in: 'local', of: 'account', outlastsSignOut: true },
  /** The id of the account that is signed in, for pages of another one that are open still. Until it signs out. */
  account: { in: 'local', of: 'browser' },
  /** What was pasted on the front page, until the editor opens. */
  'pasted-text': { in: 'tab', of: 'browser' },
  /** What was done on the page before, until the one that it led to says it. */
  done: { in: 'tab', of: 'browser' },
  /** A pack key over a sign-in, until its page opens. */
  'open-key': { in: 'tab', of: 'browser' },
  /** Chosen in the header and in the footer, a year; the server reads them. */
  theme: { in: 'cookie', of: 'browser' },
  language: { in: 'cookie', of: 'browser' },
  /** Beatmap sets that are being loaded, until they are saved, or for a week. */
  sets: { in: 'files', of: 'public' },
} as const satisfies Readonly<Record<string, StoredItem>>

type Named<P> = {
  [N in keyof typeof kept]: (typeof kept)[N] extends P ? N : never
}[keyof typeof kept]
type InStorage = { readonly in: 'local' | 'tab' }

/** What is kept of each account. */
type OwnName = Named<InStorage & { readonly of: 'account' }>
export type KeptKey = `${OwnName}:${string}` | Named<InStorage & { readonly of: 'browser' }>

const nameOf = (key: string): string => key.split(':', 1)[0] ?? ''

/** The table again, for keys of which nothing is known. */
const items: Readonly<Record<string, StoredItem>> = kept

const accountId = (): string => pageData().viewer?.id ?? ''

/** The key of something of the account that is signed in, or of none. */
export const ownKey = <N extends OwnName>(name: N, rest: string): `${N}:${string}` =>
  `${name}:${accountId()}:${rest}`

/** The account that a key belongs to; null: none. */
const ownerOf = (key: string): string | null =>
  items[nameOf(key)]?.of === 'account' ? (key.split(':')[1] ?? '') : null

let isLeaving = false
let isForgotten = false

/** Whether the page is left for a reason that nothing may stop: what is kept of it is kept. */
export const isLeft = (): boolean => isLeaving

const nowhere: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = {
  getItem: () => null,
  setItem: () => {},
  removeItem: () => {},
}

/** Where a key is kept. Nowhere once the account has signed out. Throws if storage is off. */
export function storageOf(key: KeptKey): typeof nowhere {
  if (isForgotten) return nowhere
  return items[nameOf(key)]?.in === 'local' ? localStorage : sessionStorage
}

export const readKept = (key: KeptKey): string | null =>
  fromStorage(() => storageOf(key).getItem(key), null)

/** Returns whether it could be kept. */
export const keep = (key: KeptKey, text: string): boolean =>
  fromStorage(() => {
    storageOf(key).setItem(key, text)
    return true
  }, false)

export const dropKept = (key: KeptKey): void =>
  fromStorage(() => storageOf(key).removeItem(key), undefined)

/** Returns what is kept once; null where there is nothing. */
export function takeKept(key: KeptKey): string | null {
  const text = readKept(key)
  dropKept(key)
  return text
}

/** The keys of the account that is signed in; with the empty id, those of no account. */
export const ownKeys = <N extends OwnName>(
  name: N,
  id = accountId(),
): readonly `${N}:${string}`[] =>
  fromStorage(() => {
    const prefix = `${name}:${id}:`
    const keys = Object.keys(items[name]?.in === 'local' ? localStorage : sessionStorage)
    return keys.filter((key): key is `${N}:${string}` => key.startsWith(prefix))
  }, [])

/** Of how many packs and rounds the account would lose something by signing out. */
export const countUnsaved = (): number => {
  const names = Object.keys(items).filter((name) => items[name]?.isUnsaved) as OwnName[]
  const all = names.flatMap((name) => ownKeys(name).map((key) => key.slice(name.length)))
  return new Set(all).size
}

/** Removes what this browser keeps of the account that has signed out, and what is in no table. */
export function forgetAccount(): void {
  const own = accountId()
  for (const storage of [() => localStorage, () => sessionStorage]) {
    fromStorage(() => {
      for (const key of Object.keys(storage())) {
        const owner = ownerOf(key)
        const isOver = owner === own && !items[nameOf(key)]?.outlastsSignOut
        if (isOver || owner === null) storage().removeItem(key)
      }
    }, undefined)
  }
  isForgotten = true
  isLeaving = true
}

/**
 * Shows nothing of an account to the next one: a page that is open still is loaded again when another account signs in,
 * and when somebody comes back to it who is not signed in as that account any more.
 */
export function followAccount(): void {
  const own = accountId()
  if (own === '') return
  if (readKept('account') !== own) keep('account', own)
  const look = (isBack: boolean): void => {
    const now = readKept('account')
    if (now === own || (now === null && !isBack)) return
    isLeaving = true
    location.reload()
  }
  listen({
    storage: ({ key }) => key === 'account' && look(false),
    pageshow: ({ persisted }) => persisted && look(true),
  })
}
