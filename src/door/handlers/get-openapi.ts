import { buildOpenapi } from '../../contract/openapi/document.ts'
import type { getOpenapi as endpoint } from '../../contract/services.ts'
import type { ServiceContext } from '../context.ts'
import type { Handler } from '../handler.ts'
import { type JsonBody, jsonBody } from '../json-body.ts'

const documents = new WeakMap<ServiceContext, JsonBody<object>>()

export const handleGetOpenapi: Handler<typeof endpoint> = async (context) => {
  const known = documents.get(context) ?? jsonBody(buildOpenapi(context.service, context.settings))
  documents.set(context, known)
  return { json: known }
}
