import { readBracket } from '../../../formats/bracket/read-bracket.ts'
import { draftOfOsdb } from '../../../formats/collection/osdb.ts'
import { readOsdb } from '../../../formats/collection/read-osdb.ts'
import { decodeText, recogniseFormat } from '../../../formats/file-content.ts'
import { FormatError } from '../../../formats/format-error.ts'
import { readPaste } from '../../../formats/read-paste.ts'
import { readPoolJson } from '../../../formats/read-pool-json.ts'
import { isCustom } from '../../../pool/buckets.ts'
import { completePool } from '../../../pool/checks.ts'
import { encodePackKey } from '../../../pool/pack-key/pack-key.ts'
import type { PoolDraft } from '../../../pool/pool.ts'
import { slotLabel, slotsInPoolOrder } from '../../../pool/slots.ts'

/** A pool out of a file, in a form that can be pasted. */
export type FilePool = {
  readonly name: string
  readonly description: string
  readonly beatmaps: number
  /** Lines such as `NM1 129891`; a pack key where lines could not say all of it. */
  readonly text: string
  /** What of it could not be taken, and why. */
  readonly leftOut: readonly string[]
}

/** What a file holds: a text to paste, or pools to choose from. */
export type FileContent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'pools'; readonly pools: readonly FilePool[] }

/**
 * Reads a file that hosts keep pools in, whatever it is called.
 *
 * @throws FormatError that names the place and the remedy.
 */
export const readFile = async (bytes: Uint8Array, fileName: string): Promise<FileContent> => {
  switch (recogniseFormat(bytes, fileName)) {
    case 'text':
      return { kind: 'text', text: decodeText(bytes).replace(/^\ufeff/, '') }
    case 'bracket':
      return pools(bracketPools(decodeText(bytes)), 'no round in the file has beatmaps')
    case 'json': {
      const { draft, description } = readPoolJson(decodeText(bytes), 'Pool')
      return pools([filePool(draft, [], description ?? '')], 'the file has no slots')
    }
    case 'osdb': {
      const { collections } = await readOsdb(bytes)
      const found = collections.map((each) => {
        const { draft, leftOut } = draftOfOsdb(each)
        return filePool(draft, leftOut)
      })
      return pools(found, 'no beatmap in the file has an id')
    }
    default:
      throw new FormatError(
        'collection.db files have no beatmap ids; export the collection as .osdb instead',
      )
  }
}

const pools = (all: readonly FilePool[], empty: string): FileContent => {
  const found = all.filter(({ beatmaps }) => beatmaps > 0)
  if (found.length === 0) throw new FormatError(empty)
  return { kind: 'pools', pools: found }
}

const bracketPools = (text: string): FilePool[] => {
  const { rounds, refused } = readBracket(text)
  return rounds.map((draft) => {
    const own = refused.filter(({ round }) => round === draft.name)
    return filePool(
      draft,
      own.map(({ position, reason }) => {
        return position === null ? reason : `beatmap ${position}: ${reason}`
      }),
    )
  })
}

const filePool = (draft: PoolDraft, leftOut: readonly string[], description = ''): FilePool => ({
  name: draft.name,
  description,
  beatmaps: draft.slots.length,
  text: draft.slots.length === 0 ? '' : asText(draft),
  leftOut,
})

const asText = (draft: PoolDraft): string => {
  const slots = slotsInPoolOrder(draft)
  const lines = slots
    .map((slot) => (slot.mod === null ? slot.beatmapId : `${slotLabel(slot)} ${slot.beatmapId}`))
    .join('\n')
  const read = readPaste(lines, { name: draft.name, slots: [] }).draft
  const hasMods = draft.buckets?.some((bucket) => isCustom(bucket) && bucket.mods !== undefined)
  const saysAll = JSON.stringify(slotsInPoolOrder(read)) === JSON.stringify(slots)
  return saysAll && hasMods !== true ? lines : encodePackKey(completePool(draft))
}
