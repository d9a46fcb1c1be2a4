import type { Pool } from '../pool/pool.ts'
import { slotLabel, slotsToPlay } from '../pool/slots.ts'
import { lobbySlots } from './lists.ts'
import { type Sheet, sheetOf } from './sheet.ts'

/**
 * The slots for referee bots, in pool order: a JSON list with an object a line. `code` is the slot's label as
 * everywhere (`NM1`, `RC1 2`, `TB`; the number alone without a bucket), so it is never null and never there twice.
 */
export function writeCodes(pool: Pool): string {
  return writePicks(sheetOf(pool), codeLines)
}

/**
 * The slots for stream overlays, in pool order: a JSON list with an object a line. `pick` is the slot's label, as
 * `code` in `writeCodes`; `mods` the code of a built-in bucket, else the mods that the bucket forces (`HDHR`), `FM` if
 * they are free, `NM` if there are none or there is no bucket.
 */
export function writeOverlay(pool: Pool): string {
  return writePicks(sheetOf(pool), overlayLines)
}

/** The slots for referee programs, in pool order; `code` is null without a bucket, `mods` the words of `!mp mods`. */
export function refereeJson(pool: Pool): string {
  return writeRefereeJson(sheetOf(pool))
}

/** A pack as `refereeJson` has it, several pools as a list of such objects. */
export function writeRefereeJson({ kind, name = '', rounds }: Sheet): string {
  const all = rounds.map(({ name, pool }) => ({ name, slots: lobbySlots(pool) }))
  return `${JSON.stringify(kind === 'pack' ? (all[0] ?? { name, slots: [] }) : all, null, 2)}\n`
}

export function codeLines(pool: Pool): string[] {
  return slotsToPlay(pool).map((slot) =>
    JSON.stringify({ code: slotLabel(slot), id: slot.beatmapId }),
  )
}

export function overlayLines(pool: Pool): string[] {
  return slotsToPlay(pool).map((slot) => {
    return JSON.stringify({ beatmapId: slot.beatmapId, pick: slotLabel(slot), mods: modsOf(slot) })
  })
}

function modsOf({ countsAs, forced }: ReturnType<typeof slotsToPlay>[number]): string {
  return countsAs ?? (forced.join('') || 'NM')
}

/** For overlays that read the stage and its beatmaps from one file; several pools are a list of such objects. */
export function writeStages(sheet: Sheet): string {
  return writeObjects(sheet, 'stage', ({ pool }) =>
    slotsToPlay(pool).map((slot) => ({
      beatmap_id: slot.beatmapId,
      identifier: slotLabel(slot),
      // As NM, it would be shown among those, and be read as one.
      mods: slot.mod === null ? '' : modsOf(slot),
    })),
  )
}

/** For overlays that know a beatmap by its mod and its number among those of the mod. */
export function writeOrders(sheet: Sheet): string {
  return writeObjects(sheet, 'roundName', ({ pool }) =>
    slotsToPlay(pool).map(({ beatmapId, mod, index }) => ({
      beatmapID: beatmapId,
      mod: mod ?? '',
      order: index,
    })),
  )
}

/** @param key of the round's name, which precedes its beatmaps. */
function writeObjects(
  { kind, name = '', rounds }: Sheet,
  key: string,
  beatmapsOf: (round: Sheet['rounds'][number]) => readonly object[],
): string {
  const indent = kind === 'pack' ? '' : '  '
  const objects = rounds.map((round) => {
    const lines = beatmapsOf(round).map((each) => JSON.stringify(each))
    const list = listOf(lines, `${indent}  `)
    const name = `${indent}  "${key}": ${JSON.stringify(round.name)}`
    return `${indent}{\n${name},\n${indent}  "beatmaps": ${list}\n${indent}}`
  })
  // Programs that read it while there is nothing yet look for the list.
  const none = () => `{\n  "${key}": ${JSON.stringify(name)},\n  "beatmaps": []\n}`
  if (kind === 'pack') return `${objects[0] ?? none()}\n`
  return objects.length === 0 ? '[]\n' : `[\n${objects.join(',\n')}\n]\n`
}

/**
 * A pack's list as `writeCodes` has it; for several pools, a JSON object from their names, in their order, to lists.
 *
 * @param linesOf the items of a list.
 */
export function writePicks({ kind, rounds }: Sheet, linesOf: (pool: Pool) => string[]): string {
  const [only] = rounds
  if (kind === 'pack') return `${listOf(only === undefined ? [] : linesOf(only.pool), '')}\n`
  if (rounds.length === 0) return '{}\n'
  // Not by JSON.stringify: an object would move names that are numbers to its front.
  const members = rounds.map(
    ({ name, pool }) => `  ${JSON.stringify(name)}: ${listOf(linesOf(pool), '  ')}`,
  )
  return `{\n${members.join(',\n')}\n}\n`
}

function listOf(lines: readonly string[], indent: string): string {
  if (lines.length === 0) return '[]'
  return `[\n${lines.map((line) => `${indent}  ${line}`).join(',\n')}\n${indent}]`
}
