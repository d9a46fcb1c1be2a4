import { type Format, row } from './format.ts'
import { rulesetsOf, writeTexts } from './sheet.ts'

const table = {
  several: 'with a column for the',
  carries: ['beatmaps', 'buckets', 'numbers'],
  partly: [],
  needs: 'details',
  read: 'text',
  keepsPlanned: true,
} as const

const plainList = {
  several: 'by',
  carries: [],
  partly: ['beatmaps'],
  needs: 'nothing',
  read: 'text',
  note: 'One per line; several pools below headings. When read back, each beatmap appears once, without a bucket.',
} as const

const picks = {
  several: 'by',
  carries: ['beatmaps', 'buckets', 'numbers'],
  needs: 'nothing',
} as const

const post = {
  several: 'by',
  carries: [],
  partly: ['name', 'beatmaps', 'buckets', 'numbers'],
  needs: 'details',
  read: 'text',
  keepsPlanned: true,
} as const

const collections = { isText: false, needs: 'checksums' } as const

/**
 * Every format, in the order in which hosts need them. The site, the command line, the client package, the documents
 * and the tests are made from it. What writes a format is loaded when needed.
 */
export const formats = {
  bracket: row({
    label: 'bracket.json',
    about: 'For the tournament client',
    several: 'one per',
    ending: ' bracket.json',
    carries: ['name', 'beatmaps', 'buckets'],
    partly: ['order'],
    needs: 'rulesets',
    read: 'bracket',
    note: 'A round with the name, and best-of, bans and date of a round of a tournament. Slots are numbered from 1 in each bucket; empty buckets are left out. A new file has the ruleset of the tournament, or of most beatmaps. Merging into an existing file changes nothing else in it.',
    merge: {
      noun: 'round',
      names: async (file) => (await import('./bracket/bracket-file.ts')).namesInBracket(file),
    },
    write: async (sheet, { into }) =>
      (await import('./bracket/bracket-file.ts')).writeBracketFile(sheet, into),
  }),
  csv: row({
    ...table,
    label: 'Spreadsheet',
    about: 'The whole table as .csv',
    ending: '.csv',
    note: 'One row per slot, with title, mapper, stars and more.',
    write: async (sheet) => (await import('./tables.ts')).writeTable(sheet, ','),
  }),
  tsv: row({
    ...table,
    label: 'Spreadsheet cells',
    about: 'To paste into a sheet',
    ending: '.tsv',
    note: 'The same rows, separated by tabs.',
    write: async (sheet) => (await import('./tables.ts')).writeTable(sheet, '\t'),
  }),
  referee: row({
    label: 'Referee lines',
    about: '!mp commands for each slot',
    several: 'by',
    ending: ' referee.txt',
    carries: [],
    partly: ['beatmaps', 'buckets', 'numbers', 'mods'],
    needs: 'rulesets',
    read: 'text',
    note: 'Lobby commands, one block per slot; several pools below headings. When read back, slots of built-in buckets keep their places; the others have no bucket.',
    write: async (sheet) => {
      const { refereeLines } = await import('./lists.ts')
      return writeTexts(sheet, (pool, round) => refereeLines(pool, rulesetsOf(round)))
    },
  }),
  'referee-json': row({
    label: 'Referee JSON',
    about: 'For referee tools',
    several: 'by',
    ending: ' referee.json',
    carries: ['name', 'beatmaps', 'buckets', 'numbers'],
    partly: ['mods'],
    needs: 'nothing',
    read: 'json',
    note: 'Each slot with its `!mp mods` arguments, which are not read back: buckets then have no mods. Several pools are a list.',
    write: async (sheet) => (await import('./picks.ts')).writeRefereeJson(sheet),
  }),
  codes: row({
    ...picks,
    label: 'Referee bots',
    about: 'Codes and ids as JSON',
    ending: ' codes.json',
    partly: [],
    note: 'A list of `code` and `id`, one object per line. A slot without a bucket has its number as code. Several pools: `{"Finals": [...]}`.',
    write: async (sheet) => {
      const { codeLines, writePicks } = await import('./picks.ts')
      return writePicks(sheet, codeLines)
    },
  }),
  overlay: row({
    ...picks,
    label: 'Stream overlays',
    about: 'Beatmaps, picks and mods as JSON',
    ending: ' overlay.json',
    partly: ['mods'],
    note: 'A list of `beatmapId`, `pick` and `mods`, one object per line. `mods` is a built-in code, or the forced mods of a custom bucket, such as `HDHR`; `FM` if they are free, otherwise `NM`. Several pools: `{"Finals": [...]}`.',
    write: async (sheet) => {
      const { overlayLines, writePicks } = await import('./picks.ts')
      return writePicks(sheet, overlayLines)
    },
  }),
  'overlay-stage': row({
    ...picks,
    label: 'Stream overlays by stage',
    about: 'The stage, and beatmaps with identifiers and mods',
    ending: ' beatmaps.json',
    partly: ['mods'],
    note: 'An object with `stage` and `beatmaps`, each with `beatmap_id`, `identifier` and `mods`, as overlays read it from `beatmaps.json`. Several pools are a list.',
    write: async (sheet) => (await import('./picks.ts')).writeStages(sheet),
  }),
  'overlay-order': row({
    ...picks,
    label: 'Stream overlays by order',
    about: 'The round, and beatmaps with mod and order',
    ending: ' order.json',
    carries: ['name', 'beatmaps'],
    partly: ['buckets', 'numbers', 'mods'],
    note: 'An object with `roundName` and `beatmaps`, each with `beatmapID`, `mod` and its `order` among those of the mod. Several pools are a list. A slot without a bucket has an empty `mod`.',
    write: async (sheet) => (await import('./picks.ts')).writeOrders(sheet),
  }),
  wiki: row({
    ...post,
    label: 'Wiki Markdown',
    about: 'Mappool as in articles of the osu! wiki',
    ending: ' wiki.md',
    note: 'A heading, and numbered links below the names of buckets, as in articles of the osu! wiki: the newest round first, tiebreakers in bold.',
    write: async ({ rounds }) => (await import('./posts.ts')).writeWiki(rounds),
  }),
  bbcode: row({
    ...post,
    label: 'BBCode',
    about: 'For a forum post',
    ending: ' forum.txt',
    note: 'A heading, and a list of links with their slots for each bucket.',
    write: async ({ rounds }) => (await import('./posts.ts')).writeBbcode(rounds),
  }),
  collection: row({
    ...collections,
    label: 'collection.db',
    about: 'For the game’s client',
    several: 'one per',
    ending: ' collection.db',
    carries: ['name'],
    partly: ['beatmaps'],
    note: 'Each beatmap once, by checksum. It has no ids, so it cannot be read back as a pool; use `.osdb`.',
    merge: {
      noun: 'collection',
      isFirst: true,
      names: async (file) =>
        (await import('./collection/merge-collection.ts')).namesInCollectionDb(file),
    },
    write: async (sheet, { into }) =>
      (await import('./collection/merge-collection.ts')).writeCollectionDb(sheet, into),
  }),
  osdb: row({
    ...collections,
    label: 'Collections (.osdb)',
    about: 'For Collection Manager',
    several: 'one per',
    ending: '.osdb',
    carries: ['name'],
    partly: ['beatmaps'],
    read: 'osdb',
    note: 'Each beatmap once, without buckets. The collection of a round has the tournament in its name: `HC26 Finals`.',
    merge: {
      noun: 'collection',
      names: async (file) => (await import('./collection/merge-collection.ts')).namesInOsdb(file),
    },
    write: async (sheet, options) =>
      (await import('./collection/merge-collection.ts')).writeCollectionsOsdb(
        sheet,
        options,
        false,
      ),
  }),
  'osdb-buckets': row({
    ...collections,
    label: 'Collections by bucket (.osdb)',
    about: 'For Collection Manager, one per bucket',
    several: 'by',
    ending: ' buckets.osdb',
    carries: [],
    partly: ['name', 'beatmaps', 'buckets'],
    read: 'osdb',
    note: 'Each beatmap once in each bucket, whose code ends the name of its collection: `HC26 Finals NM`. When read back, collections of the same beginning are one pool; one without any built-in bucket may come back as several.',
    write: async (sheet, options) =>
      (await import('./collection/merge-collection.ts')).writeCollectionsOsdb(sheet, options, true),
  }),
  ids: row({
    ...plainList,
    label: 'Beatmap ids',
    about: 'One per line, in pool order',
    ending: ' ids.txt',
    write: async (sheet) => writeTexts(sheet, (await import('./lists.ts')).writeIds),
  }),
  links: row({
    ...plainList,
    label: 'Links',
    about: 'Beatmap links, one per line',
    ending: ' links.txt',
    write: async (sheet) => writeTexts(sheet, (await import('./lists.ts')).writeLinks),
  }),
  key: row({
    label: 'Pack key',
    about: 'The whole pool in one line of text',
    several: 'one per',
    ending: ' key.txt',
    carries: ['name', 'beatmaps', 'buckets', 'numbers', 'order', 'colors', 'mods'],
    partly: [],
    needs: 'nothing',
    read: 'text',
    note: 'The whole pool in one line. It is found inside any text. That of a round has the tournament in its name: `HC26 Finals`.',
    write: async (sheet) => (await import('./whole-pools.ts')).writeKeys(sheet),
  }),
  json: row({
    label: 'JSON',
    about: 'Everything, as the API has it',
    several: 'one per',
    ending: '.json',
    carries: ['name', 'beatmaps', 'buckets', 'numbers', 'order', 'colors', 'mods'],
    partly: ['visibility', 'description'],
    needs: 'nothing',
    read: 'json',
    keepsPlanned: true,
    note: 'A saved pack or a round as the API returns it; a pool that is not saved as the API takes it, and so a pack on its page: without visibility and description. Several are in a list, `packs` or `rounds`. A round comes back into a tournament with all that is set of it.',
    write: async (sheet) => (await import('./whole-pools.ts')).writePoolsJson(sheet),
  }),
} as const satisfies Readonly<Record<string, Format>>

export type FormatId = keyof typeof formats

export const formatIds: readonly FormatId[] = Object.keys(formats) as FormatId[]
