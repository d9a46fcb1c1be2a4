import type { Check, CheckCounts, CheckKind } from '../contract/checks.ts'

type KindWords = {
  /** What they are called above a list of them. */
  readonly heading: string
  /** Findings with a smaller number come first: what prevents a release, then what may be meant. */
  readonly weight: number
}

/** The kinds of findings, what weighs most first. */
const kindWords: Readonly<Record<CheckKind, KindWords>> = {
  empty: { heading: 'Empty', weight: 1 },
  placeholder: { heading: 'No beatmap yet', weight: 1 },
  gone: { heading: 'Gone from the platform', weight: 2 },
  duplicate: { heading: 'Twice or more', weight: 3 },
  stars: { heading: 'Outside the star range', weight: 4 },
  length: { heading: 'Outside the length range', weight: 4 },
  bpm: { heading: 'Outside the BPM range', weight: 4 },
  keys: { heading: 'Other number of keys', weight: 4 },
  ruleset: { heading: 'Another ruleset', weight: 5 },
  status: { heading: 'Not ranked', weight: 6 },
  many: { heading: 'Many by one mapper', weight: 7 },
  unknown: { heading: 'Could not be checked', weight: 8 },
  pooled: { heading: 'Pooled before', weight: 9 },
}

const kinds = Object.keys(kindWords) as CheckKind[]

/** Findings of one kind. */
export type CheckGroup = {
  readonly kind: CheckKind
  readonly heading: string
  readonly checks: readonly Check[]
}

/** The findings by kind, what weighs most first; within a kind, they keep their order. */
export function groupChecks(checks: readonly Check[]): CheckGroup[] {
  return kinds.flatMap((kind) => {
    const found = checks.filter((check) => check.kind === kind)
    return found.length === 0 ? [] : { kind, heading: kindWords[kind].heading, checks: found }
  })
}

/** Whether findings of this kind prevent a release, so that one despite them is asked about. */
export const isGrave = (kind: CheckKind): boolean => kindWords[kind].weight <= 2

/** How many there are of each kind that occurs. */
export const countChecks = (checks: readonly Check[]): CheckCounts =>
  Object.fromEntries(groupChecks(checks).map(({ kind, checks: found }) => [kind, found.length]))

/** By kind, what weighs most first; within a kind, they keep their order. */
export const byKind = (checks: readonly Check[]): Check[] =>
  groupChecks(checks).flatMap(({ checks: found }) => found)
