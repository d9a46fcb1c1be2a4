import type { VNode } from 'preact'

/** Rows of this many packs take 16 MB. */
const MOST_ENTRIES = 5_000

const cached = new Map<string, string>()
let render: ((content: VNode) => string) | null = null

/** Lets `cachedHtml` cache what this renders: for the server, which shows the same to many. */
export function cacheHtml(renderToString: (content: VNode) => string): void {
  render = renderToString
}

/**
 * The content of an element as `dangerouslySetInnerHTML` takes it, rendered once for all pages that the server renders;
 * null in a browser, where it has to be rendered as elements.
 *
 * @param key all that the content depends on.
 */
export function cachedHtml(key: string, content: () => VNode): { __html: string } | null {
  if (render === null) return null
  const html = cached.get(key) ?? render(content())
  // Those that were not used for the longest time come first.
  cached.delete(key)
  cached.set(key, html)
  const [oldest = ''] = cached.size > MOST_ENTRIES ? cached.keys() : []
  cached.delete(oldest)
  return { __html: html }
}
