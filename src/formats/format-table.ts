/** What a pack is made of, as far as a format may carry it. */
export const packParts = [
  'name',
  'beatmaps',
  'buckets',
  'numbers',
  'order',
  'colors',
  'mods',
  'visibility',
  'description',
] as const
export type PackPart = (typeof packParts)[number]

/** What the parts are called where people read of them. */
export const partLabels: Readonly<Record<PackPart, string>> = {
  name: 'Name',
  beatmaps: 'Beatmaps',
  buckets: 'Buckets of the slots',
  numbers: 'Slot numbers',
  order: 'Bucket order',
  colors: 'Colours',
  mods: 'Mods of buckets',
  visibility: 'Visibility',
  description: 'Description',
}

/** What of beatmaps a writer is given beside the pool. */
export type FormatNeed =
  | 'nothing'
  /** Fills columns in; without it they are empty. */
  | 'details'
  /** Decides what is written of rulesets; the base one where it is not known. */
  | 'rulesets'
  /** Beatmaps without one are left out, and that is told. */
  | 'checksums'

export type Format = {
  readonly label: string
  /** With its dot. */
  readonly extension: string
  readonly mediaType: string
  /** Whether a pool can be made of such a file. */
  readonly reads: boolean
  readonly writes: boolean
  /** What stands in the file and comes back as it was where such files are read. What is not in either list is lost. */
  readonly carries: readonly PackPart[]
  /** What stands in the file in part, or does and is not read back; the note says which. */
  readonly partly: readonly PackPart[]
  readonly needs: FormatNeed
  readonly note: string
}

const row = (format: Format): Format => format

/** Every format, in the order in which hosts need them; one list for the site, the command line and the documents. */
export const formats = {
  bracket: row({
    label: 'Tournament client (bracket.json)',
    extension: '.json',
    mediaType: 'application/json',
    reads: true,
    writes: true,
    carries: ['name', 'beatmaps', 'buckets'],
    partly: ['order'],
    needs: 'rulesets',
    note: 'A round of the name. Slots are numbered from 1 in each bucket; buckets without slots are not in it. A new file is for the ruleset of most beatmaps. Merging into a file changes nothing else in it.',
  }),
  csv: row({
    label: 'Spreadsheet (CSV)',
    extension: '.csv',
    mediaType: 'text/csv',
    reads: true,
    writes: true,
    carries: ['beatmaps', 'buckets', 'numbers'],
    partly: [],
    needs: 'details',
    note: 'A row for each slot, with title, mapper, stars and more beside it.',
  }),
  tsv: row({
    label: 'Spreadsheet (tab-separated)',
    extension: '.tsv',
    mediaType: 'text/tab-separated-values',
    reads: true,
    writes: true,
    carries: ['beatmaps', 'buckets', 'numbers'],
    partly: [],
    needs: 'details',
    note: 'The same rows, to paste into a sheet.',
  }),
  referee: row({
    label: 'Referee lines',
    extension: '.txt',
    mediaType: 'text/plain',
    reads: true,
    writes: true,
    carries: [],
    partly: ['beatmaps', 'mods'],
    needs: 'rulesets',
    note: 'Commands for the lobby, a block for each slot. Read back, each beatmap comes once, in no bucket and without mods.',
  }),
  'referee-json': row({
    label: 'Referee programs (JSON)',
    extension: '.json',
    mediaType: 'application/json',
    reads: true,
    writes: true,
    carries: ['name', 'beatmaps', 'buckets', 'numbers'],
    partly: ['mods'],
    needs: 'nothing',
    note: 'Each slot with the words of `!mp mods`, which are not read back: a bucket then has no mods.',
  }),
  collection: row({
    label: 'Collection (collection.db)',
    extension: '.db',
    mediaType: 'application/octet-stream',
    reads: false,
    writes: true,
    carries: ['name'],
    partly: ['beatmaps'],
    needs: 'checksums',
    note: 'Each beatmap once, by its checksum. It holds no ids, so no pool can be made of it; use `.osdb`.',
  }),
  osdb: row({
    label: 'Collection Manager (.osdb)',
    extension: '.osdb',
    mediaType: 'application/octet-stream',
    reads: true,
    writes: true,
    carries: ['name'],
    partly: ['beatmaps'],
    needs: 'checksums',
    note: 'Each beatmap once, in no bucket.',
  }),
  ids: row({
    label: 'Beatmap ids',
    extension: '.txt',
    mediaType: 'text/plain',
    reads: true,
    writes: true,
    carries: [],
    partly: ['beatmaps'],
    needs: 'nothing',
    note: 'One a line. Read back, each beatmap comes once, in no bucket.',
  }),
  links: row({
    label: 'Beatmap links',
    extension: '.txt',
    mediaType: 'text/plain',
    reads: true,
    writes: true,
    carries: [],
    partly: ['beatmaps'],
    needs: 'nothing',
    note: 'One a line. Read back, each beatmap comes once, in no bucket.',
  }),
  key: row({
    label: 'Pack key',
    extension: '.txt',
    mediaType: 'text/plain',
    reads: true,
    writes: true,
    carries: ['name', 'beatmaps', 'buckets', 'numbers', 'order', 'colors', 'mods'],
    partly: [],
    needs: 'nothing',
    note: 'The whole pool in one line, found inside any text.',
  }),
} as const

export type FormatId = keyof typeof formats
