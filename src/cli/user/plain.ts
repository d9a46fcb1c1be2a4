import { isolate } from '../../pool/text.ts'

/** What a terminal obeys rather than shows, and directional formatting (D-47). */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/gu

/**
 * Text that others wrote, safe to print: what a terminal would obey is shown as a question mark, and
 * text that runs right to left is isolated from the columns and words around it.
 *
 * @param kept characters that are printed as they are: line breaks, for example.
 */
export const plain = (text: string, kept = ''): string => {
  const safe = text.replaceAll(UNPRINTABLE, (found) => (kept.includes(found) ? found : '\u{FFFD}'))
  // An isolate ends with its line.
  return safe.split('\n').map(isolate).join('\n')
}

/** API keys, whatever an installation lets them begin with (spec 5). */
const API_KEY = /[A-Za-z0-9]+_[A-Za-z0-9_-]{43}/g

/** Text that others may come to read, who would then have the key. */
export const withoutKeys = (text: string): string => text.replaceAll(API_KEY, '…')
