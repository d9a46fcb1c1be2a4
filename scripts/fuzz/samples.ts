import { bytesOf, readCorpus } from '../../test/formats/corpus-cases.ts'
import type { BeatmapDetails } from '../../src/contract/beatmaps.ts'
import { mergeRound, writeRound } from '../../src/formats/bracket/write-bracket.ts'
import { writeCollections } from '../../src/formats/collection/collection-db.ts'
import { refereeLines, writeIds, writeLinks } from '../../src/formats/lists.ts'
import { refereeJson } from '../../src/formats/picks.ts'
import { writeCsv, writeTsv } from '../../src/formats/tables.ts'
import { completePool } from '../../src/pool/checks.ts'
import { encodePackKey } from '../../src/pool/pack-key/pack-key.ts'
import type { Pool } from '../../src/pool/pool.ts'

// Small and sound files of every format, for damaging them.

const hash = '0123456789abcdef0123456789abcdef'

const finals: Pool = completePool({
  name: '春の大会 Finals',
  buckets: [
    { code: 'NM' },
    { code: 'EZ', color: 2, mods: { kind: 'forced', set: ['EZ'] } },
    { code: 'RC1', color: 0, mods: { kind: 'free' } },
  ],
  slots: [
    { mod: null, index: 1, beatmapId: 2_147_483_647 },
    { mod: 'NM', index: 1, beatmapId: 129_891 },
    { mod: 'NM', index: 2, beatmapId: 75 },
    { mod: 'HD', index: 1, beatmapId: 129_891 },
    { mod: 'EZ', index: 3, beatmapId: 300 },
    { mod: 'RC1', index: 2, beatmapId: 4_000_000 },
    { mod: 'TB', index: 1, beatmapId: 1_872_396 },
  ],
})

const plain: Pool = completePool({
  name: 'Quals',
  slots: ['NM', 'HD', 'HR', 'DT', 'FM', 'TB'].map((mod, at) => ({
    mod,
    index: 1,
    beatmapId: at + 1,
  })),
})

const pools = [finals, plain]

const details: BeatmapDetails = {
  id: 75,
  setId: 1,
  ruleset: 'base',
  difficulty: '=Normal "1"',
  stars: 2.5,
  length: 140,
  bpm: 120,
  circleSize: 4,
  approachRate: 6,
  overallDifficulty: 6,
  healthDrain: 6,
  maxCombo: 314,
  checksum: hash,
  status: 'ranked',
  title: 'Harbour, at night',
  titleUnicode: 'Harbour',
  artist: 'Nine\tRivers',
  artistUnicode: 'Nine Rivers',
  mapper: 'arbor',
}
const bySlot = new Map([[1, { details, stars: 2.5 }]])

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

export const bracketSamples: readonly Uint8Array[] = [
  ...pools.map((pool) => writeRound(pool)),
  mergeRound('{"Teams":[{"Name":"Ada"}],"Rounds":[{"Name":"x","Beatmaps":[]}]}', plain),
  mergeRound(writeRound(finals).replaceAll('\n', '\r\n'), plain),
].map(utf8)

export const poolJsonSamples: readonly Uint8Array[] = [
  ...pools.map((pool) => JSON.stringify(pool)),
  JSON.stringify({ pack: { ...finals, visibility: 'public', description: 'Ada\nand Peridot' } }),
  refereeJson(plain),
].map(utf8)

export const collectionSamples: readonly Uint8Array[] = [
  writeCollections(20_150_203, []),
  writeCollections(20_150_203, [
    { name: '春', hashes: [hash, hash] },
    { name: '', hashes: [] },
  ]),
]

export const keySamples: readonly Uint8Array[] = pools.map(encodePackKey).map(utf8)

export const pasteSamples: readonly Uint8Array[] = [
  ...pools.flatMap((pool) => [
    writeCsv(pool, bySlot),
    writeTsv(pool, bySlot),
    writeIds(pool),
    writeLinks(pool),
    refereeLines(pool),
    `see ${encodePackKey(pool)} for it`,
  ]),
  '# mine\nNM1 129891\nhd2: https://osu.ppy.sh/b/75\nRC1 2 555\n\n75',
  'Mod;Number;ID\nNM;1;75\nNM;2;"76"',
].map(utf8)

/** Every file of the corpus, and what the formats above write. */
export const importSamples: readonly Uint8Array[] = [
  ...readCorpus().flatMap(({ id, files }) => [...files.keys()].map((file) => bytesOf(id, file))),
  ...bracketSamples,
  ...poolJsonSamples,
  ...keySamples,
  ...pasteSamples,
]
