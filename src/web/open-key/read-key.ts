import type { Pool } from '../../pool/pool.ts'
import { decodePackKey } from '../../pool/pack-key/decode-pack-key.ts'
import { findPackKey } from '../../pool/pack-key/find-pack-key.ts'
import { PackKeyError, type PackKeyErrorCode } from '../../pool/pack-key/pack-key-error.ts'

/** What became of a text that may hold a pack key. */
export type Opened =
  | { readonly state: 'nothing' }
  | { readonly state: 'refused'; readonly title: string; readonly remedy: string }
  | { readonly state: 'open'; readonly packKey: string; readonly pool: Pool }

const words: Readonly<Record<PackKeyErrorCode, readonly [title: string, remedy: string]>> = {
  empty: ['There is no pack key here', 'Paste one below.'],
  prefix: [
    'There is no pack key in this',
    'A pack key begins with pk, a number and a dot: pk1.AbC… Paste the whole message that it came in; it will be found.',
  ],
  version: [
    'This pack key is of a version that is not known here',
    'Versions 1 to 3 can be opened. Look whether its beginning was copied as it was; if so, ask for a key in one of these versions.',
  ],
  encoding: [
    'This pack key is not whole',
    'It holds a character that does not belong, or lacks some. Copy it again, from pk to its last character.',
  ],
  checksum: [
    'This pack key is damaged',
    'A character was changed or lost on the way. Copy it again where it came from, or ask for it as a link.',
  ],
  malformed: [
    'This pack key holds no valid pool',
    'It arrived as it was made, so copying it again does not help. Ask whoever made it for a new one.',
  ],
}

const refused = (error: PackKeyError): Opened => {
  const [title, remedy] = words[error.code]
  const [, detail] = error.code === 'malformed' ? error.message.split(': ') : []
  return {
    state: 'refused',
    title,
    remedy: detail === undefined ? remedy : `What is wrong: ${detail}. ${remedy}`,
  }
}

/** Opens the first pack key in a text: a message, a link, or the key alone. Sends nothing anywhere. */
export const readKey = (text: string): Opened => {
  const found = findPackKey(text)
  if (found === null && text.trim() === '') return { state: 'nothing' }
  try {
    const packKey = found ?? text
    return { state: 'open', packKey, pool: decodePackKey(packKey) }
  } catch (error) {
    if (error instanceof PackKeyError) return refused(error)
    throw error
  }
}

/** The text behind the `#` of an address; some programs write other characters in their %-spelling. */
export const textOfHash = (hash: string): string => {
  const text = hash.replace(/^#/, '')
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
