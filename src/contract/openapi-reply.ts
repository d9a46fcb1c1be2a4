import { Type } from 'typebox'

/** The version of OpenAPI that the documents are written in; 3.1.0 is what most tools look for. */
export const OPENAPI_VERSION = '3.1.0'
/** The version of both services (spec 9). */
export const API_VERSION = '1'

const part = (description: string) =>
  Type.Object({}, { additionalProperties: true, description, maxProperties: 1000 })
const parts = (description: string) =>
  Type.Array(part('One of them.'), { description, maxItems: 100 })

export const openapiExample = {
  openapi: OPENAPI_VERSION,
  info: { title: 'Mapcrate packs API', version: API_VERSION },
  servers: [{ url: 'https://mapcrate.test/api/v1' }],
  security: [{ apiKey: [] }],
  tags: [],
  paths: {},
  components: {},
}

/** Answer of `GET /openapi.json`; what stands inside its parts is OpenAPI's own to say. */
export const OpenapiReply = Type.Unsafe<object>(
  Type.Object(
    {
      openapi: Type.Literal(OPENAPI_VERSION),
      info: part('Title, version, licence and a guide in short.'),
      servers: parts('Where the service answers.'),
      security: parts('What a request needs unless its operation says otherwise.'),
      tags: parts('What the operations are about.'),
      paths: part('The operations by path and method.'),
      components: part('What the operations share.'),
    },
    {
      additionalProperties: false,
      description: 'An OpenAPI 3.1 document.',
      examples: [openapiExample],
    },
  ),
)
