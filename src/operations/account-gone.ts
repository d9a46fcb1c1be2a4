import { Failure } from '../contract/errors.ts'

/** The account was deleted while the request was under way, and its keys with it (spec 5). */
export const accountGone = (): Failure =>
  new Failure('invalid_api_key', 'the account of this API key was deleted')
