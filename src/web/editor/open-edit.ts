import type { SitePack } from '../../contract/site-pack.ts'
import { announce } from '../announce.ts'
import { call } from '../api.ts'
import { now } from '../browser-clock.ts'
import { createPack } from '../create-pack.ts'
import { pageData } from '../page-data.ts'
import { type DraftClaim, draftNameOf, type StoredDraft, storedDraft } from './draft/drafts.ts'
import { type Opening, openingOf } from './draft/opening.ts'
import { EditorStore } from './editor-store.ts'
import { Saver } from './save/saver.ts'

/** Everything that an editor page holds on to for as long as it is open. */
export type OpenEdit = {
  readonly opening: Opening & {
    /** The draft is a copy of one that another window has open. */
    readonly isCopy: boolean
  }
  readonly store: EditorStore
  readonly saver: Saver
  /** Where the draft is kept now. */
  readonly draftNow: () => StoredDraft
}

const later = (ms: number, then: () => void): (() => void) => {
  const timer = setTimeout(then, ms)
  return () => clearTimeout(timer)
}

/**
 * Opens the pack that the page is about, or a new one; with the draft that was left of it.
 *
 * @param claim the draft of a new pack; null where the page is about a saved one.
 */
export const openEdit = (claim: DraftClaim | null): OpenEdit => {
  const pack: SitePack | null = pageData().pack ?? null
  const storedAs = (name: string): StoredDraft => storedDraft(() => localStorage, name)
  let stored = storedAs(claim?.name ?? draftNameOf(pack?.slug ?? ''))
  const copied = claim?.copyOf == null ? 'none' : storedAs(claim.copyOf).find()
  if (typeof copied === 'object') stored.keep(copied)
  const found = stored.find()
  const opening = { ...openingOf(pack, found), isCopy: typeof copied === 'object' }
  const store = new EditorStore(opening.edit)
  const basedOn = opening.from === 'draft' && typeof found === 'object' ? found.basedOn : null

  const onSaved = ({ slug }: SitePack, isAll: boolean): void => {
    stored.drop()
    stored = storedAs(draftNameOf(slug))
    // Going back leads to this pack, and does not save a second one.
    history.replaceState(history.state, '', `/p/${slug}/edit`)
    if (isAll) location.assign(`/p/${slug}`)
    else announce('Saved. Changes you made since then are not saved yet.')
  }

  // Out of the browser's memory, the page would save a second pack.
  addEventListener('pageshow', (event) => {
    if (event.persisted && saver.state.phase === 'saved') location.reload()
  })

  const saver = new Saver(store, pack, basedOn, {
    send: async (input, base) => {
      if (base === null) return createPack(input)
      const { slug, updatedAt: basedOn } = base
      return (await call('replacePack', { slug, body: { pack: input, basedOn } })).pack
    },
    read: async (slug) => (await call('getPack', { slug })).pack,
    now,
    later,
    onSaved,
  })
  return { opening, store, saver, draftNow: () => stored }
}
