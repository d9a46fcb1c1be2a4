import { serviceNames } from '../contract/services.ts'
import { SIGN_IN_CALLBACK } from '../site/sign-in/sign-in.ts'
import type { Config } from './config.ts'
import { localUrl } from './listen.ts'

/** Where the platform sends people back to: what is to be registered there. Without public addresses, those of this machine. */
export function signInAddresses(config: Config): readonly string[] {
  const { packs, pools, site } = config.publicUrls
  const known = [site ?? packs, pools].filter((url) => url !== null)
  const own =
    known.length > 0 ? known : serviceNames.map((name) => localUrl(config, config.ports[name]))
  return [...new Set(own)].map((url) => new URL(url).origin + SIGN_IN_CALLBACK)
}
