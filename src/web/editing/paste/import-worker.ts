// Reads in a thread of its own, so that no key press waits for it.
import { type ImportReply, type ImportRequest, readSource } from './read-source.ts'

/** The part of a worker's global scope that is used here; pages are typed for windows. */
type WorkerScope = {
  readonly postMessage: (message: ImportReply | 'ready', transfer: Transferable[]) => void
}

addEventListener('message', ({ data }: MessageEvent<ImportRequest>) => {
  void readSource(data).then(answer)
})
answer('ready')

function answer(message: ImportReply | 'ready'): void {
  ;(globalThis as unknown as WorkerScope).postMessage(message, [])
}
