import { type PackField, packFieldLabels } from '../pool/pack-fields.ts'
import type { ReadableFormat } from './file-content.ts'
import { detailsById, type Sheet, type WriteOptions } from './sheet.ts'

/** What a format may carry of a pool, with its name in the documents. */
const poolParts = {
  name: 'Name',
  beatmaps: 'Beatmaps',
  buckets: 'Buckets of the slots',
  numbers: 'Slot numbers',
  order: 'Bucket order',
  colors: 'Colours',
  mods: 'Mods of buckets',
} as const
export type PoolPart = keyof typeof poolParts

/** What a format may carry of a pack: its fields, too. */
export type PackPart = PoolPart | PackField
export const packParts: Readonly<Record<PackPart, string>> = { ...poolParts, ...packFieldLabels }

export type FormatNeed =
  | 'nothing'
  /** Fills columns in; without it they are empty. */
  | 'details'
  /** Decides what is written of rulesets; the base one where it is not known. */
  | 'rulesets'
  /** Beatmaps without one are left out, and that is reported. */
  | 'checksums'

/** What a row of the table declares. */
type Row = {
  readonly label: string
  /** What a file of one pool contains or is for, in a few words. */
  readonly about: string
  /** Continues `about` for several pools, before `round` or `pack`: `one per`. */
  readonly several: 'by' | 'one per' | 'with a column for the'
  /** To be added to a file's name, with the extension: ` bracket.json`. */
  readonly ending: string
  /** What a writer needs of beatmaps besides the pool. */
  readonly needs: FormatNeed
  /** The parts that are written, and read back unchanged where there is a reader. A part in neither list is lost. */
  readonly carries: readonly PackPart[]
  /** The parts that are written in part, or are not read back; the note says which. */
  readonly partly: readonly PackPart[]
  readonly note: string
  /** Which reader takes such a file; left out where no pool can be made of it. */
  readonly read?: ReadableFormat
  /** For files into which pools can be put, of which all else stays as it is. */
  readonly merge?: {
    /** What the file calls a pool. */
    readonly noun: 'round' | 'collection'
    /** A player has one such file: a new one would replace all that is in it, so that merging is offered first. */
    readonly isFirst?: true
    /** The names of the pools in a file, in order. Throws a `FormatError` for a damaged file. */
    readonly names: (file: Uint8Array) => Promise<string[]>
  }
  /** False for bytes, which cannot be copied as text. */
  readonly isText: boolean
  /** Whether slots of a round that have no beatmap yet are written, too (D-78). */
  readonly keepsPlanned?: boolean
  /** Loads what writes the format. */
  readonly write: (sheet: Sheet, options: WriteOptions) => Promise<WrittenFile['content']>
}

export type WrittenFile = {
  readonly content: string | Uint8Array<ArrayBuffer>
  /** The number of slots that are not whole, for lack of details; `isLeftOut` says what became of them. */
  readonly incomplete: number
}

export type Format = Omit<Row, 'write'> & {
  /** Whether slots of unknown beatmaps are left out; else they are written by their ids. */
  readonly isLeftOut: boolean
  readonly merges: boolean
  /** @throws FormatError when the file to be merged into is damaged, or pools have the same name in it. */
  readonly write: (sheet: Sheet, options: WriteOptions) => Promise<WrittenFile>
}

/** Completes a row of the table. */
export const row = (declared: Omit<Row, 'isText'> & Partial<Row>): Format => ({
  isText: true,
  ...declared,
  isLeftOut: declared.needs === 'checksums',
  merges: declared.merge !== undefined,
  write: async (sheet, options) => ({
    content: await declared.write(sheet, options),
    incomplete: incompleteSlots(sheet, declared.needs),
  }),
})

/** Whether rounds can be put into a file in one step; a collection would lose what is not known just now. */
export const mergesRounds = ({ merges, isLeftOut }: Format): boolean => merges && !isLeftOut

/** What a file of one pool, or of several, contains or is for. */
export function aboutOf({ about, several }: Format, kind: NonNullable<Sheet['kind']>): string {
  return kind === 'pack' ? about : `${about}, ${several} ${kind === 'packs' ? 'pack' : 'round'}`
}

function incompleteSlots({ rounds }: Sheet, needs: FormatNeed): number {
  const counts = rounds.map((round) => {
    const { slots } = round.pool
    if (needs === 'details') return slots.length - round.details.size
    if (needs !== 'checksums') return 0
    const known = detailsById(round)
    return slots.filter(({ beatmapId }) => !known.get(beatmapId)?.checksum).length
  })
  return counts.reduce((sum, count) => sum + count, 0)
}
