/** Every error code of the services (spec 7, D-61, D-62), for programs that need no more than the words. */
export const apiErrorCodes = [
  'bad_request',
  'unauthorized',
  'invalid_api_key',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'conflict',
  'gone',
  'precondition_failed',
  'too_large',
  'unsupported_media_type',
  'precondition_required',
  'rate_limited',
  'internal_error',
  'unavailable',
] as const
export type ApiErrorCode = (typeof apiErrorCodes)[number]
