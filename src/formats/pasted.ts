import type { PoolDraft } from '../pool/pool.ts'

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
