import type { PoolDraft } from '../../pool/pool.ts'
import type { Label } from './label.ts'

/** What one line or row says by itself. */
export type Reading =
  | { readonly kind: 'skipped' }
  | {
      readonly kind: 'refused'
      readonly reason: string
      /** Whether it may be a heading that was not understood, so that the one above is over. */
      readonly endsHeading?: boolean
    }
  /** It names the place of what comes below it. */
  | { readonly kind: 'heading'; readonly label: Label }
  | SlotReading

/** A line, or a row of several lines, and what it says. */
export type Finding = { readonly line: number; readonly text: string; readonly reading: Reading }

export type SlotReading = {
  readonly kind: 'slot'
  /** null when the line does not say where the beatmap is to stand. */
  readonly label: Label | null
  readonly beatmapId: number
  /** Whether it is a row of a table: sheets write a code once and leave the cells below it empty. */
  readonly isCell?: boolean
}

export const skipped: Reading = { kind: 'skipped' }

export const refused = (reason: string) => ({ kind: 'refused', reason }) as const satisfies Reading

export const reasons = {
  noBeatmap: 'No beatmap id or link found. Example: “NM1 129891”.',
  otherLink:
    'This link does not lead to a beatmap on the game’s site. Paste the beatmap’s link or id.',
  wholeSet: 'This link leads to a beatmap set. Open the difficulty you want and copy its link.',
  severalBeatmaps: 'There is more than one beatmap here. Put each on its own line.',
  severalNumbers:
    'It is not clear which number is the beatmap id. Write it like “NM1 129891”, or paste a link.',
  unnamedColumns:
    'It is not clear which number is the beatmap id. Include the header row with a “Beatmap ID” column.',
  conflict: 'The id and the link in this row refer to different beatmaps. Correct one of them.',
  unclearSlot:
    'It is not clear which slot this is for. Start the line with the slot, like “NM1 129891”.',
} as const

/**
 * What became of one line of a paste. A pack key is one line with an entry for each of its slots,
 * and a row of a table may take up several lines and has one entry.
 */
export type PastedLine = {
  /** Where it begins, counted from 1. */
  readonly line: number
  /** The line as it was, without its line break. */
  readonly text: string
} & (
  | {
      readonly outcome: 'slot'
      readonly mod: string | null
      /** The number it got; the lowest free one where the line named none. */
      readonly index: number
      readonly beatmapId: number
    }
  /** Blank, a comment or a header. */
  | { readonly outcome: 'skipped' }
  /** `reason` says what is wrong and what to do. */
  | { readonly outcome: 'refused'; readonly reason: string }
)

/** A paste, read into a draft. */
export type Pasted = {
  readonly lines: readonly PastedLine[]
  /** The draft with all that was understood added; unchanged when nothing was. */
  readonly draft: PoolDraft
  /** The pack key that stood in the text, when that is what was read. */
  readonly packKey: string | null
}
