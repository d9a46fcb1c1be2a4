import { computed, signal } from '@preact/signals'
import type { SitePack } from '../../contract/packs.ts'
import { call } from '../api.ts'
import { now } from '../format.ts'
import { createPack } from '../pack/create-pack.ts'
import { pageData } from '../page-data.ts'
import { announce } from '../parts/toasts.tsx'
import { DraftKeeper, draftNameOf, type Opening, openingOf, storedDraft } from './draft/draft.ts'
import type { DraftClaim } from './draft/drafts.tsx'
import { editOf, emptyEdit, liveKey } from './edit.ts'
import { EditorStore } from './history.ts'
import { LaneActions } from './lanes/lane-actions.ts'
import { Paste } from './paste/paste.ts'
import { allProblems } from './problems.ts'
import { Saver, sideEffects } from './save/saver.ts'
import { focusLater, type Spot, spotId } from './spots.ts'

/** Why the edit cannot be saved now; a press leads to what to do about it. */
type Obstacle = { readonly text: string; readonly onPress: (() => void) | null }

/**
 * Everything that an editor page knows and does for as long as it is open. Its state is in signals:
 * components read them, and call what is here; what is called sees each change at once.
 */
export class EditorModel {
  readonly opening: Opening & {
    /** The draft is a copy of one that another window has open. */
    readonly isCopy: boolean
  }
  readonly store: EditorStore
  readonly saver: Saver
  readonly draft: DraftKeeper
  readonly paste: Paste
  readonly actions: LaneActions
  /** One has tried to save, and is told what is missing from then on. */
  readonly hasTried = signal(false)
  /** One is asked before magnet links go. */
  readonly isAsking = signal(false)
  /** null while the edit is no pool. */
  readonly packKey = computed(() => liveKey(this.store.edit))
  readonly problems = computed(() => {
    const { state } = this.saver
    return allProblems(this.store.edit, state.phase === 'refused' ? state.refusal : null)
  })
  readonly effects = computed(() =>
    sideEffects(this.saver.saved, this.store.edit, this.packKey.value),
  )
  readonly obstacle = computed(() => this.#obstacle())

  /**
   * Opens the pack that the page is about, or a new one; with the draft that was left of it.
   *
   * @param claim the draft of a new pack; null where the page is about a saved one.
   */
  constructor(claim: DraftClaim | null) {
    const pack: SitePack | null = pageData().pack ?? null
    const stored = storedDraft(claim?.name ?? draftNameOf(pack?.slug ?? ''))
    const copied = claim?.copyOf == null ? 'none' : storedDraft(claim.copyOf).find()
    if (typeof copied === 'object') stored.keep(copied)
    const found = stored.find()
    this.opening = { ...openingOf(pack, found), isCopy: typeof copied === 'object' }
    this.store = new EditorStore(this.opening.edit)
    const isDraft = this.opening.from === 'draft' && typeof found === 'object'
    this.saver = new Saver(this.store, pack, isDraft ? found.basedOn : null, {
      send: async (input, base) => {
        if (base === null) return createPack(input)
        const { slug, updatedAt: basedOn } = base
        return (await call('replacePack', { slug, body: { pack: input, basedOn } })).pack
      },
      read: async (slug) => (await call('getPack', { slug })).pack,
      now,
      later: (ms, then) => {
        const timer = setTimeout(then, ms)
        return () => clearTimeout(timer)
      },
      onSaved: (saved, isAll) => this.#onSaved(saved, isAll),
    })
    this.draft = new DraftKeeper(this.store, this.saver, stored)
    this.paste = new Paste(this.store)
    this.actions = new LaneActions(this.store)
    // Out of the browser's memory, the page would save a second pack.
    addEventListener('pageshow', (event) => {
      if (event.persisted && this.saver.state.phase === 'saved') location.reload()
    })
  }

  /** Saves, or leads to what is in the way. */
  save(): void {
    const obstacle = this.obstacle.value
    if (pageData().viewer === null) announce('Sign in to save. Your draft is kept.')
    else if (obstacle !== null) obstacle.onPress?.()
    else if (this.effects.value.magnets !== null) this.isAsking.value = true
    else void this.saver.save()
  }

  undo(): void {
    const { undoes } = this.store
    this.store.undo()
    announce(undoes === null ? 'Nothing to undo' : `Undone: ${undoes}`)
  }

  redo(): void {
    const { redoes } = this.store
    this.store.redo()
    announce(redoes === null ? 'Nothing to redo' : `Redone: ${redoes}`)
  }

  discardDraft(): void {
    const { saved } = this.saver
    this.store.change('discard the draft', () => (saved === null ? emptyEdit : editOf(saved)))
    announce('Draft discarded. Undo to restore it.')
  }

  /** Leads to where something is to be mended. */
  goTo(spot: Spot): void {
    this.hasTried.value = true
    if (spot.kind === 'slots' && this.store.slots.length === 0) this.paste.open()
    else focusLater(spotId(spot))
  }

  #obstacle(): Obstacle | null {
    const { all, summary } = this.problems.value
    const [first] = all
    if (summary !== null && first !== undefined) {
      return { text: summary, onPress: () => this.goTo(first.spot) }
    }
    const { saved, isUnchanged, state } = this.saver
    if (saved !== null && isUnchanged) return { text: 'No changes', onPress: null }
    if (state.phase !== 'conflict') return null
    return { text: 'Choose a version first', onPress: () => focusLater('conflict-title') }
  }

  #onSaved({ slug }: SitePack, isAll: boolean): void {
    this.draft.stored.drop()
    this.draft.stored = storedDraft(draftNameOf(slug))
    // Going back leads to this pack, and does not save a second one.
    history.replaceState(history.state, '', `/p/${slug}/edit`)
    if (isAll) location.assign(`/p/${slug}`)
    else announce('Saved. Changes you made since then are not saved yet.')
  }
}
