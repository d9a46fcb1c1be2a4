import type { Endpoint } from './endpoint.ts'
import { OpenapiReply } from './openapi-reply.ts'
import { UserReply } from './user.ts'

/** `GET /me`, the same on both services (spec 4). */
export const getMe = {
  method: 'GET',
  path: '/me',
  topic: 'Account',
  summary: 'Who owns this key',
  description: 'The account that the key belongs to.',
  success: { status: 200, description: 'The account.', schema: UserReply },
  errors: [401, 429, 500],
} as const satisfies Endpoint

/** `GET /openapi.json`, the same on both services (spec 4, D-11). */
export const getOpenapi = {
  method: 'GET',
  path: '/openapi.json',
  topic: 'Description',
  summary: 'This document',
  description:
    'The OpenAPI 3.1 description of this service. Needs no key and counts toward no limit.',
  keyless: true,
  success: { status: 200, description: 'The OpenAPI 3.1 document.', schema: OpenapiReply },
  errors: [400, 500],
} as const satisfies Endpoint
