import * as words from '#texts/key-problems'
import * as texts from '#texts/open-key'
import { worded } from '../../pool/message.ts'
import { PackKeyError, type PackKeyErrorCode } from '../../pool/pack-key/layout.ts'
import { decodePackKey, encodePackKey, findPackKey } from '../../pool/pack-key/pack-key.ts'
import type { Pool } from '../../pool/pool.ts'
import { join } from '../format.ts'
import { keep, takeKept } from '../kept.ts'

// Signing in leads over other sites' pages and back to /k. The key stays in this tab meanwhile: no
// address that a server sees holds it.
const PLACE = 'open-key'

/** Keeps the key of the address when a link to sign in is followed. */
export function keepKeyAtSignIn(): void {
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element && target.closest('a[href^="/sign-in"]'))) return
    // Where storage is off, the key has to be pasted again.
    keep(PLACE, location.hash)
  })
}

/** Puts a key that was kept back into the address, unless there is another one. */
export function bringKeyBack(): void {
  const kept = takeKept(PLACE)
  if (kept?.startsWith('#') && location.hash === '') {
    history.replaceState(null, '', location.pathname + location.search + kept)
  }
}

/** What became of a text that may hold a pack key. */
type Opened =
  | { readonly state: 'nothing' }
  | { readonly state: 'refused'; readonly title: string; readonly remedy: string }
  | { readonly state: 'open'; readonly packKey: string; readonly pool: Pool }

/** Opens the first pack key in a text: a message, a link, or the key alone. Sends nothing. */
export function readKey(text: string): Opened {
  const found = findPackKey(text)
  if (found === null && text.trim() === '') return { state: 'nothing' }
  try {
    // The cleaned pool is shown, and the key that is copied and saved is that pool's.
    const pool = decodePackKey(found ?? text)
    return { state: 'open', packKey: encodePackKey(pool), pool }
  } catch (error) {
    if (!(error instanceof PackKeyError)) throw error
    const [title, remedy] = refusals[error.code]
    return {
      state: 'refused',
      title,
      remedy:
        error.detail === null
          ? remedy
          : texts.invalidWithProblem({ problem: worded(error.detail, { words, join }) }),
    }
  }
}

const refusals: Readonly<Record<PackKeyErrorCode, readonly [title: string, remedy: string]>> = {
  empty: [texts.empty, texts.emptyRemedy],
  prefix: [texts.noKeyFound, texts.noKeyFoundRemedy],
  version: [texts.otherVersion, texts.otherVersionRemedy],
  encoding: [texts.incomplete, texts.incompleteRemedy],
  checksum: [texts.damaged, texts.damagedRemedy],
  malformed: [texts.invalid, texts.invalidRemedy],
}
