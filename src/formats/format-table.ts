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
    note: 'One round with the pack’s name. Slots are numbered from 1 in each bucket; empty buckets are left out. A new file has the ruleset of most beatmaps. Merging into an existing file changes nothing else in it.',
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
    note: 'One row per slot, with title, mapper, stars and more.',
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
    note: 'The same rows, for pasting into a spreadsheet.',
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
    note: 'Lobby commands, one block per slot. When read back, each beatmap appears once, without bucket or mods.',
  }),
  'referee-json': row({
    label: 'Referee tools (JSON)',
    extension: '.json',
    mediaType: 'application/json',
    reads: true,
    writes: true,
    carries: ['name', 'beatmaps', 'buckets', 'numbers'],
    partly: ['mods'],
    needs: 'nothing',
    note: 'Each slot with its `!mp mods` arguments, which are not read back: buckets then have no mods.',
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
    note: 'Each beatmap once, by checksum. It has no ids, so it cannot be read back as a pool; use `.osdb`.',
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
    note: 'Each beatmap once, without buckets.',
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
    note: 'One per line. When read back, each beatmap appears once, without a bucket.',
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
    note: 'One per line. When read back, each beatmap appears once, without a bucket.',
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
    note: 'The whole pool in one line. It is found inside any text.',
  }),
} as const

export type FormatId = keyof typeof formats
