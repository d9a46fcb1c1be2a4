import { readBracket } from '../../../formats/bracket/read-bracket.ts'
import { draftOfOsdb, readOsdb } from '../../../formats/collection/osdb.ts'
import { decodeText, recogniseFormat } from '../../../formats/file-content.ts'
import { FormatError } from '../../../formats/format-error.ts'
import { readPaste } from '../../../formats/read-paste.ts'
import { readPoolJson } from '../../../formats/read-pool-json.ts'
import { isCustom } from '../../../pool/buckets.ts'
import { completePool } from '../../../pool/checks.ts'
import { encodePackKey } from '../../../pool/pack-key/pack-key.ts'
import type { PoolDraft } from '../../../pool/pool.ts'
import { slotLabel, slotsInPoolOrder } from '../../../pool/slots.ts'

/** Reads a file that hosts keep pools in. Throws a FormatError with the place and the remedy. */
export async function readFile(bytes: Uint8Array, fileName: string) {
  switch (recogniseFormat(bytes, fileName)) {
    case 'text':
      return { kind: 'text' as const, text: decodeText(bytes).replace(/^\ufeff/, '') }
    case 'bracket':
      return found(bracketPools(decodeText(bytes)), 'no round in the file has beatmaps')
    case 'json': {
      const { draft, description } = readPoolJson(decodeText(bytes), 'Pool')
      return found([filePool(draft, [], description ?? '')], 'the file has no slots')
    }
    case 'osdb': {
      const drafts = (await readOsdb(bytes)).collections.map(draftOfOsdb)
      const pools = drafts.map(({ draft, leftOut }) => filePool(draft, leftOut))
      return found(pools, 'no beatmap in the file has an id')
    }
    default:
      throw new FormatError(
        'collection.db files have no beatmap ids; export the collection as .osdb instead',
      )
  }
}

function found(all: readonly FilePool[], empty: string) {
  const pools = all.filter(({ beatmaps }) => beatmaps > 0)
  if (pools.length === 0) throw new FormatError(empty)
  return { kind: 'pools' as const, pools }
}

function bracketPools(text: string): FilePool[] {
  const { rounds, refused } = readBracket(text)
  return rounds.map((draft) => {
    const own = refused.filter(({ round }) => round === draft.name)
    const leftOut = own.map(({ position, reason }) =>
      position === null ? reason : `beatmap ${position}: ${reason}`,
    )
    return filePool(draft, leftOut)
  })
}

export type FilePool = ReturnType<typeof filePool>

/** A pool in a form that can be pasted, and what of it could not be taken, and why. */
function filePool(draft: PoolDraft, leftOut: readonly string[], description = '') {
  const beatmaps = draft.slots.length
  const text = beatmaps === 0 ? '' : asText(draft)
  return { name: draft.name, description, beatmaps, text, leftOut }
}

/** Lines such as `NM1 129891`; a pack key where lines could not hold all of it. */
function asText(draft: PoolDraft): string {
  const slots = slotsInPoolOrder(draft)
  const lines = slots
    .map((slot) => (slot.mod === null ? slot.beatmapId : `${slotLabel(slot)} ${slot.beatmapId}`))
    .join('\n')
  const read = readPaste(lines, { name: draft.name, slots: [] }).draft
  const hasMods = draft.buckets?.some((bucket) => isCustom(bucket) && bucket.mods !== undefined)
  const isWhole = JSON.stringify(slotsInPoolOrder(read)) === JSON.stringify(slots)
  return isWhole && hasMods !== true ? lines : encodePackKey(completePool(draft))
}
