import { isDeepStrictEqual } from 'node:util'
import { readBracket } from '../../src/formats/bracket/read-bracket.ts'
import { mergeRound } from '../../src/formats/bracket/write-bracket.ts'
import { readCollections, writeCollections } from '../../src/formats/collection/collection-db.ts'
import { draftOfOsdb, readOsdb } from '../../src/formats/collection/osdb.ts'
import { decodeText, type ReadableFormat, recogniseFormat } from '../../src/formats/file-content.ts'
import { readImportFile } from '../../src/formats/import/read-import-file.ts'
import { readImport } from '../../src/formats/import/read-import.ts'
import { readPoolJson } from '../../src/formats/read-pool-json.ts'
import { findProblems } from '../../src/pool/checks.ts'
import { decodePackKey, encodePackKey } from '../../src/pool/pack-key/pack-key.ts'
import type { PoolDraft } from '../../src/pool/pool.ts'

/** Reads a file and throws an `Error` of another class than the reader's own when what it gave is wrong. */
export type Check = (bytes: Uint8Array) => void | Promise<void>

const must = (holds: boolean, what: string): void => {
  if (!holds) throw new TypeError(`not so: ${what}`)
}

const mustBeSound = (draft: PoolDraft): void => {
  const [problem] = findProblems(draft, 0)
  must(problem === undefined, `the draft is valid (${problem?.place} ${problem?.remedy})`)
}

const lenient = new TextDecoder()

/** What another JSON reader finds in the file; undefined when it takes it for none. */
const otherwise = (text: string): unknown => {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    return undefined
  }
}

const idsOf = (round: unknown): unknown[] => {
  const { Beatmaps: beatmaps } = (round ?? {}) as { Beatmaps?: unknown }
  const entries = Array.isArray(beatmaps) ? (beatmaps as unknown[]) : []
  return entries.map((entry) => Number((entry as { ID?: unknown } | null)?.ID))
}

const checkBracket: Check = (bytes) => {
  const text = lenient.decode(bytes)
  const { rounds, refused } = readBracket(text)
  const other = otherwise(text) as { Rounds?: unknown } | undefined
  must(other !== undefined, 'it is JSON')
  const others = Array.isArray(other?.Rounds) ? (other.Rounds as unknown[]) : []
  must(rounds.length === others.length, 'every round is read')
  for (const [at, round] of rounds.entries()) {
    mustBeSound(round)
    const left = idsOf(others[at])
    for (const { beatmapId } of round.slots) {
      while (left.length > 0 && left[0] !== beatmapId) left.shift()
      must(left.shift() === beatmapId, 'ids are those of the file, in its order')
    }
  }
  must(
    refused.every(({ round, reason }) => round !== '' && reason !== ''),
    'refusals say why',
  )
}

const pool = { name: 'Quals', buckets: null, slots: [{ mod: 'TB', index: 7, beatmapId: 5 }] }

const checkMerge: Check = (bytes) => {
  const text = lenient.decode(bytes)
  const merged = mergeRound(text, pool)
  const isOurs = (round: PoolDraft): boolean =>
    round.name === pool.name &&
    isDeepStrictEqual(
      round.slots.map((slot) => slot.beatmapId),
      [5],
    )
  must(readBracket(merged).rounds.some(isOurs), 'the round is in the file')
  must(otherwise(merged) !== undefined, 'the file stays JSON')
  must(mergeRound(merged, pool) === merged, 'a second merge changes nothing')
}

const checkPoolJson: Check = (bytes) => {
  const text = lenient.decode(bytes)
  mustBeSound(readPoolJson(text).draft)
  must(otherwise(text) !== undefined, 'it is JSON')
}

const checkCollections: Check = (bytes) => {
  const { version, collections } = readCollections(bytes)
  const again = readCollections(writeCollections(version, collections))
  must(isDeepStrictEqual(again, { version, collections }), 'it comes back equal')
}

const checkOsdb: Check = async (bytes) => {
  const { collections } = await readOsdb(bytes)
  for (const collection of collections) mustBeSound(draftOfOsdb(collection).draft)
}

const checkPaste: Check = (bytes) => {
  const { pools, others } = readImport(lenient.decode(bytes))
  for (const { draft } of pools) mustBeSound({ ...draft, name: draft.name || 'nameless' })
  for (const line of [...pools.flatMap(({ lines }) => lines), ...others]) {
    must(line.line >= 1, 'lines are counted from 1')
    must(line.outcome !== 'refused' || line.reason !== '', 'refusals say why')
  }
}

const checkKey: Check = (bytes) => {
  const opened = decodePackKey(lenient.decode(bytes))
  mustBeSound(opened)
  must(isDeepStrictEqual(decodePackKey(encodePackKey(opened)), opened), 'it comes back equal')
}

/** As somebody drops a file on the page. */
const checkAny: Check = async (bytes) => {
  const byFormat: Record<ReadableFormat, Check> = {
    bracket: (file) => void readBracket(decodeText(file)),
    json: (file) => void readPoolJson(decodeText(file)),
    collection: checkCollections,
    osdb: checkOsdb,
    workbook: async (file) => void (await readImportFile(file)),
    text: (file) => void readImport(decodeText(file)),
  }
  await byFormat[recogniseFormat(bytes)](bytes)
}

export const checks = {
  bracket: checkBracket,
  merge: checkMerge,
  'pool JSON': checkPoolJson,
  collection: checkCollections,
  osdb: checkOsdb,
  paste: checkPaste,
  key: checkKey,
  any: checkAny,
}
