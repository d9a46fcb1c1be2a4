import { callOf, mapData } from './call.ts'
import type { CallOptions, ClientOptions } from './client-options.ts'
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
  const getMe = async (given?: CallOptions) =>
    mapData(await send('getMe', {}, given), ({ user }) => user)
  return {
    get quota() {
      return quotas()
    },
    getMe: (given) => callOf(getMe(given)),
    getOpenapi: (given) => callOf(send('getOpenapi', {}, given)),
  }
}
