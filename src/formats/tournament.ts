import type { BeatmapDetails } from '../contract/beatmaps.ts'
import type { Ruleset } from '../contract/mods.ts'
import type { Pool } from '../pool/pool.ts'
import { codesInUse } from '../pool/slots.ts'
import { cleanLine } from '../pool/text.ts'
import type { PoolOfRound } from './tables.ts'

/** A round of a tournament, as the formats write it. */
export type RoundPool = PoolOfRound & {
  /** Odd, from 1 to 23. */
  readonly bestOf?: number | undefined
  /** From 0 to 5. */
  readonly bans?: number | undefined
  /** When the round begins, in ISO 8601. */
  readonly startsAt?: string | undefined
}

/** The pools of a tournament, or of some of its rounds, in the order in which they are written. */
export type TournamentSheet = {
  readonly name: string
  /** Precedes the rounds' names in collections, in place of the name. */
  readonly shortName?: string | undefined
  /** That of most beatmaps when left out. */
  readonly ruleset?: Ruleset | undefined
  /** Their names differ, ignoring case. */
  readonly rounds: readonly RoundPool[]
}

export type TournamentOptions = {
  /** Milliseconds since 1970, for formats that contain a date. */
  readonly savedAt: number
  /** A file to put the rounds into; only for formats that merge. */
  readonly into?: Uint8Array | undefined
}

export type TournamentFile = {
  readonly content: string | Uint8Array<ArrayBuffer>
  /** The number of slots that are not whole, for lack of details; `isLeftOut` says what became of them. */
  readonly incomplete: number
}

export type TournamentFormat = {
  readonly label: string
  /** What it contains or is for, in a few words. */
  readonly about: string
  /** To be added to a file's name: ` bracket.json`. */
  readonly ending: string
  /** Whether the content is text that people may want to copy. */
  readonly isText: boolean
  /** Whether slots of unknown beatmaps are left out; else they are written by their ids. */
  readonly isLeftOut: boolean
  /** Whether the rounds can be put into an existing file, of which all else stays as it is. */
  readonly merges: boolean
  /** @throws FormatError when the file to be merged into is damaged or has two rounds of one name. */
  readonly write: (sheet: TournamentSheet, options: TournamentOptions) => Promise<TournamentFile>
}

export type TournamentFormatId =
  | 'bracket'
  | 'csv'
  | 'tsv'
  | 'osdb'
  | 'osdb-buckets'
  | 'wiki'
  | 'bbcode'
  | 'referee'
  | 'codes'
  | 'overlay'

/** A text that has every slot; those without details are incomplete. */
function text(
  label: string,
  about: string,
  ending: string,
  write: (sheet: TournamentSheet) => Promise<string>,
): TournamentFormat {
  return {
    label,
    about,
    ending,
    isText: true,
    isLeftOut: false,
    merges: false,
    write: async (sheet) => {
      const unknown = sheet.rounds.map(({ pool, details }) => pool.slots.length - details.size)
      const incomplete = unknown.reduce((sum, each) => sum + each, 0)
      return { content: await write(sheet), incomplete }
    },
  }
}

/** A text that needs no details. */
function list(...texts: Parameters<typeof text>): TournamentFormat {
  const [, , , write] = texts
  return {
    ...text(...texts),
    write: async (sheet) => ({ content: await write(sheet), incomplete: 0 }),
  }
}

const collections = { isText: false, isLeftOut: true, merges: false } as const

/** The formats of a whole tournament, for the site and the command line. What writes one is loaded when needed. */
export const tournamentFormats: Readonly<Record<TournamentFormatId, TournamentFormat>> = {
  bracket: {
    label: 'bracket.json',
    about: 'All rounds for the tournament client',
    ending: ' bracket.json',
    isText: true,
    isLeftOut: false,
    merges: true,
    write: writeBracket,
  },
  csv: text('Spreadsheet', 'One table with a column for the round', '.csv', async ({ rounds }) =>
    (await import('./tables.ts')).writeRoundsCsv(rounds),
  ),
  tsv: text('Spreadsheet cells', 'To paste into a sheet', '.tsv', async ({ rounds }) =>
    (await import('./tables.ts')).writeRoundsTsv(rounds),
  ),
  osdb: {
    ...collections,
    label: 'Collections (.osdb)',
    about: 'For Collection Manager, one per round',
    ending: '.osdb',
    write: (sheet, options) => writeCollections(sheet, options, false),
  },
  'osdb-buckets': {
    ...collections,
    label: 'Collections by bucket (.osdb)',
    about: 'For Collection Manager, one per bucket of each round',
    ending: ' buckets.osdb',
    write: (sheet, options) => writeCollections(sheet, options, true),
  },
  wiki: text(
    'Wiki Markdown',
    'Mappools as in articles of the osu! wiki',
    ' wiki.md',
    async ({ rounds }) => (await import('./posts.ts')).writeWiki(rounds),
  ),
  bbcode: text('BBCode', 'For a forum post', ' forum.txt', async ({ rounds }) =>
    (await import('./posts.ts')).writeBbcode(rounds),
  ),
  referee: text(
    'Referee lines',
    '!mp commands for each slot, by round',
    ' referee.txt',
    writeReferee,
  ),
  codes: list(
    'Referee bots',
    'Codes and ids as JSON, by round',
    ' codes.json',
    async ({ rounds }) => (await import('./picks.ts')).writeCodesOfRounds(rounds),
  ),
  overlay: list(
    'Stream overlays',
    'Beatmaps, picks and mods as JSON, by round',
    ' overlay.json',
    async ({ rounds }) => (await import('./picks.ts')).writeOverlayOfRounds(rounds),
  ),
}

async function writeBracket(
  { rounds, ruleset }: TournamentSheet,
  { into }: TournamentOptions,
): Promise<TournamentFile> {
  const { mergeRounds, rulesetOfMost, writeRounds } = await import('./bracket/write-bracket.ts')
  if (into !== undefined) {
    const { editText } = await import('./file-content.ts')
    return { content: editText(into, (text) => mergeRounds(text, rounds)), incomplete: 0 }
  }
  const slots = rounds.flatMap(({ pool }) => pool.slots)
  const details = new Map(rounds.flatMap((round) => [...detailsById(round)]))
  const content = writeRounds(rounds, ruleset ?? rulesetOfMost({ slots }, details))
  return { content, incomplete: 0 }
}

async function writeCollections(
  sheet: TournamentSheet,
  { savedAt }: TournamentOptions,
  isByBucket: boolean,
): Promise<TournamentFile> {
  const { osdbOf, writeOsdb } = await import('./collection/osdb.ts')
  const all = sheet.rounds.flatMap((round) => {
    const details = detailsById(round)
    return poolsOf(round, sheet, isByBucket).map((pool) => osdbOf(pool, details))
  })
  const content = await writeOsdb(
    all.map(({ collection }) => collection).filter(({ beatmaps }) => beatmaps.length > 0),
    { savedAt, editor: 'Mapcrate' },
  )
  return { content, incomplete: all.reduce((sum, { leftOut }) => sum + leftOut.length, 0) }
}

/** The pool of a round, or one for each of its buckets that has slots, by the names of their collections. */
function poolsOf({ name, pool }: RoundPool, sheet: TournamentSheet, isByBucket: boolean): Pool[] {
  const whole = `${(sheet.shortName ?? sheet.name).trim()} ${name.trim()}`
  if (!isByBucket) return [{ ...pool, name: whole }]
  return codesInUse(pool).map((code) => ({
    ...pool,
    name: code === null ? whole : `${whole} ${code}`,
    slots: pool.slots.filter(({ mod }) => mod === code),
  }))
}

async function writeReferee({ rounds }: TournamentSheet): Promise<string> {
  const { refereeLines } = await import('./lists.ts')
  return rounds
    .map(
      (round) => `## ${cleanLine(round.name)}\n\n${refereeLines(round.pool, detailsById(round))}`,
    )
    .join('\n')
}

/** What is known of the beatmaps of a pool, by their ids. */
export function detailsById({ details }: Pick<RoundPool, 'details'>): Map<number, BeatmapDetails> {
  return new Map(Array.from(details.values(), ({ details: each }) => [each.id, each]))
}
