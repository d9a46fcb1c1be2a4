/** What one entry of the package gives: module below `src/` → the names that it exports. */
export type Entry = Readonly<Record<string, readonly string[]>>

const callTypes = [
  'type Call',
  'type ResponseInfo',
  'type WithResponse',
  'type ClientOptions',
  'type CallOptions',
  'type ChangeOptions',
  'type ChangesOptions',
  'type PageOptions',
  'type HistoryOptions',
  'type CreateOptions',
  'type Wait',
]

const poolTypes = [
  'type Slot',
  'type Bucket',
  'type BuiltinBucket',
  'type CustomBucket',
  'type BucketMods',
]

/** What a program needs that knows packs alone. */
const ofPacks: Entry = {
  'client/packs': [
    'createClient',
    'createReader',
    'type PackDraft',
    'type PacksClient',
    'type PacksReader',
  ],
  'client/call': callTypes,
  'client/service': ['type AccountClient', 'type ServiceClient'],
  'client/errors': ['MapcrateError', 'type MapcrateErrorCode'],
  'client/quotas': ['type Quota', 'type Quotas'],
  'contract/packs': [
    'type Pack',
    'type PackInput',
    'type PackPage',
    'type MagnetExport',
    'type Stats',
  ],
  'contract/pools': poolTypes,
  'contract/history': [
    'type HistoryPage',
    'type PackVersion',
    'type WholeVersion',
    'type Difference',
  ],
  'contract/changes': ['type ChangePage', 'type PackChange'],
  'contract/accounts': ['type User'],
}

/**
 * The entries of `@mapcrate/client`, by the sub-path that they are imported by. The house has no
 * barrels; these are written for the package alone. `type` stands before the names of types, `as` before another name.
 */
export const entries: Readonly<Record<'client' | 'packs' | 'pool' | 'formats', Entry>> = {
  client: {
    ...ofPacks,
    'client/tournaments': ['createPoolsClient'],
    'client/pools-client': [
      'type PoolsClient',
      'type ExactOptions',
      'type MatchOptions',
      'type ReleaseOptions',
      'type RoleOptions',
      'type TournamentListOptions',
      'type ViewOptions',
    ],
    'contract/tournaments': [
      'type Tournament',
      'type TournamentInput',
      'type TournamentPage',
      'type TournamentPatch',
      'type TournamentSummary',
    ],
    'contract/rounds': [
      'type Round',
      'type RoundInput',
      'type RoundSlot',
      'type RoundTargets',
      'type RoundsInput',
      'type SlotChanges',
      'type SlotContent',
    ],
    'contract/staff': ['type StaffMember'],
    'contract/discussion': [
      'type Candidate',
      'type CandidateInput',
      'type CandidateMove',
      'type CandidatePage',
      'type Remark',
      'type RemarkInput',
      'type RemarkPage',
      'type RemarkPatch',
    ],
    'contract/checks': ['type Check'],
    'contract/tournament-feed': ['type TournamentChange', 'type TournamentChangePage'],
    'contract/draft-history': [
      'type DraftHistoryPage',
      'type DraftVersion',
      'type WholeDraftVersion',
    ],
  },
  packs: ofPacks,
  pool: {
    'pool/pool': ['type Pool', 'type PoolDraft', 'type PoolProblem'],
    'pool/checks': ['completePool', 'findProblems'],
    'pool/comparison': ['comparePacks', 'applyDifferences', 'type PackContent', 'type ChangedPack'],
    'contract/history': ['type Difference'],
    'pool/slots': [
      'bucketTable',
      'completeBuckets',
      'defaultBuckets',
      'isCustom',
      'slotLabel',
      'placeOf',
      'slotMods',
      'slotsInPoolOrder',
      'type SlotPlay',
    ],
    'pool/played-values': ['playedBpm', 'playedDifficulty', 'playedLength', 'speedOf'],
    'pool/edits': [
      'addSlot',
      'moveSlot',
      'renumberSlot',
      'removeSlot',
      'freeIndex',
      'addBucket',
      'changeBucket',
      'moveBucket',
      'removeBucket',
    ],
    'pool/pack-key/pack-key': ['encodePackKey', 'decodePackKey', 'findPackKey'],
    'pool/pack-key/layout': ['PackKeyError', 'type PackKeyErrorCode'],
    'contract/errors': ['AppError'],
    'contract/pools': poolTypes,
  },
  formats: {
    'formats/file-content': ['recogniseFormat', 'type ReadableFormat', 'decodeText'],
    'formats/format-error': ['FormatError', 'type FilePlace'],
    'formats/draft-builder': ['fitName'],
    'formats/import/read-import': [
      'readImport',
      'LONGEST_TEXT',
      'type Import',
      'type ImportedPool',
      'type ImportedLine',
      'type ImportOptions',
    ],
    'formats/import/read-import-file': ['readImportFile'],
    'formats/import/questions': ['type Answers', 'type Question', 'type ChoiceId'],
    'formats/import/readings': ['rules', 'type RuleId'],
    'formats/import/shapes': ['type Shape', 'type ShapeId', 'shapeNames'],
    'formats/read-pool-json': ['readPoolJson', 'readRoundJson', 'type PoolJson'],
    'formats/format-table': [
      'formats',
      'formats as tournamentFormats',
      'type FormatId',
      'type FormatId as TournamentFormatId',
    ],
    'formats/format': [
      'aboutOf',
      'packParts',
      'type Format',
      'type Format as TournamentFormat',
      'type FormatNeed',
      'type PackPart',
      'type WrittenFile',
      'type WrittenFile as TournamentFile',
    ],
    'formats/sheet': [
      'type SlotDetails',
      'type DetailsBySlot',
      'type RulesetById',
      'type RoundPool',
      'type RoundPool as PoolOfRound',
      'type Sheet',
      'type Sheet as TournamentSheet',
      'type WriteOptions',
      'type WriteOptions as TournamentOptions',
    ],
    'formats/tables': ['writeCsv', 'writeTsv'],
    'formats/lists': ['refereeLines', 'writeIds', 'writeLinks'],
    'formats/picks': ['refereeJson', 'writeCodes', 'writeOverlay'],
    'formats/posts': ['writeWiki', 'writeBbcode'],
    'formats/bracket/read-bracket': ['readBracket', 'type Bracket', 'type BracketRefusal'],
    'formats/bracket/write-bracket': ['writeRound', 'mergeRound', 'type RoundOptions'],
    'formats/collection/collection-db': [
      'type Collection',
      'type CollectionDb',
      'type PoolCollection',
      'collectionOf',
      'readCollections',
      'writeCollections',
    ],
    'formats/collection/osdb': [
      'type Osdb',
      'type OsdbCollection',
      'type OsdbBeatmap',
      'type PoolOsdb',
      'type OsdbDraft',
      'osdbOf',
      'draftOfOsdb',
      'readOsdb',
      'writeOsdb',
    ],
    'contract/beatmaps': ['type BeatmapDetails'],
    'pool/pool': ['type Pool', 'type PoolDraft'],
  },
}

/** The programs that come with the package, by the name that they are called by. */
export const programs: Readonly<Record<string, string>> = { mapcrate: 'cli/mapcrate' }

/** The modules behind all entries, each once. */
export const entryModules: readonly string[] = [
  ...new Set(Object.values(entries).flatMap((entry) => Object.keys(entry))),
]

const isType = (name: string): boolean => name.startsWith('type ')

/** The modules of an entry with the names that a file of this kind gives: only declarations have types. */
const modulesOf = (entry: Entry, withTypes: boolean): [module: string, names: string[]][] =>
  Object.entries(entry)
    .map(([module, names]): [string, string[]] => [
      module,
      names.filter((name) => withTypes || !isType(name)),
    ])
    .filter(([, names]) => names.length > 0)

/** An entry as a file: an ES module, or its declarations. */
export const entryText = (entry: Entry, withTypes: boolean): string =>
  modulesOf(entry, withTypes)
    .map(([module, names]) => `export { ${names.join(', ')} } from './${module}.js'\n`)
    .join('')

/** An entry as a CommonJS module. */
export const entryScript = (entry: Entry): string =>
  modulesOf(entry, false)
    .flatMap(([module, names]) =>
      names.map((name) => {
        const [own, as = own] = name.split(' as ')
        return `exports.${as} = require('./${module}.js').${own}\n`
      }),
    )
    .join('')
