import type { ClientOptions } from './client-options.ts'
import { realTime } from './client-time.ts'
import { connect } from './connection.ts'
import type { PacksClient } from './packs-client.ts'
import { packsClient } from './packs-functions.ts'

/**
 * A client of the packs service. Nothing is sent before the first call.
 *
 * @throws TypeError when `baseUrl` is no http or https address, or `key` cannot be a key.
 */
export const createClient = (options: ClientOptions): PacksClient =>
  packsClient(connect(options, realTime))
