/** What a format may carry of a pack, with its name in the documents. */
export const packParts = {
  name: 'Name',
  beatmaps: 'Beatmaps',
  buckets: 'Buckets of the slots',
  numbers: 'Slot numbers',
  order: 'Bucket order',
  colors: 'Colours',
  mods: 'Mods of buckets',
  visibility: 'Visibility',
  description: 'Description',
} as const
export type PackPart = keyof typeof packParts

export type Format = {
  readonly label: string
  /** With its dot. */
  readonly extension: string
  /** Whether a pool can be made of such a file. All formats are written. */
  readonly reads: boolean
  /** The parts that are written and read back unchanged. A part in neither list is lost. */
  readonly carries: readonly PackPart[]
  /** The parts that are written in part, or are not read back; the note says which. */
  readonly partly: readonly PackPart[]
  /** What a writer needs of beatmaps besides the pool. */
  readonly needs: FormatNeed
  readonly note: string
}

export type FormatNeed =
  | 'nothing'
  /** Fills columns in; without it they are empty. */
  | 'details'
  /** Decides what is written of rulesets; the base one where it is not known. */
  | 'rulesets'
  /** Beatmaps without one are left out, and that is reported. */
  | 'checksums'

const row = (format: Omit<Format, 'reads'> & Partial<Format>): Format => ({
  reads: true,
  ...format,
})

const sheet = { carries: ['beatmaps', 'buckets', 'numbers'], partly: [], needs: 'details' } as const

const plainList = {
  extension: '.txt',
  carries: [],
  partly: ['beatmaps'],
  needs: 'nothing',
  note: 'One per line. When read back, each beatmap appears once, without a bucket.',
} as const

const picks = { carries: ['beatmaps', 'buckets', 'numbers'], partly: [], needs: 'nothing' } as const

const post = {
  carries: [],
  partly: ['name', 'beatmaps', 'buckets', 'numbers'],
  needs: 'details',
} as const

/** Every format, in the order in which hosts need them; one list for the site, the command line and the documents. */
export const formats = {
  bracket: row({
    label: 'Tournament client (bracket.json)',
    extension: '.json',
    carries: ['name', 'beatmaps', 'buckets'],
    partly: ['order'],
    needs: 'rulesets',
    note: 'One round with the pack’s name. Slots are numbered from 1 in each bucket; empty buckets are left out. A new file has the ruleset of most beatmaps. Merging into an existing file changes nothing else in it.',
  }),
  csv: row({
    label: 'Spreadsheet (CSV)',
    extension: '.csv',
    ...sheet,
    note: 'One row per slot, with title, mapper, stars and more.',
  }),
  tsv: row({
    label: 'Spreadsheet (tab-separated)',
    extension: '.tsv',
    ...sheet,
    note: 'The same rows, for pasting into a spreadsheet.',
  }),
  referee: row({
    label: 'Referee lines',
    extension: '.txt',
    carries: [],
    partly: ['beatmaps', 'buckets', 'numbers', 'mods'],
    needs: 'rulesets',
    note: 'Lobby commands, one block per slot. When read back, slots of built-in buckets keep their places; the others have no bucket.',
  }),
  'referee-json': row({
    label: 'Referee tools (JSON)',
    extension: '.json',
    carries: ['name', 'beatmaps', 'buckets', 'numbers'],
    partly: ['mods'],
    needs: 'nothing',
    note: 'Each slot with its `!mp mods` arguments, which are not read back: buckets then have no mods.',
  }),
  codes: row({
    label: 'Referee bots (JSON)',
    extension: '.json',
    reads: false,
    ...picks,
    note: 'A list of `code` and `id`, one object per line. A slot without a bucket has its number as code.',
  }),
  overlay: row({
    label: 'Stream overlays (JSON)',
    extension: '.json',
    reads: false,
    carries: picks.carries,
    partly: ['mods'],
    needs: picks.needs,
    note: 'A list of `beatmapId`, `pick` and `mods`, one object per line. `mods` is a built-in code, or the forced mods of a custom bucket, such as `HDHR`; `FM` if they are free, otherwise `NM`.',
  }),
  wiki: row({
    label: 'Wiki Markdown',
    extension: '.md',
    ...post,
    note: 'A heading, and numbered links below the names of buckets, as in articles of the osu! wiki.',
  }),
  bbcode: row({
    label: 'Forum post (BBCode)',
    extension: '.txt',
    ...post,
    note: 'A heading, and a list of links with their slots for each bucket.',
  }),
  collection: row({
    label: 'Collection (collection.db)',
    extension: '.db',
    reads: false,
    carries: ['name'],
    partly: ['beatmaps'],
    needs: 'checksums',
    note: 'Each beatmap once, by checksum. It has no ids, so it cannot be read back as a pool; use `.osdb`.',
  }),
  osdb: row({
    label: 'Collection Manager (.osdb)',
    extension: '.osdb',
    carries: ['name'],
    partly: ['beatmaps'],
    needs: 'checksums',
    note: 'Each beatmap once, without buckets.',
  }),
  ids: row({ label: 'Beatmap ids', ...plainList }),
  links: row({ label: 'Beatmap links', ...plainList }),
  key: row({
    label: 'Pack key',
    extension: '.txt',
    carries: ['name', 'beatmaps', 'buckets', 'numbers', 'order', 'colors', 'mods'],
    partly: [],
    needs: 'nothing',
    note: 'The whole pool in one line. It is found inside any text.',
  }),
} as const

export type FormatId = keyof typeof formats
