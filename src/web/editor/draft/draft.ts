import type { SitePack } from '../../../contract/packs.ts'
import { readPack } from '../../../formats/pool-values.ts'
import { packInputOf } from '../../../pool/pack-fields.ts'
import { fromStorage } from '../../browser.ts'
import { type KeptKey, ownKey, storageOf } from '../../kept.ts'
import type { TypedKey } from '../../editing/typed.ts'
import { readUnsaved, writeUnsaved } from '../../editing/unsaved.ts'
import { type Edit, editOf, emptyEdit, isSameEdit } from '../edit.ts'
import type { Attempt } from '../../pack/create-pack.ts'

export type Draft = {
  readonly edit: Edit
  /** What the edit began from; null where an earlier version of the page has not kept it. */
  readonly base: Edit | null
  /** What was sent, and may be saved. */
  readonly sent: readonly Edit[]
  /** `updatedAt` of the pack that the edit began from; null for a new pack; empty: only what it changes counts. */
  readonly basedOn: string | null
  /** The time of the last change, in milliseconds since 1970. */
  readonly changedAt: number
}

export type DraftName = KeptKey & `draft:${string}`

/** The name of the draft of a saved pack: all windows in which an account edits it share it. */
export const draftNameOf = (slug: string): DraftName => ownKey('draft', slug)

/** Where text that is typed but not yet part of a draft is kept. */
export const typedKeyOf = (name: DraftName): TypedKey => `typed:${name.slice('draft:'.length)}`

/** The place of one draft in the browser's storage. Throws nothing if storage is off or full. */
export function storedDraft(
  name: DraftName,
  storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = () => storageOf(name),
) {
  /** Whether this window has read or stored one last. */
  let isSeen = false
  const drop = (): void => {
    isSeen = false
    fromStorage(() => storage().removeItem(name), undefined)
  }
  const read = (): string | null => fromStorage(() => storage().getItem(name), null)
  let attempt = readAttempt(read())
  const write = (draft: Draft): boolean =>
    (isSeen = fromStorage(() => {
      storage().setItem(name, writeDraft(draft, attempt))
      return true
    }, false))
  return {
    name,
    drop,
    /** The attempt to save it as a new pack. */
    attempt: {
      find: () => attempt,
      keep: (next: Attempt | null): void => {
        attempt = next
        const draft = readDraft(read() ?? '')
        if (draft !== null) write(draft)
      },
    },
    /** Drops a damaged one. */
    find: (): Draft | 'none' | 'damaged' => {
      const text = read()
      if (text === null) return 'none'
      const draft = readDraft(text)
      if (draft === null) drop()
      else isSeen = true
      return draft ?? 'damaged'
    },
    /** Whether another window has dropped what this one has seen. */
    isGone: () => isSeen && read() === null,
    /** Returns whether it could be stored. */
    keep: write,
  }
}

export type StoredDraft = ReturnType<typeof storedDraft>

/** What the page begins with. */
export function openingOf(pack: SitePack | null, found: ReturnType<StoredDraft['find']>) {
  const saved = editOf(pack)
  const kept = typeof found === 'object' ? found : null
  const isOutdated = kept !== null && kept.basedOn !== (pack?.updatedAt ?? null)
  // Something else was saved first: what was sent and is not there will not come.
  const sent = isOutdated ? [] : (kept?.sent ?? [])
  const draft = kept && sent.length === 0 && isSameEdit(kept.edit, saved) ? null : kept
  const isOwn = draft?.sent.some((each) => isSameEdit(each, saved))
  return {
    edit: draft?.edit ?? saved,
    draft,
    sent,
    /** What the draft began from, if that is not the pack as it is. */
    base: draft && isOutdated ? (isOwn ? saved : (draft.base ?? emptyEdit)) : null,
    wasDamaged: found === 'damaged',
  }
}

/** Longer texts are no draft of ours. */
const LONGEST = 100_000

export const writeDraft = (
  { edit, base, sent, basedOn, changedAt }: Draft,
  attempt: Attempt | null = null,
): string =>
  writeUnsaved({
    basedOn,
    changedAt,
    pack: packInputOf(edit),
    ...(base && { base: packInputOf(base) }),
    sent: sent.map(packInputOf),
    ...(attempt && { attempt }),
  })

const readAttempt = (text: string | null): Attempt | null =>
  readUnsaved(text ?? '', (content) => {
    const { key, body, at } = content['attempt'] as Attempt
    readPack(body)
    return typeof key === 'string' && Number.isSafeInteger(at) ? { key, body, at } : null
  })

const readEdit = (from: unknown): Edit => editOf(readPack(from))

/** The draft that a text holds; null when it is damaged or of another version. */
export const readDraft = (text: string): Draft | null =>
  text.length > LONGEST
    ? null
    : readUnsaved(text, ({ basedOn, changedAt, pack, base, sent = [] }) => {
        const isBase = basedOn === null || typeof basedOn === 'string'
        if (!isBase || !Number.isSafeInteger(changedAt)) return null
        return {
          edit: readEdit(pack),
          base: base === undefined ? null : readEdit(base),
          sent: (sent as unknown[]).map(readEdit),
          basedOn,
          changedAt: changedAt as number,
        }
      })
