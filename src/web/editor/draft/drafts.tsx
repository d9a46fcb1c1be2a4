import * as words from '#texts/common'
import * as texts from '#texts/editor'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { listen } from '../../browser.ts'
import { formatMoment } from '../../format.ts'
import { dropKept, keep, type KeptKey, ownKey, ownKeys, readKept, takeKept } from '../../kept.ts'
import { pageData } from '../../page-data.ts'
import { Button } from '../../parts/buttons.tsx'
import { PersonText } from '../../parts/labels.tsx'
import { type DraftName, storedDraft, typedKeyOf } from './draft.ts'
import { lock, randomId } from './windows.ts'

/** The draft of a new pack that a window works on. */
export type DraftClaim = {
  readonly name: DraftName
  /** Another window has this draft open: the window works on a copy of it. */
  readonly copyOf: DraftName | null
}

/** Begins the name of a draft of a new pack, after the account. */
const NEW = 'new:'
/** The drafts of who edits without an account. */
const UNOWNED = `draft::${NEW}`
const tabKey = () => ownKey('draft-of-this-window', '')

/**
 * Chooses a draft for a new pack: the one in the address, else the one from before a reload, else a
 * new one. Where another window holds it, as in a duplicated window, this one gets a copy.
 */
export async function claimDraft(): Promise<DraftClaim> {
  const wanted = wantedDraft()
  const isOurs = wanted !== null && (await lock(wanted))
  const name = isOurs ? adopted(wanted) : newName()
  if (name !== wanted) await lock(name)
  // For a reload. Without storage there is no draft that it could restore.
  keep(tabKey(), name)
  return { name, copyOf: isOurs ? null : wanted }
}

const newName = (): DraftName => ownKey('draft', NEW + randomId())

/** What was edited before anybody was signed in is of the account that signs in. */
function adopted(name: DraftName): DraftName {
  if (!name.startsWith(UNOWNED) || pageData().viewer === null) return name
  const own = newName()
  move(name, own)
  move(typedKeyOf(name), typedKeyOf(own))
  return own
}

function move(from: KeptKey, to: KeptKey): void {
  const text = readKept(from)
  if (text !== null && keep(to, text)) dropKept(from)
}

/** Removes it from the address: a link to this page is one to a new pack. */
function wantedDraft(): DraftName | null {
  const address = new URL(location.href)
  const unowned = takeKept('draft-of-this-window::')
  const wanted = address.searchParams.get('draft') ?? unowned ?? readKept(tabKey())
  address.searchParams.delete('draft')
  history.replaceState(history.state, '', address)
  return wanted !== null && isShown(wanted) ? wanted : null
}

/** Whether it is the draft of a new pack that this account may see: its own, or one without an account. */
const isShown = (name: string): name is DraftName =>
  name.startsWith(ownKey('draft', NEW)) || name.startsWith(UNOWNED)

type DraftEntry = Awaited<ReturnType<typeof listDrafts>>[number]

/** The other drafts of new packs in this browser, latest first; nothing where there are none. */
export function DraftList({ except }: { readonly except: DraftName }) {
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
async function listDrafts(except: DraftName) {
  const names = [...new Set([...ownKeys('draft'), ...ownKeys('draft', '')])].filter(
    (name) => isShown(name) && name !== except,
  )
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
  const shown = <PersonText text={title} />
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
