import { MAX_WAIT_SECONDS } from '../contract/bounds.ts'
import type { ChangePage, PackChange } from '../contract/changes.ts'
import type { packsApi } from '../contract/services.ts'
import type { CallOptions, ChangesOptions, WithResponse } from './call.ts'
import { type Connection, isTransient } from './connection.ts'
import { MapcrateError } from './errors.ts'

type ChangeConnection = Connection<Pick<typeof packsApi, 'getChanges'>>

/** After an answer that came before its time without a change, or a service that cannot be reached. */
const PAUSE_MS = 5_000

export async function readChanges(
  { send }: ChangeConnection,
  { after, wait, ...options }: ChangesOptions = {},
): Promise<WithResponse<ChangePage>> {
  const query = { ...(after !== undefined && { after }), ...(wait !== undefined && { wait }) }
  return send('getChanges', { query }, options)
}

/** Yields each change once, as it comes, for as long as the caller goes on. */
export async function* followChanges(
  connection: ChangeConnection,
  { after, ...options }: CallOptions & { readonly after?: string | undefined } = {},
): AsyncGenerator<PackChange, undefined, undefined> {
  for (let cursor = after; ;) {
    // The first answer only says where to begin: nothing is missed if the one that waits is lost.
    const place = cursor === undefined ? {} : { after: cursor, wait: MAX_WAIT_SECONDS }
    const asked = connection.now()
    try {
      const { data } = await readChanges(connection, { ...options, ...place })
      for (const change of data.changes) yield change
      const isEarly = cursor !== undefined && connection.now() - asked < PAUSE_MS
      cursor = data.cursor
      // A service that shuts down answers at once.
      if (isEarly && data.changes.length === 0 && !data.more) {
        await connection.pause(PAUSE_MS, options)
      }
    } catch (error) {
      if (!(error instanceof MapcrateError) || !maySucceedLater(error)) throw error
      await connection.pause(PAUSE_MS, options, error)
    }
  }
}

/** A quota that others use up may be free again after `maxWait`, too. */
function maySucceedLater(error: MapcrateError): boolean {
  return error.code === 'rate_limited' || isTransient(error)
}
