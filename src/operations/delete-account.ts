import { Failure } from '../contract/errors.ts'
import { presentViewer, type Session } from '../domain/sessions.ts'
import type { AccountStore } from '../ports/accounts.ts'

/**
 * Deletes the viewer's account with its packs, keys and sessions, for good. Throws `bad_request`
 * unless they have typed their username as it is shown.
 */
export const deleteAccount = async (
  { accounts }: { accounts: AccountStore },
  viewer: Session,
  typedUsername: string,
): Promise<void> => {
  if (typedUsername.trim() !== presentViewer(viewer).username) {
    throw new Failure('bad_request', 'username must match your own username exactly')
  }
  await accounts.remove(viewer.accountId)
}
