import { makeZip } from 'client-zip'
import { saveFile } from '../pool/downloads.tsx'
import type { SetStore } from './set-store.ts'

export type ZippedSet = { readonly id: number; readonly name: string }

type ReadSets = Pick<SetStore, 'read'>
type SavePicker = (options: {
  suggestedName: string
  types: readonly { accept: Readonly<Record<string, readonly string[]>> }[]
}) => Promise<FileSystemFileHandle>

/**
 * Saves kept sets as one archive, in their order. Browsers that can write it straight to a file ask where; others save it
 * as any download. Throws where a set is not kept any more.
 *
 * @returns false where the reader has chosen no place.
 */
export async function saveZip(
  fileName: string,
  sets: readonly ZippedSet[],
  store: ReadSets,
): Promise<boolean> {
  const { showSaveFilePicker: pick } = globalThis as { showSaveFilePicker?: SavePicker }
  if (pick === undefined) {
    saveFile(fileName, await zipBlob(sets, store))
    return true
  }
  try {
    const types = [{ accept: { 'application/zip': ['.zip'] } }]
    const handle = await pick({ suggestedName: fileName, types })
    await zipStream(sets, store).pipeTo(await handle.createWritable())
    return true
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return false
    throw error
  }
}

type OnChunk = (chunk: Uint8Array, set: Blob) => void

/** The archive, byte by byte. Not compressed again: sets are archives themselves. */
export const zipStream = (
  sets: readonly ZippedSet[],
  store: ReadSets,
  onChunk?: OnChunk,
): ReadableStream<Uint8Array<ArrayBuffer>> =>
  makeZip(filesOf(sets, store, onChunk)) as ReadableStream<Uint8Array<ArrayBuffer>>

/**
 * The archive as a blob that refers to the files of the sets instead of holding their bytes: it takes no memory, and no room
 * on the disk before it is saved. Each set is read once, for its sum.
 */
export async function zipBlob(sets: readonly ZippedSet[], store: ReadSets): Promise<Blob> {
  const setOf = new WeakMap<Uint8Array, Blob>()
  const parts: BlobPart[] = []
  const chunks = zipStream(sets, store, (chunk, set) => setOf.set(chunk, set)).getReader()
  for (;;) {
    const { value: chunk, done } = await chunks.read()
    if (done) return new Blob(parts, { type: 'application/zip' })
    const part = setOf.get(chunk) ?? chunk
    if (parts.at(-1) !== part) parts.push(part)
  }
}

async function* filesOf(sets: readonly ZippedSet[], store: ReadSets, onChunk: OnChunk = () => {}) {
  for (const { id, name } of sets) {
    const set = await store.read(id)
    if (set === null) throw new Error(`this browser has removed the set ${id}`)
    const noted = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        onChunk(chunk, set)
        controller.enqueue(chunk)
      },
    })
    yield { name, input: set.stream().pipeThrough(noted) }
  }
}
