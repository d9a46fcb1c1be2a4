import { foldCode, isCustom, isDefaultTable, wholeTable } from '../../../pool/slots.ts'
import { PackKeyError, type PackKeyErrorCode } from '../../../pool/pack-key/layout.ts'
import { decodePackKey, findPackKey } from '../../../pool/pack-key/pack-key.ts'
import type { Pool, PoolDraft } from '../../../pool/pool.ts'
import { Placement, refuse } from './placement.ts'
import type { ResolvedFinding } from '../questions.ts'
import {
  type Finding,
  type Outcome,
  type Placed,
  type PlacedLine,
  refused,
  slotReading,
} from '../readings.ts'
import { normalizeText } from '../text/markup.ts'
import { type ImportMessage, say } from '../import-message.ts'

type OpenedKey = {
  readonly key: string
  readonly pool: Pool
  readonly finding: ResolvedFinding
}

/** The first pack key that opens; or the findings, with what is wrong with damaged keys. */
export function openPackKey(findings: readonly ResolvedFinding[]): OpenedKey | ResolvedFinding[] {
  const checked: ResolvedFinding[] = []
  for (const finding of findings) {
    const key = keyIn(finding)
    try {
      if (key !== null) return { key, pool: decodePackKey(key), finding }
      checked.push(finding)
    } catch (error) {
      if (!(error instanceof PackKeyError)) throw error
      checked.push({ ...finding, reading: refused(brokenKey(error)) })
    }
  }
  return checked
}

const brokenKeys = {
  empty: say('noKey'),
  prefix: say('noKey'),
  version: say('keyVersion'),
  encoding: say('keyEncoding'),
  checksum: say('keyDamaged'),
  malformed: say('keyInvalid'),
} as const satisfies Record<PackKeyErrorCode, ImportMessage>

const brokenKey = ({ code, detail }: PackKeyError): ImportMessage =>
  detail === null ? brokenKeys[code] : say('keyInvalidFor', { problem: { message: detail } })

/**
 * What looks like a pack key on a line that was not understood, or that only looks like a comment: `#pk1.…` of a
 * link. A line that is a slot by itself holds none: titles may look like one.
 */
function keyIn({ text, reading }: Finding): string | null {
  const isComment = reading.kind === 'skipped' && /^\s*#pk[0-9]/.test(text)
  const mayHold = (reading.kind === 'refused' && reading.plan?.isWritten !== true) || isComment
  return mayHold ? findPackKey(normalizeText(text)) : null
}

/**
 * Adds the pool of a pack key to the draft. An empty draft becomes the pool, but keeps a name that it
 * has. Others get its slots, and those of its buckets that they lack, with their mods.
 */
export function placePool(
  { key, pool, finding: opened }: OpenedKey,
  findings: readonly ResolvedFinding[],
  into: PoolDraft,
): Placed {
  const { name, buckets, slots } = pool
  const isEmpty = into.slots.length === 0 && isDefaultTable(wholeTable(into))
  const draft = isEmpty ? { ...into, name: into.name.trim() ? into.name : name, buckets } : into
  const mods = new Map(
    (buckets ?? []).flatMap((each) =>
      isCustom(each) && each.mods ? [[each.code, each.mods]] : [],
    ),
  )
  const placement = new Placement(draft, { mods })
  const placed = slots.map(({ mod, index, beatmapId }) =>
    placement.place(slotReading({ code: mod, index }, beatmapId, 'packKey')),
  )
  const lines = findings.flatMap((finding): PlacedLine[] => {
    const { line, text } = finding
    const outcomes = finding === opened && placed.length > 0 ? placed : [aside(finding, opened)]
    return outcomes.map((outcome) => ({ line, text, ...outcome }))
  })
  const unread = slots.flatMap(({ mod, index }, at) =>
    placed[at]!.outcome === 'slot' ? [] : [{ code: foldCode(mod ?? ''), index }],
  )
  const { draft: round } = placement
  return { lines, draft: placement.packDraft(draft), round, packKey: key, unread }
}

function aside(finding: Finding, opened: Finding): Outcome {
  if (finding.reading.kind === 'slot' || finding.reading.kind === 'asked') {
    return refuse(say('keyOpened'))
  }
  return finding !== opened && keyIn(finding) !== null
    ? refuse(say('otherKeyOpened'))
    : { outcome: 'skipped' }
}
