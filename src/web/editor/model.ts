import * as texts from '#texts/editor'
import { computed, signal } from '@preact/signals'
import type { SitePack } from '../../contract/packs.ts'
import { call } from '../api.ts'
import { later } from '../browser.ts'
import { BoardModel } from '../editing/lanes/board.ts'
import { EditStore } from '../editing/edit-store.ts'
import { now } from '../format.ts'
import { orLook } from '../lost-answers.ts'
import { createPack } from '../pack/create-pack.ts'
import { pageData } from '../page-data.ts'
import { announce } from '../parts/toasts.tsx'
import type { SlotFilling } from '../../pool/round-fields.ts'
import { usesOf } from '../pool/slots.ts'
import { draftNameOf, openingOf, storedDraft, typedKeyOf } from './draft/draft.ts'
import { keepDraft } from './draft/keep-draft.ts'
import type { DraftClaim } from './draft/drafts.tsx'
import { type Edit, editOf, isSameEdit, liveKey } from './edit.ts'
import { type Reading, readBeatmap, readCode } from '../editing/fields.tsx'
import { focusLater, focusRefused } from '../editing/focus.ts'
import { addName, type Board, BUCKET_NAME } from '../editing/lanes/board.ts'
import type { LaneSlot } from '../editing/lanes/lanes.ts'
import { Typed } from '../editing/typed.ts'
import { Paste } from './paste.ts'
import { allProblems, hintsOf } from './problems.ts'
import { Saver } from './save/saver.ts'
import { sideEffects } from './save/side-effects.ts'

export type ModelProps = { readonly model: EditorModel }

/** The state of an editor page, in signals that components read, and its actions. */
export class EditorModel extends BoardModel<EditStore<Edit>> implements Board {
  readonly of = 'pack'
  /** What to say of the draft that the page began with; null once one has read it. */
  readonly opening = signal<(ReturnType<typeof openingOf> & { isCopy: boolean }) | null>(null)
  readonly saver: Saver
  readonly draft: ReturnType<typeof keepDraft>
  readonly paste: Paste
  /** A save was attempted: from then on, what is missing is shown. */
  readonly hasTried = signal(false)
  readonly isAsking = signal(false)
  /** null while the edit is no pool. */
  readonly packKey = computed(() => liveKey(this.store.edit))
  readonly problems = computed(() => {
    const { state } = this.saver
    return allProblems(this.store.edit, state.phase === 'refused' ? state.refusal : null)
  })
  readonly hints = computed(() => hintsOf(this.slotViews.value))
  readonly shownProblems = computed(() => {
    const { all } = this.problems.value
    return this.hasTried.value ? all : all.filter(({ isMissing }) => !isMissing)
  })
  /** The beatmaps to look up: of the edit, and of what is stuck. */
  readonly uses = computed(() =>
    [this.store, ...(this.store.stuck.value.length > 0 ? [this.saver.kept.edit] : [])].flatMap(
      usesOf,
    ),
  )
  readonly effects = computed(() =>
    sideEffects(this.saver.saved, this.store.edit, this.packKey.value),
  )
  /** Why the edit cannot be saved now, and what leads to what to do about it; null when it can be. */
  readonly obstacle = computed(() => {
    const { all, summary } = this.problems.value
    if (summary !== null) return { text: summary, onPress: () => this.goTo(all[0]?.id ?? null) }
    const { saved, isUnchanged, state } = this.saver
    if (state.phase === 'conflict') {
      return { text: texts.chooseFirst, onPress: () => focusLater('conflict-title') }
    }
    if (this.paste.isWaiting.value) return { text: texts.addPasted, onPress: this.paste.lead }
    const isAll = saved !== null && isUnchanged.value && !this.#isTyped.value
    return isAll ? { text: texts.noChanges } : null
  })
  /** What is typed to be added, and was not added yet. */
  readonly #isTyped = computed(
    () => this.#added.value.length > 0 || this.typed.text(BUCKET_NAME).value.trim() !== '',
  )
  /** What is typed where slots are added. */
  readonly #added = computed(() =>
    this.actions.lanes.value.flatMap(({ mod }) => {
      const text = this.typed.text(addName(mod))
      return text.value.trim() === '' ? [] : [{ mod, text }]
    }),
  )

  readonly read = (text: string): Reading<SlotFilling> => {
    const reading = readBeatmap(text)
    return 'value' in reading ? { value: { beatmapId: reading.value } } : reading
  }
  readonly fill = ({ key }: LaneSlot, filling: SlotFilling): void =>
    this.actions.exchange(key, filling)

  /** @param claim the draft of a new pack; null where the page is about a saved one. */
  constructor(claim: DraftClaim | null) {
    const pack: SitePack | null = pageData().pack ?? null
    const stored = storedDraft(claim?.name ?? draftNameOf(pack?.slug ?? ''))
    const copied = claim?.copyOf == null ? 'none' : storedDraft(claim.copyOf).find()
    const isCopy = typeof copied === 'object'
    if (isCopy) stored.keep(copied)
    const opening = openingOf(pack, stored.find())
    super(
      new EditStore(opening.edit),
      new Typed(typedKeyOf(stored.name)),
      (ids) => call('lookUpUsage', { query: { ids } }),
      () => this.saver.saved,
    )
    this.opening.value = { ...opening, isCopy }
    this.saver = new Saver(
      this.store,
      pack,
      opening.base,
      {
        send: async (input, base) => {
          const create = () => createPack(input, stored.attempt)
          if (base === null) return orLook(create, create)
          const { slug, updatedAt: basedOn } = base
          return orLook(
            async () => (await call('replacePack', { slug, body: { pack: input, basedOn } })).pack,
            async () => {
              const { pack: saved } = await call('getPack', { slug })
              return isSameEdit(editOf(saved), editOf(input)) ? saved : null
            },
          )
        },
        read: async (slug) => (await call('getPack', { slug })).pack,
        now,
        later,
        isSavedChanged: () => this.effects.value.magnets === null,
        onSaved: (saved, isAll, isLate) => this.#onSaved(saved, isAll, isLate),
      },
      opening.sent,
    )
    this.draft = keepDraft(this.store, this.saver, stored)
    this.paste = new Paste(this.store, this.typed)
  }

  /** Saves, or leads to what is in the way. */
  save(): void {
    if (pageData().viewer === null) return announce(texts.signInDraftKept)
    if (!this.#takeTyped()) return
    const obstacle = this.obstacle.value
    if (obstacle !== null) obstacle.onPress?.()
    else if (this.effects.value.magnets !== null) this.isAsking.value = true
    else void this.saver.save()
  }

  /** Adds what is typed where buckets and slots are added, as Enter does; leads to what means nothing. Returns whether all counts. */
  #takeTyped(): boolean {
    const reason = focusRefused()
    if (reason !== null) {
      announce(texts.notSavedBecause({ reason }), 'danger')
      return false
    }
    const code = this.typed.text(BUCKET_NAME)
    const named = readCode(code.value, this.store.buckets, null)
    if (code.value.trim() !== '' && 'value' in named) {
      this.actions.addBucket(named.value)
      code.value = ''
    }
    for (const { mod, text } of this.#added.value) {
      const reading = this.read(text.value)
      if (!('value' in reading)) continue
      this.actions.add(mod, reading.value)
      text.value = ''
    }
    return true
  }

  discardDraft(): void {
    this.opening.value = null
    this.store.change(texts.discardStep, () => editOf(this.saver.saved))
    announce(texts.draftDiscarded)
  }

  /** Leads to the element where a problem is solved. */
  goTo(id: string | null): void {
    this.hasTried.value = true
    if (id === 'edit-slots' && this.store.slots.length === 0) this.paste.open()
    else if (id !== null) focusLater(id)
  }

  #onSaved({ slug }: SitePack, isAll: boolean, isLate: boolean): void {
    const { stored, dropSaved } = this.draft
    const name = draftNameOf(slug)
    // What was changed meanwhile goes on in all windows.
    if (stored.value.name !== name) stored.value.drop()
    else if (isAll) dropSaved()
    stored.value = storedDraft(name)
    // Going back leads to this pack, and does not save a second one.
    history.replaceState(history.state, '', `/p/${slug}/edit`)
    const isOver = isAll && !isLate && this.saver.merged.value.length === 0
    if (isOver) {
      this.typed.clear()
      location.assign(`/p/${slug}`)
    } else if (isAll) announce(texts.saved)
    else announce(texts.savedPart)
  }
}
