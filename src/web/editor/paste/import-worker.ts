// Reads in a thread of its own, so that no key press waits for it.
import { type ImportReply, type ImportRequest, readSource } from './read-source.ts'

/** The part of a worker's global scope that is used here; pages are typed for windows. */
type WorkerScope = {
  onmessage: ((event: MessageEvent<ImportRequest>) => void) | null
  readonly postMessage: (message: ImportReply | 'ready') => void
}

const scope = globalThis as unknown as WorkerScope
scope.onmessage = ({ data }) => void readSource(data).then((reply) => scope.postMessage(reply))
scope.postMessage('ready')
