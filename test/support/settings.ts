import { type Installation, SOFTWARE_NAME } from '../../src/domain/installation.ts'
import type { ServiceName } from '../../src/contract/services.ts'
import type { Settings } from '../../src/door/context.ts'
import type { Platform } from '../../src/ports/platform.ts'

/** One that was given nothing of its own. */
export const plainInstallation: Installation = {
  name: SOFTWARE_NAME,
  contact: null,
  accent: null,
  logo: null,
}

/** How services present themselves in tests that do not ask. */
export const testSettings = (service: ServiceName): Settings => ({
  keyPrefixes: { packs: 'packs', pools: 'pools' },
  ownUrl: `http://${service}.test`,
  ownApiUrl: `http://${service}.test`,
  apiUrl: 'http://packs.test',
  poolsUrl: 'http://pools.test',
  siteUrl: 'http://site.test',
  coversUrl: 'http://covers.test',
  poolsOwnerName: 'Tournament pools',
  installation: plainInstallation,
  mirrors: [],
  cookieSecret: 'a secret',
  trustedProxies: [],
})

const refuse = (): never => {
  throw new Error('this test has no platform')
}

/** For tests of the API alone. */
export const noPlatform: Platform = new Proxy({} as Platform, { get: () => refuse })
