import { Failure } from '../../contract/failure.ts'

const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i

/**
 * Refuses a body that is not plain `application/json` (D-25).
 *
 * @param types every `Content-Type` that the request has; undefined when it has none.
 * @param encoding its `Content-Encoding`.
 */
export const checkJsonMedia = (
  types: readonly string[] | undefined,
  encoding: string | undefined,
): void => {
  if (!(types ?? ['']).every((type) => JSON_TYPE.test(type))) {
    throw new Failure('unsupported_media_type', 'send the body with Content-Type: application/json')
  }
  if (encoding !== undefined) {
    throw new Failure('unsupported_media_type', 'send the body as it is, without Content-Encoding')
  }
}
