import { makeZip } from 'client-zip'
import { saveFile } from '../pool/downloads.tsx'
import { type SetStore, writeFile } from './set-store.ts'

type ZippedSet = { readonly id: number; readonly name: string }

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
    saveFile(fileName, await zipOf(sets, store))
    return true
  }
  const types = [{ accept: { 'application/zip': ['.zip'] } }]
  const handle = await pick({ suggestedName: fileName, types }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') return null
    throw error
  })
  if (handle === null) return false
  await writeFile(handle, await zipOf(sets, store))
  return true
}

/**
 * The archive as a blob that refers to the files of the sets instead of holding their bytes: it takes no memory, and no room
 * on the disk before it is saved. Each set is read once, for its sum; none is compressed again, since it is an archive itself.
 */
export async function zipOf(sets: readonly ZippedSet[], store: ReadSets): Promise<Blob> {
  const setOf = new WeakMap<Uint8Array, Blob>()
  async function* files() {
    for (const { id, name } of sets) {
      const set = await store.read(id)
      if (set === null) throw new Error(`this browser has removed the set ${id}`)
      yield { name, input: bytesOf(set, (chunk) => setOf.set(chunk, set)) }
    }
  }
  const parts: BlobPart[] = []
  const chunks = makeZip(files()).getReader() as ReadableStreamDefaultReader<
    Uint8Array<ArrayBuffer>
  >
  for (;;) {
    const { value: chunk, done } = await chunks.read()
    if (done) return new Blob(parts, { type: 'application/zip' })
    const part = setOf.get(chunk) ?? chunk
    if (parts.at(-1) !== part) parts.push(part)
  }
}

const READ_AT_ONCE = 262_144

/** The bytes of a blob. Only the last chunk can be read: where the browser can, all are in the same piece of memory. */
function bytesOf(blob: Blob, onChunk: (chunk: Uint8Array) => void): ReadableStream<Uint8Array> {
  const read = readerOf(blob.stream())
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    const { value, done } = await read()
    if (done) return controller.close()
    onChunk(value)
    controller.enqueue(value)
  }
  return new ReadableStream({ pull }, { highWaterMark: 0 })
}

function readerOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
  let reader: ReadableStreamBYOBReader
  try {
    reader = stream.getReader({ mode: 'byob' })
  } catch {
    const plain = stream.getReader()
    return () => plain.read()
  }
  let free = new Uint8Array(READ_AT_ONCE)
  return async () => {
    const chunk = await reader.read(free)
    if (chunk.value !== undefined) free = new Uint8Array(chunk.value.buffer)
    return chunk
  }
}
