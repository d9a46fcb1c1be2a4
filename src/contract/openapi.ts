import { API_PREFIX } from './endpoint.ts'
import { API_VERSION, OPENAPI_VERSION } from './openapi-reply.ts'
import { headerMakers } from './openapi/headers.ts'
import { pathsOf } from './openapi/operations.ts'
import { parameterMakers } from './openapi/parameters.ts'
import { guide, summaries, titles, topics } from './openapi/prose.ts'
import { replyMakers } from './openapi/refusals.ts'
import { schemaMakers } from './openapi/schemas.ts'
import { openShelf } from './openapi/shelf.ts'
import type { OpenapiDocument } from './openapi/types.ts'
import { type ServiceName, endpointsOf } from './services.ts'

/** What a document says of the place where the service runs. */
export type OpenapiOptions = {
  /** The service's public address without `/api/v1`: `https://packs.test`. */
  readonly apiUrl: string
  /** The site's public address. */
  readonly siteUrl: string
  /** What the service's keys begin with, before the underscore. */
  readonly keyPrefix: string
}

const keyScheme = (keyPrefix: string) => ({
  type: 'http',
  scheme: 'bearer',
  bearerFormat: `${keyPrefix}_ and 43 letters, digits, - or _`,
  description: `An API key: \`${keyPrefix}_\` followed by 43 characters of base64url (letters, digits, \`-\` and \`_\`).`,
})

const withoutSlash = (url: string): string => url.replace(/\/+$/, '')

/** The OpenAPI 3.1 document of a service, made from its endpoints (spec 4, 9). */
export const buildOpenapi = (service: ServiceName, options: OpenapiOptions): OpenapiDocument => {
  const siteUrl = withoutSlash(options.siteUrl)
  const endpoints = endpointsOf[service]
  const used = new Set(Object.values(endpoints).map(({ topic }) => topic))
  const shelf = openShelf({
    schemas: schemaMakers,
    parameters: parameterMakers,
    headers: headerMakers,
    responses: replyMakers,
  })
  const paths = pathsOf(endpoints, shelf.refer)
  return {
    openapi: OPENAPI_VERSION,
    info: {
      title: titles[service],
      summary: summaries[service],
      version: API_VERSION,
      description: guide(service, siteUrl),
      contact: { name: 'Who runs this service', url: siteUrl },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      { url: withoutSlash(options.apiUrl) + API_PREFIX, description: 'This installation.' },
    ],
    security: [{ apiKey: [] }],
    tags: [...used].map((name) => ({ name, description: topics[name] })),
    paths,
    components: { securitySchemes: { apiKey: keyScheme(options.keyPrefix) }, ...shelf.parts() },
  }
}
