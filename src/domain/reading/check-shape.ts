import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Settings } from 'typebox/system'
import { invalidInput } from '../../contract/failure.ts'
import { describeErrors } from './schema-error.ts'

/** What the library looks for in one value: enough for ten places with several faults each. */
const MOST_ERRORS = 40
Settings.Set({ maxErrors: MOST_ERRORS })

/**
 * Holds values to a schema; each problem names its place and the remedy (D-14). Nothing is coerced
 * (D-18).
 *
 * @returns what finds the problems of a value, in order; `place` is where the value itself is, empty
 *   for the body.
 */
export const problemFinder = (
  schema: TSchema,
): ((value: unknown, place: string) => readonly string[]) => {
  const compiled = Compile(schema)
  return (value, place) =>
    compiled.Check(value) ? [] : describeErrors(schema, value, compiled.Errors(value), place)
}

/** As `problemFinder`, throwing a `bad_request` that names the problems. */
export const shapeChecker = (schema: TSchema): ((value: unknown, place: string) => void) => {
  const find = problemFinder(schema)
  return (value, place) => {
    const problems = find(value, place)
    if (problems.length > 0) throw invalidInput(problems)
  }
}
