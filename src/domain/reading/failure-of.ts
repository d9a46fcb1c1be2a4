import { MAX_BODY_BYTES } from '../../contract/bounds.ts'
import { Failure } from '../../contract/failure.ts'

/** What the HTTP server's own errors mean here; each is thrown before our code sees the request. */
const meanings: Readonly<Record<string, () => Failure>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () =>
    new Failure(
      'too_large',
      `the body must be at most ${MAX_BODY_BYTES} bytes; send a smaller pack`,
    ),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new Failure('unsupported_media_type', 'send the body with Content-Type: application/json'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new Failure('bad_request', 'the body is not as long as Content-Length says'),
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** What went wrong, in our words; null when it is a failure on our side. */
export const failureOf = (error: unknown): Failure | null =>
  error instanceof Failure ? error : (meanings[codeOf(error)]?.() ?? null)

/** What a client that leaves in the middle of its body did; nobody may be there to read it. */
export const bodyCutShort = (): Failure =>
  new Failure('bad_request', 'the body ended too early; send it again')

/** What stands for every failure on our side; the cause is in the log under the request's id. */
export const internalError = (): Failure =>
  new Failure('internal_error', 'something failed on our side; try again later')
