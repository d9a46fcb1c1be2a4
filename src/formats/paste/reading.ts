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
  noBeatmap: 'There is no beatmap id or link here; write it as in “NM1 129891”.',
  otherLink:
    'This link is to no beatmap of the game’s site; paste the beatmap’s own link or its id.',
  wholeSet:
    'This link is to a whole set; open the difficulty that is meant and copy the link from there.',
  severalBeatmaps: 'There is more than one beatmap here; put each on a line of its own.',
  severalNumbers:
    'It is not clear which number is the beatmap id; write “NM1 129891”, or paste a link.',
  unnamedColumns:
    'It is not clear which number is the beatmap id; paste the table with its header, with a column Beatmap ID.',
  conflict: 'The id and the link of this row name different beatmaps; correct one of them.',
  unclearSlot:
    'It is not clear which slot this is for; begin the line with it, as in “NM1 129891”.',
} as const
