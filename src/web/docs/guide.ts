/** A part of a guide. HTML is made from our own Markdown when the pages are built. */
export type GuideBlock =
  | { readonly kind: 'text'; readonly html: string }
  | {
      readonly kind: 'heading'
      readonly level: 2 | 3
      readonly id: string
      readonly text: string
      readonly html: string
    }
  | {
      readonly kind: 'picture'
      /** What it shows, in words. */
      readonly text: string
      /** Addresses for the two themes. */
      readonly light: string
      readonly dark: string
      /** In pixels, for the place that it takes before it is there. */
      readonly width: number
      readonly height: number
    }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | {
      readonly kind: 'table'
      /** The heading above it, to name it. */
      readonly under: string
      /** Cells as HTML. */
      readonly head: readonly string[]
      readonly rows: readonly (readonly string[])[]
    }

export type Guide = {
  readonly title: string
  /** That it is in, as BCP 47 has it. */
  readonly language: string
  readonly blocks: readonly GuideBlock[]
}

/** The addresses in the guides, which the site replaces by its own. */
export const SAMPLE_SITE = 'https://mapcrate.test'
export const SAMPLE_API = `${SAMPLE_SITE}/api/`
export const SAMPLE_POOLS = 'https://pools.mapcrate.test'
