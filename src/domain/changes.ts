import type { ChangeKind, PackChange } from '../contract/changes.ts'
import { timestamp } from './quotas.ts'

/** What all entries of a feed have. */
export type FeedEntry = {
  /** Opaque; the same whichever process reads the entry. */
  readonly cursor: string
  /** ms since the epoch. */
  readonly at: number
}

/** What has happened to a pack. Who may know of it: `changeFor`. */
export type PackFeedEntry = FeedEntry & {
  /** For its owner: `hidden` and `shown` are what moderators do, `changed` is every save. */
  readonly kind: ChangeKind
  readonly slug: string
  /** null when the account is gone. */
  readonly ownerId: string | null
  /** Whether the pack was public and not hidden before, and is since. */
  readonly wasListed: boolean
  readonly isListed: boolean
}

/** An entry as the account may know it; null if it may not (D-73). */
export function changeFor(entry: PackFeedEntry, accountId: string): PackChange | null {
  const kind = entry.ownerId === accountId ? entry.kind : kindForOthers(entry)
  if (kind === null) return null
  return { cursor: entry.cursor, at: timestamp(entry.at), kind, slug: entry.slug }
}

/** Others know what comes to the public list, changes there and leaves it. */
function kindForOthers({ kind, wasListed, isListed }: PackFeedEntry): ChangeKind | null {
  if (wasListed && isListed) return 'changed'
  if (isListed) return kind === 'created' ? 'created' : 'shown'
  if (wasListed) return kind === 'deleted' ? 'deleted' : 'hidden'
  return null
}
