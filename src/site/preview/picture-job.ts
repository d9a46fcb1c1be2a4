import type { Scene } from './scene.ts'

/** Something to draw. */
export type PictureJob =
  | { readonly kind: 'pack'; readonly scene: Scene }
  /** The site's mark; `size` in pixels. */
  | { readonly kind: 'icon'; readonly size: number }

/** What comes back: a PNG, or why there is none. */
export type PictureResult = { readonly png: Uint8Array } | { readonly trouble: string }
