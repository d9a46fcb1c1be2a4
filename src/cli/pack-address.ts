import { SLUG_PATTERN } from '../contract/bounds.ts'

/** What names a pack on a command line: its slug, or the address of its page or of its API resource. */
export type PackAddress = {
  readonly slug: string
  /** Host and port of the address in lower case; null for a slug alone. */
  readonly host: string | null
}

const SLUG = new RegExp(SLUG_PATTERN)
const PACK_URL =
  /^(?:https?:\/\/)?([^\s/?#@]+)\/(?:[^\s?#]*\/)?(?:p|api\/v1\/packs)\/([^\s/?#]+)\/?(?:[?#].*)?$/i

/** Reads a slug or a pack's address, `https://packs.example/p/SLUG`; null when it is neither. */
export const readPackAddress = (text: string): PackAddress | null => {
  if (SLUG.test(text)) return { slug: text, host: null }
  const [, host = '', slug = ''] = PACK_URL.exec(text.trim()) ?? []
  return SLUG.test(slug) ? { slug, host: host.toLowerCase() } : null
}
