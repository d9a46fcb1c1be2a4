import type { Ruleset } from '../../contract/mods.ts'

/** One beatmap of an .osdb collection; what its version does not hold is empty, 0 or `base`. */
export type OsdbBeatmap = {
  /** 0 or less when the beatmap was never submitted. */
  readonly id: number
  readonly setId: number
  readonly artist: string
  readonly title: string
  /** The difficulty's name. */
  readonly difficulty: string
  /** MD5 of the file; empty when not known. */
  readonly checksum: string
  readonly comment: string
  readonly ruleset: Ruleset
  /** Without mods. */
  readonly stars: number
}

export type OsdbCollection = {
  readonly name: string
  /** Where the collection is shared; -1 when it is not. */
  readonly onlineId: number
  readonly beatmaps: readonly OsdbBeatmap[]
  /** Checksums of beatmaps of which nothing else is known. */
  readonly hashes: readonly string[]
}

/** What an .osdb file holds. */
export type Osdb = {
  /** 1 to 8. */
  readonly version: number
  /** Milliseconds since 1970; null when the file names no date there is. */
  readonly savedAt: number | null
  /** Who saved it. */
  readonly editor: string
  readonly collections: readonly OsdbCollection[]
}

/** What stands at the end of every file. */
export const OSDB_FOOTER = 'By Piotrekol'

const DAY = 86_400_000
/** 1970 in days of OLE Automation, which begin with 1900. */
const EPOCH = 25_569

export function toOleDate(milliseconds: number): number {
  return milliseconds / DAY + EPOCH
}

export function fromOleDate(days: number): number | null {
  const milliseconds = Math.round((days - EPOCH) * DAY)
  return Number.isNaN(new Date(milliseconds).getTime()) ? null : milliseconds
}
