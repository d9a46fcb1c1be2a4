import { type Static, Type } from 'typebox'
import { type ErrorCode, errorCodes } from './error-codes.ts'

const codes = Object.keys(errorCodes) as ErrorCode[]

/** Every answer that is not a success (spec 2.9). */
export const ErrorReply = Type.Object(
  {
    error: Type.Object(
      {
        code: Type.Enum(codes, { description: 'Stable; check this.' }),
        message: Type.String({
          description:
            'For people; may change. Names up to ten problems of a body, separated by `; `.',
          minLength: 1,
          maxLength: 1024,
        }),
      },
      { additionalProperties: false },
    ),
  },
  {
    additionalProperties: false,
    description: 'Why a request was refused.',
    examples: [{ error: { code: 'bad_request', message: 'slots[3].index must be from 1 to 99' } }],
  },
)
export type ErrorReply = Static<typeof ErrorReply>
