import type { SitePack } from '../../../contract/site-pack.ts'
import { CallFailure, explain } from '../../site-failure.ts'
import type { Edit } from '../edit.ts'
import { readRefusal, type Refusal } from './refusal.ts'

/** How saving stands. Whatever it is, the edit and its draft are as they were. */
export type SaveState =
  | { readonly phase: 'idle' | 'saving' | 'saved' }
  /** The site told to wait; saving goes on by itself then. Milliseconds since 1970. */
  | { readonly phase: 'waiting'; readonly until: number }
  /** The session has ended, or another one began. */
  | { readonly phase: 'signed-out' | 'other-session' }
  /** The account holds as many packs as it may. */
  | { readonly phase: 'full' }
  /** This pack was deleted elsewhere. */
  | { readonly phase: 'deleted' }
  | { readonly phase: 'refused'; readonly refusal: Refusal }
  /** The pack is another one than the edit began from. */
  | { readonly phase: 'conflict'; readonly theirs: SitePack; readonly isAtStart: boolean }
  | { readonly phase: 'failed'; readonly message: string }

/** What a failed save leads to; `look` means that the pack was changed elsewhere. */
export const afterFailure = (
  error: unknown,
  edit: Edit,
  isNew: boolean,
  now: number,
): SaveState | 'look' => {
  if (!(error instanceof CallFailure)) return { phase: 'failed', message: explain(error) }
  const { code, message, retryAfter } = error
  switch (code) {
    case 'bad_request':
      return { phase: 'refused', refusal: readRefusal(message, edit) }
    case 'not_signed_in':
      return { phase: 'signed-out' }
    case 'forbidden':
      return { phase: 'other-session' }
    case 'conflict':
      return isNew ? { phase: 'full' } : 'look'
    case 'not_found':
      return { phase: 'deleted' }
    case 'rate_limited':
      return { phase: 'waiting', until: now + (retryAfter ?? 60) * 1000 }
    default:
      return { phase: 'failed', message }
  }
}
