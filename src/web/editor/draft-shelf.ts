import { type Draft, readDraft, writeDraft } from './draft.ts'

/** What of a browser's storage is used. */
type Storing = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** What was found: nothing, a draft, or something that was none and is thrown away. */
export type Found = Draft | 'none' | 'damaged'

/** Where the draft of one pack is kept. Storage that is off or full makes nothing fail. */
export type DraftShelf = {
  readonly name: string
  find: () => Found
  /** Whether it could be kept. */
  keep: (draft: Draft) => boolean
  drop: () => void
}

/**
 * The draft of the pack with this slug; of the new pack for null.
 *
 * @param storage gives the browser's storage; looking at it throws where it is off.
 */
export const draftShelf = (storage: () => Storing, slug: string | null): DraftShelf => {
  const name = `draft:${slug ?? 'new'}`
  const drop = (): void => {
    try {
      storage().removeItem(name)
    } catch {
      // Where nothing can be removed, nothing could be kept.
    }
  }
  return {
    name,
    drop,
    find: () => {
      let text: string | null
      try {
        text = storage().getItem(name)
      } catch {
        return 'none'
      }
      if (text === null) return 'none'
      const draft = readDraft(text)
      if (draft === null) drop()
      return draft ?? 'damaged'
    },
    keep: (draft) => {
      try {
        storage().setItem(name, writeDraft(draft))
        return true
      } catch {
        return false
      }
    },
  }
}
