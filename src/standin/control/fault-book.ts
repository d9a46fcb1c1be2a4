import { type Static, Type } from 'typebox'
import { type CallKind, callKinds } from './call-log.ts'

/** What can go wrong with a call; README.md says what each does. */
export const faultNames = [
  'delay',
  'silence',
  'reset',
  'unauthorized',
  'forbidden',
  'missing',
  'refused',
  'throttled',
  'down',
  'html',
  'truncated',
  'wrong-types',
  'wrong-content-type',
  'cut',
  'stall',
] as const

/** A fault as it is ordered. Closed: a misspelt field would make a test pass for nothing. */
export const FaultInput = Type.Object(
  {
    fault: Type.Enum(faultNames),
    /** Left out: every kind. */
    kind: Type.Optional(Type.Enum(callKinds)),
    /** Calls that ask for one of these; left out: all. */
    ids: Type.Optional(Type.Array(Type.Integer(), { minItems: 1 })),
    /** How many calls it meets; left out: until it is cleared. */
    times: Type.Optional(Type.Integer({ minimum: 1 })),
    /** Waiting time before anything else happens, in ms. */
    delay: Type.Optional(Type.Integer({ minimum: 0, maximum: 3_600_000 })),
    /** `Retry-After` of `throttled`, as it stands; left out: no such header. */
    retryAfter: Type.Optional(Type.Union([Type.Integer(), Type.String()])),
    /** Status of `html`; left out: 200. */
    status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599 })),
  },
  { additionalProperties: false },
)
export type FaultInput = Static<typeof FaultInput>

/** An ordered fault and the calls it has met. */
export type Fault = FaultInput & { met: number }

const meets = (fault: Fault, kind: CallKind, ids: readonly number[]): boolean =>
  (fault.kind === undefined || fault.kind === kind) &&
  (fault.ids === undefined || fault.ids.some((id) => ids.includes(id))) &&
  (fault.times === undefined || fault.met < fault.times)

/** The ordered faults; a call meets the first that is meant for it. */
export const createFaultBook = () => {
  let faults: Fault[] = []
  return {
    add: (input: FaultInput): Fault => {
      const fault = { ...input, met: 0 }
      faults.push(fault)
      return fault
    },
    meet: (kind: CallKind, ids: readonly number[]): Fault | undefined => {
      const fault = faults.find((candidate) => meets(candidate, kind, ids))
      if (fault !== undefined) fault.met += 1
      return fault
    },
    list: (): readonly Fault[] => faults,
    clear: () => {
      faults = []
    },
  }
}
