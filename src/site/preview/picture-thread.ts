import { parentPort } from 'node:worker_threads'
import { drawIcon } from './draw-icon.ts'
import { drawScene } from './draw-scene.ts'
import type { PictureJob, PictureResult } from './picture-job.ts'
import { openTypeface, type Typeface } from './typeface.ts'

let typeface: Typeface | null = null

const draw = (job: PictureJob): Buffer => {
  if (job.kind === 'icon') return drawIcon(job.size)
  typeface ??= openTypeface()
  return drawScene(job.scene, typeface)
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
