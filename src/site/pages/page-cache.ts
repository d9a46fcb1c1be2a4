import { BoundedMap } from '../../domain/bounded-map.ts'
import { type Body, textBody } from '../../door/answer.ts'

const MAX_BYTES = 16 * 1_024 * 1_024

/** A page as it is for viewers who are not signed in. */
export type CachedPage = {
  readonly html: string
  readonly body: Body
}

type Entry = CachedPage & { readonly shows: readonly unknown[] }

/** Rendered pages. None contains anything of a viewer: that is added for each request. */
export class PageCache {
  readonly #pages = new BoundedMap<string, Entry>({
    maxSize: MAX_BYTES,
    // At most: a short body is the same string.
    sizeOf: ({ body }) => 2 * body.length,
  })

  /**
   * The page, rendered if it is not cached or does not show the same any more.
   *
   * @param key tells apart pages that may be cached at the same time.
   * @param shows everything that the page is rendered from; compared one by one, objects by identity.
   */
  find(key: string, shows: readonly unknown[], render: () => string): CachedPage {
    const cached = this.#pages.get(key)
    if (cached !== undefined && isSame(cached.shows, shows)) return cached
    const html = render()
    const entry = { html, body: textBody(html), shows }
    this.#pages.set(key, entry)
    return entry
  }
}

function isSame(before: readonly unknown[], now: readonly unknown[]): boolean {
  return before.length === now.length && before.every((each, at) => each === now[at])
}
