import { PAGE_SIZE } from '../contract/bounds.ts'
import type { Pack, PackPage } from '../contract/pack.ts'

/**
 * The packs of a list, one page after the other, each page read when its first pack is asked for.
 *
 * While nothing changes, each comes once and none is missed (D-16). A pack that is saved meanwhile
 * moves to the front and pushes others onto the next page: those come once all the same. Packs that
 * are deleted meanwhile, by the one who walks through them for example, pull others forward: the
 * pages that those may have moved to are read again.
 */
export async function* iteratePacks(
  readPage: (page: number) => Promise<PackPage>,
): AsyncGenerator<Pack, undefined, undefined> {
  const seen = new Set<string>()
  let before = 0
  for (let page = 1; ;) {
    const { packs, pageCount, total } = await readPage(page)
    const pulled = Math.ceil(Math.max(0, before - total) / PAGE_SIZE)
    before = total
    if (pulled > 0 && page > 1) {
      page = Math.max(1, page - pulled)
      continue
    }
    for (const pack of packs) {
      if (seen.has(pack.slug)) continue
      seen.add(pack.slug)
      yield pack
    }
    if (page >= pageCount) return undefined
    page += 1
  }
}
