import { API_PREFIX } from '../../contract/endpoint.ts'
import type { OpenapiDocument } from '../../contract/openapi/types.ts'
import type { ServiceName } from '../../contract/services.ts'
import { pageData } from '../page-data.ts'
import { readFailure, unreachable } from '../site-failure.ts'

/** Where this site has the document of a service: its own from the service, the other's beside it. */
export const documentPath = (service: ServiceName): string =>
  service === pageData().service ? `${API_PREFIX}/openapi.json` : `/docs/openapi/${service}.json`

/** @throws CallFailure with a sentence for people. */
export const loadDocument = async (
  service: ServiceName,
  signal: AbortSignal,
): Promise<OpenapiDocument> => {
  const response = await fetch(documentPath(service), { signal }).catch((error: unknown) => {
    throw signal.aborted ? error : unreachable()
  })
  if (!response.ok) throw await readFailure(response)
  return (await response.json()) as OpenapiDocument
}
