import { unseal } from './envelope.ts'

const candidates = /(?<![A-Za-z0-9_-])pk[0-9]+\.[A-Za-z0-9_-]+/g

/**
 * The first pack key in a longer text: a chat message, a link. It may stand behind anything but
 * `A–Z a–z 0–9 - _` and reaches to the first character that no key has.
 *
 * What only looks like a key (`pk2.0 is out`), or is damaged, is passed over when a whole one
 * follows; when none does, it is given all the same, so that opening it says what is wrong.
 *
 * @returns null when nothing looks like a key.
 */
export function findPackKey(text: string): string | null {
  let first: string | null = null
  for (const [candidate] of text.matchAll(candidates)) {
    if (typeof unseal(candidate) !== 'string') return candidate
    first ??= candidate
  }
  return first
}
