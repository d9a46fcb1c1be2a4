/** What a terminal obeys rather than shows, and what turns a line around. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/gu

/**
 * Text that others wrote, safe to print: what a terminal would obey is shown as a question mark.
 *
 * @param kept characters that may stand all the same: line breaks, for example.
 */
export const plain = (text: string, kept = ''): string =>
  text.replaceAll(UNPRINTABLE, (found) => (kept.includes(found) ? found : '\u{FFFD}'))

/** API keys, whatever an installation lets them begin with (spec 5). */
const API_KEY = /[A-Za-z0-9]+_[A-Za-z0-9_-]{43}/g

/** Text that others may come to read, who would then have the key. */
export const withoutKeys = (text: string): string => text.replaceAll(API_KEY, '…')
