import type { Label } from './label.ts'

/** What one line or row says by itself. */
export type Reading =
  | { readonly kind: 'skipped' }
  | { readonly kind: 'refused'; readonly reason: string }
  /** It names the place of what comes below it. */
  | { readonly kind: 'heading'; readonly label: Label }
  /** `label` is null when the line does not say where the beatmap is to stand. */
  | { readonly kind: 'slot'; readonly label: Label | null; readonly beatmapId: number }

export const skipped: Reading = { kind: 'skipped' }

export const refused = (reason: string): Reading => ({ kind: 'refused', reason })

export const reasons = {
  noBeatmap: 'There is no beatmap id or link here; write it as in “NM1 129891”.',
  wholeSet:
    'This link is to a whole set; open the difficulty that is meant and copy the link from there.',
  severalBeatmaps: 'There is more than one beatmap here; put each on a line of its own.',
  severalNumbers:
    'It is not clear which number is the beatmap id; write “NM1 129891”, or paste a link.',
  unclearSlot:
    'It is not clear which slot this is for; begin the line with it, as in “NM1 129891”.',
} as const
