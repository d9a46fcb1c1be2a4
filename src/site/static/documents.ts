import { buildOpenapi } from '../../contract/openapi/document.ts'
import type { ServiceName } from '../../contract/services.ts'
import type { Settings } from '../../door/context.ts'

/**
 * The OpenAPI documents of both services, the same that each serves itself: a page may read only
 * what its own site serves, and has both to show.
 */
export const createDocuments = (settings: Settings): ((service: ServiceName) => string) => {
  const written = new Map<ServiceName, string>()
  return (service) => {
    const known = written.get(service)
    if (known !== undefined) return known
    const { siteUrl, keyPrefixes } = settings
    const apiUrl = service === 'packs' ? settings.apiUrl : settings.poolsUrl
    const keyPrefix = keyPrefixes[service]
    const text = JSON.stringify(buildOpenapi(service, { apiUrl, siteUrl, keyPrefix }))
    written.set(service, text)
    return text
  }
}
