import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Failure } from '../../contract/failure.ts'
import { describeError } from './schema-error.ts'

/**
 * Holds values to a schema; `bad_request` names the place and the remedy (D-14). Nothing is coerced
 * (D-18).
 *
 * @returns what checks a value; `place` is where the value itself stands, empty for the body.
 */
export const shapeChecker = (schema: TSchema): ((value: unknown, place: string) => void) => {
  const compiled = Compile(schema)
  return (value, place) => {
    if (compiled.Check(value)) return
    const [error] = compiled.Errors(value)
    throw new Failure('bad_request', describeError(schema, error, place))
  }
}
