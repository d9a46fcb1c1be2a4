import { MAX_EXPORTS } from '../../contract/bounds.ts'
import { Failure } from '../../contract/failure.ts'
import type { SavedExport, SavedPack } from '../saved-pack.ts'

/**
 * The pack's magnet links with a new one in front (D-43).
 *
 * @param link in canonical form, and the pack key that it was made for.
 * @throws Failure `conflict` when the pack has another key by now, has the link, or is full.
 */
export const withExport = (
  pack: Pick<SavedPack, 'packKey' | 'exports'>,
  link: { readonly url: string; readonly packKey: string },
  now: number,
): readonly SavedExport[] => {
  if (pack.packKey !== link.packKey) {
    throw new Failure(
      'conflict',
      'the pack has changed since this link was created; create a new link',
    )
  }
  if (pack.exports.some(({ url }) => url === link.url)) {
    throw new Failure('conflict', 'this magnet link has already been added')
  }
  if (pack.exports.length >= MAX_EXPORTS) {
    throw new Failure(
      'conflict',
      `a pack can have at most ${MAX_EXPORTS} magnet links; remove one first`,
    )
  }
  return [{ url: link.url, createdAt: now }, ...pack.exports]
}

/**
 * The pack's magnet links without one.
 *
 * @param url in canonical form.
 * @throws Failure `not_found` when it has no such link.
 */
export const withoutExport = (
  { exports }: Pick<SavedPack, 'exports'>,
  url: string,
): readonly SavedExport[] => {
  const rest = exports.filter((each) => each.url !== url)
  if (rest.length === exports.length) {
    throw new Failure('not_found', 'the pack does not have this magnet link')
  }
  return rest
}
