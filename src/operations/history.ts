import { refusal } from '../contract/errors.ts'
import { mayReadHistory, type PackHistory } from '../domain/history.ts'
import { isSlug } from '../domain/keys.ts'
import type { Precondition } from '../domain/reading/requests.ts'
import type { Ports } from '../ports/ports.ts'

/**
 * The history of a pack if the account may read it, with versions that it may not (`versionsFor`);
 * `not_found` otherwise (D-70).
 *
 * @param accountId empty without a session.
 */
export async function getHistory(
  { packs }: Pick<Ports, 'packs'>,
  accountId: string,
  slug: string,
): Promise<PackHistory> {
  const history = isSlug(slug) ? await packs.readHistory(slug) : null
  if (history === null || !mayReadHistory(history.pack, accountId)) throw refusal('packNotFound')
  return history
}

/**
 * Makes the history of the account's own pack readable for others, or not (D-70); `not_found` when the pack is missing or
 * not theirs.
 *
 * @param check throws unless the history is in the state that the caller knows (D-48). Called with null
 *   when the pack is missing or not theirs.
 */
export async function setHistoryPublic(
  { packs }: Pick<Ports, 'packs'>,
  accountId: string,
  slug: string,
  isPublic: boolean,
  check?: Precondition<PackHistory>,
): Promise<void> {
  if (await packs.setHistoryPublic(slug, accountId, isPublic, check)) return
  check?.(null)
  throw refusal('packNotFound')
}
