import { useRef, useState } from 'preact/hooks'
import type { Round } from '../../contract/rounds.ts'
import { type RoundField, roundFields, slotFields } from '../../pool/round-fields.ts'
import { foldName, placeKey } from '../../pool/slots.ts'
import { contentText, textOf } from '../editing/changes.ts'

// What a sheet changes is decided by what the page showed of a round. What others change of it meanwhile takes the
// decision back, and is marked (D-83).

export type ShownRound = Pick<Round, 'id' | 'slots' | 'buckets' | RoundField>

/** What was shown of the round that a part of a sheet is merged with, and what was decided of it. */
export type ShownPart<R extends ShownRound = Round> = {
  /** As it is now; undefined: the sheet makes a new one. */
  readonly round: R | undefined
  /** By `placeKey`, and fields by their names: what was changed since it was shown first. */
  readonly changed: ReadonlySet<string>
  /** By the same: whether a difference is taken; of others, the page decides. */
  readonly decided: ReadonlyMap<string, boolean>
  readonly isTaken: boolean
  /** Whether there is another round of this name, or none, since it was shown first. */
  readonly isOther: boolean
}

export const firstShown = <R extends ShownRound>(round: R | undefined): ShownPart<R> => ({
  round,
  changed: new Set(),
  decided: new Map(),
  isTaken: true,
  isOther: false,
})

/** The part beside the round as it is now. What has changed of it is not taken until somebody takes it again. */
export function followed<R extends ShownRound>(
  part: ShownPart<R>,
  now: R | undefined,
): ShownPart<R> {
  if (part.round?.id !== now?.id) return { ...firstShown(now), isTaken: false, isOther: true }
  const [was, is] = [contentsOf(part.round), contentsOf(now)]
  const changed = [...new Set([...was.keys(), ...is.keys()])].filter(
    (key) => was.get(key) !== is.get(key),
  )
  return {
    ...part,
    round: now,
    changed: new Set([...part.changed, ...changed]),
    decided: new Map([...part.decided, ...changed.map((key) => [key, false] as const)]),
  }
}

const contentsOf = (round: ShownRound | undefined): ReadonlyMap<string, string | undefined> =>
  new Map([
    ...(round?.slots ?? []).map(
      (slot) => [placeKey(slot), contentText(slotFields.sent(slot))] as const,
    ),
    ...roundFields.names.map((field) => [field, textOf(round?.[field])] as const),
  ])

export const withDecision = <P extends ShownPart<ShownRound>>(
  part: P,
  keys: readonly string[],
  isTaken: boolean,
): P => ({
  ...part,
  decided: new Map([...part.decided, ...keys.map((key) => [key, isTaken] as const)]),
})

/** What the dialog has shown so far of each part. A part that gets another name is shown for the first time. */
export function useShownParts() {
  const shown = useRef(new Map<string, ShownPart>())
  const [, renderAgain] = useState({})
  const keyOf = (at: number, name: string): string => `${at} ${foldName(name)}`
  return {
    see(at: number, name: string, round: Round | undefined): ShownPart {
      const key = keyOf(at, name)
      const before = shown.current.get(key)
      const part = before === undefined ? firstShown(round) : followed(before, round)
      shown.current.set(key, part)
      return part
    },
    decide(at: number, name: string, part: ShownPart): void {
      shown.current.set(keyOf(at, name), part)
      renderAgain({})
    },
    clear(): void {
      shown.current.clear()
      renderAgain({})
    },
  }
}
