import { MAX_WAIT_SECONDS } from '../contract/bounds.ts'
import type { ChangeQuery } from '../contract/changes.ts'
import type { CallOptions, ChangesOptions, WithResponse } from './call.ts'
import { type Connection, isTransient, type JsonFields } from './connection.ts'
import { MapcrateError } from './errors.ts'
import { sleep, withSignals } from './time.ts'

/** An answer of the feed of changes of either service. */
type FeedPage<Change> = {
  readonly changes: readonly Change[]
  readonly cursor: string
  readonly more: boolean
}

type ChangeIn<Page> = Page extends FeedPage<infer Change> ? Change : never

/** Requests a part of a feed. The query as it is sent: `wait` in seconds. */
export type SendChanges<Page> = (
  query: Omit<ChangeQuery, 'wait'> & { readonly wait?: number },
  options: CallOptions,
) => Promise<WithResponse<Page>>

/** After an answer that came before its time without a change, or a service that cannot be reached. */
const PAUSE_MS = 5_000

export const isChangePage = ({ changes, cursor, more }: JsonFields): boolean =>
  Array.isArray(changes) && typeof cursor === 'string' && typeof more === 'boolean'

export function readChanges<Page>(
  send: SendChanges<Page>,
  { after, wait, ...options }: ChangesOptions = {},
): Promise<WithResponse<Page>> {
  const query = { ...(after !== undefined && { after }), ...(wait !== undefined && { wait }) }
  return send(query, options)
}

/** Yields each change once, as it comes, for as long as the caller goes on. */
export async function* followChanges<Page extends FeedPage<unknown>>(
  { time, signal, report }: Pick<Connection<never>, 'time' | 'signal' | 'report'>,
  send: SendChanges<Page>,
  { after, ...options }: Omit<ChangesOptions, 'wait'> = {},
): AsyncGenerator<ChangeIn<Page>, undefined, undefined> {
  const pause = () =>
    withSignals([signal, options.signal], (joined) => sleep(time, PAUSE_MS, joined))
  for (let cursor = after; ;) {
    // The first answer only says where to begin: nothing is missed if the one that waits is lost.
    const place = cursor === undefined ? {} : { after: cursor, wait: MAX_WAIT_SECONDS }
    const asked = time.now()
    try {
      const { data } = await readChanges(send, { ...options, ...place })
      for (const change of data.changes) yield change as ChangeIn<Page>
      const isEarly = cursor !== undefined && time.now() - asked < PAUSE_MS
      cursor = data.cursor
      // A service that shuts down answers at once.
      if (isEarly && data.changes.length === 0 && !data.more) await pause()
    } catch (error) {
      if (!(error instanceof MapcrateError)) throw error
      // A quota that others use up may be free again after `maxWait`.
      if (error.code !== 'rate_limited' && !isTransient(error)) throw error
      report({ reason: 'retry', ms: PAUSE_MS, error })
      await pause()
    }
  }
}
