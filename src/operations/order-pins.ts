import { Failure } from '../contract/errors.ts'
import { asModerator } from '../domain/moderation.ts'
import type { Session } from '../domain/sessions.ts'
import type { PackStore } from '../ports/packs.ts'
import type { Clock } from '../ports/system.ts'

/**
 * Puts the pinned row into another order (D-30). Throws `forbidden` for everyone but moderators,
 * `conflict` when the slugs are not exactly the pinned packs, each once.
 */
export const orderPins = async (
  { packs, clock }: { packs: PackStore; clock: Clock },
  viewer: Session,
  slugs: readonly string[],
): Promise<void> => {
  if (!(await packs.setPins(slugs, { ...asModerator(viewer), at: clock.now() }))) {
    throw new Failure('conflict', 'the pinned packs have changed; reload the page and try again')
  }
}
