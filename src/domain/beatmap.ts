import type { ForcedMod, Ruleset } from '../contract/mods.ts'
import type { Requester } from './requester.ts'

/** A beatmap as the platform tells it. Lengths, BPM and stars are without mods. */
export type Beatmap = {
  readonly id: number
  readonly setId: number
  readonly ruleset: Ruleset
  /** The difficulty's name. */
  readonly difficulty: string
  readonly stars: number
  /** Seconds. */
  readonly length: number
  /** May be fractional; null when the platform knows none. */
  readonly bpm: number | null
  readonly circleSize: number
  readonly approachRate: number
  readonly overallDifficulty: number
  readonly healthDrain: number
  readonly maxCombo: number | null
  /** MD5 of the file; null when the platform knows none. */
  readonly checksum: string | null
  /** `ranked`, `loved`, `graveyard` … as the platform has it. */
  readonly status: string
  readonly title: string
  readonly titleUnicode: string
  readonly artist: string
  readonly artistUnicode: string
  readonly mapper: string
}

/** What a rating with mods is asked and remembered by. */
export type RatingKey = {
  readonly beatmapId: number
  /** The beatmap's own ruleset. */
  readonly ruleset: Ruleset
  /** At least one, in the order EZ HD HR DT HT FL. */
  readonly mods: readonly ForcedMod[]
}

/**
 * What the platform says of a rating: the stars; `refused`, it rates no such combination and the
 * plain rating counts (D-35); `gone`, there is no such beatmap.
 */
export type Rating = { readonly stars: number } | 'refused' | 'gone'

/** What calls are made for: the worker, somebody who waits for a page, or somebody who signs in. */
export type CallerKind = 'background' | 'visitor' | 'sign-in'

/** Whose call it is. A visitor is known by who asks; `visitor` alone is one of whom that is not known. */
export type Caller = CallerKind | Requester

/** Whether no more is known of a caller than its kind. */
export function isCallerKind(caller: Caller): caller is CallerKind {
  return caller === 'background' || caller === 'visitor' || caller === 'sign-in'
}

/** What a call of this caller is made for. */
export function callerKind(caller: Caller): CallerKind {
  return isCallerKind(caller) ? caller : 'visitor'
}
