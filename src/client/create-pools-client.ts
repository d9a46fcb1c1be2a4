import type { ClientOptions } from './client-options.ts'
import { realTime } from './client-time.ts'
import { connect } from './connection.ts'
import type { ServiceClient } from './packs-client.ts'

/**
 * A client of the tournament-pools service, which has keys and quotas of its own (spec 4.2, D-7).
 *
 * @throws TypeError when `baseUrl` is no http or https address, or `key` cannot be a key.
 */
export const createPoolsClient = (options: ClientOptions): ServiceClient => {
  const { send, quotas } = connect(options, realTime)
  return {
    get quota() {
      return quotas()
    },
    getMe: async (given) => (await send('getMe', {}, given)).user,
    getOpenapi: (given) => send('getOpenapi', {}, given),
  }
}
