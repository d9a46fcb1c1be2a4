import { parentPort } from 'node:worker_threads'
import { drawIcon } from './draw-icon.ts'
import { drawScene } from './draw-scene.ts'
import { type Fonts, openFonts } from './fonts.ts'
import type { Scene } from './scene.ts'

/** Something to draw. */
export type PictureJob =
  | { readonly kind: 'pack'; readonly scene: Scene }
  /** The site's mark; `size` in pixels. */
  | { readonly kind: 'icon'; readonly size: number }

/** What comes back: a PNG, or why there is none. */
export type PictureResult = { readonly png: Uint8Array } | { readonly trouble: string }

let fonts: Fonts | null = null

const draw = (job: PictureJob): Buffer => {
  if (job.kind === 'icon') return drawIcon(job.size)
  fonts ??= openFonts()
  return drawScene(job.scene, fonts)
}

const answer = (job: PictureJob): PictureResult => {
  try {
    return { png: draw(job) }
  } catch (error) {
    return { trouble: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

// One at a time: the other side sends the next job when this one is answered.
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.on('message', (job: PictureJob) => parentPort?.postMessage(answer(job)))
