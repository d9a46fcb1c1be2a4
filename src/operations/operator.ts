import { NOTICE_LENGTH, REASON_LENGTH } from '../contract/bounds.ts'
import { AppError } from '../contract/errors.ts'
import { checkLine } from '../domain/accounts.ts'
import { findInName, findInText } from '../pool/text.ts'
import type {
  CurrentOperatorState,
  OperatorNotice,
  OperatorState,
  OperatorStateStore,
  ReadOnlyMode,
} from '../ports/store.ts'
import type { Ports } from '../ports/ports.ts'

/** What this process knows of what the operator has decided: requests look here, not into the store. */
export class OperatorWatch implements CurrentOperatorState {
  readonly #store: Pick<OperatorStateStore, 'readState'>
  current: OperatorState = { notice: null, readOnly: null }

  constructor(store: Pick<OperatorStateStore, 'readState'>) {
    this.#store = store
  }

  /** Reads it from the store. Pages are made anew when the object is another one. */
  async look(): Promise<void> {
    const found = await this.#store.readState()
    if (JSON.stringify(found) !== JSON.stringify(this.current)) this.current = found
  }
}

type OperatorPorts = Pick<Ports, 'operatorState' | 'clock'>

/** A notice as it is shown; throws `bad_request` unless it is one line that can be seen, of at most `NOTICE_LENGTH` (D-47). */
export const checkNotice = (text: string): string =>
  checkLine('the notice', text, NOTICE_LENGTH, findInName)

/** Why nothing can be changed, as it is shown; throws `bad_request` unless it is one line of at most `REASON_LENGTH`. */
export const checkReadOnlyReason = (text: string): string =>
  checkLine('reason', text, REASON_LENGTH, findInText)

/**
 * Shows a notice on all pages of both sites in place of the one before; null: none any more. Throws as
 * `checkNotice`. Returns what is shown from now on, and what was.
 */
export async function setNotice({ operatorState, clock }: OperatorPorts, text: string | null) {
  const line = text === null ? null : checkNotice(text)
  const notice: OperatorNotice | null = line === null ? null : { text: line, since: clock.now() }
  return { notice, before: await operatorState.setNotice(notice) }
}

/**
 * Lets nothing be changed any more, in every running process within seconds, or everything again (null). Of a mode that
 * is on already, the time stays. Throws as `checkReadOnlyReason`. Returns what there was.
 */
export async function setReadOnly(
  { operatorState, clock }: OperatorPorts,
  wanted: { readonly reason: string | undefined } | null,
): Promise<ReadOnlyMode | null> {
  if (wanted === null) return operatorState.setReadOnly(null)
  const { reason: given } = wanted
  const reason = given === undefined ? null : checkReadOnlyReason(given)
  const { readOnly } = await operatorState.readState()
  return operatorState.setReadOnly({ reason, since: readOnly?.since ?? clock.now() })
}

/** `Retry-After` of a write while the operator lets nothing be changed, in seconds. */
const RETRY_AFTER_READ_ONLY = 30

/** The refusal of every write while the operator lets nothing be changed. */
export function readOnlyRefusal(reason: string | null): AppError {
  const why = reason === null ? '' : `: ${reason}`
  const message = `nothing can be changed at the moment; the operator has made the service read-only for a while${why}`
  return new AppError('unavailable:read_only', message, RETRY_AFTER_READ_ONLY)
}
