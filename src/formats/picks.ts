import type { Pool } from '../pool/pool.ts'
import { slotLabel, slotsToPlay } from '../pool/slots.ts'

/** A pool as one of its rounds is called. */
type NamedPool = { readonly name: string; readonly pool: Pool }

/**
 * The slots for referee bots, in pool order: a JSON list with an object a line. `code` is the slot's label as
 * everywhere (`NM1`, `RC1 2`, `TB`; the number alone without a bucket), so it is never null and never there twice.
 */
export function writeCodes(pool: Pool): string {
  return `${listOf(codeLines(pool), '')}\n`
}

/** As `writeCodes` of each round: a JSON object from the names of rounds, in their order, to lists. */
export function writeCodesOfRounds(rounds: readonly NamedPool[]): string {
  return objectOf(rounds, codeLines)
}

/**
 * The slots for stream overlays, in pool order: a JSON list with an object a line. `pick` is the slot's label, as
 * `code` in `writeCodes`; `mods` the code of a built-in bucket, else the mods that the bucket forces (`HDHR`), `FM` if
 * they are free, `NM` if there are none or there is no bucket.
 */
export function writeOverlay(pool: Pool): string {
  return `${listOf(overlayLines(pool), '')}\n`
}

/** As `writeOverlay` of each round: a JSON object from the names of rounds, in their order, to lists. */
export function writeOverlayOfRounds(rounds: readonly NamedPool[]): string {
  return objectOf(rounds, overlayLines)
}

function codeLines(pool: Pool): string[] {
  return slotsToPlay(pool).map((slot) =>
    JSON.stringify({ code: slotLabel(slot), id: slot.beatmapId }),
  )
}

function overlayLines(pool: Pool): string[] {
  return slotsToPlay(pool).map((slot) => {
    const { beatmapId, countsAs, forced } = slot
    const mods = countsAs ?? (forced.join('') || 'NM')
    return JSON.stringify({ beatmapId, pick: slotLabel(slot), mods })
  })
}

function listOf(lines: readonly string[], indent: string): string {
  if (lines.length === 0) return '[]'
  return `[\n${lines.map((line) => `${indent}  ${line}`).join(',\n')}\n${indent}]`
}

/** Not by JSON.stringify: an object would move names that are numbers to its front. */
function objectOf(rounds: readonly NamedPool[], linesOf: (pool: Pool) => string[]): string {
  if (rounds.length === 0) return '{}\n'
  const members = rounds.map(
    ({ name, pool }) => `  ${JSON.stringify(name)}: ${listOf(linesOf(pool), '  ')}`,
  )
  return `{\n${members.join(',\n')}\n}\n`
}
