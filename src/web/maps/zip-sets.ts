import { makeZip } from 'client-zip'
import { saveFile } from '../pool/downloads.tsx'
import type { SetStore } from './set-store.ts'

export type NamedSet = { readonly id: number; readonly name: string }

type SavePicker = (options: {
  suggestedName: string
  types: readonly { accept: Readonly<Record<string, readonly string[]>> }[]
}) => Promise<FileSystemFileHandle>

/**
 * Saves kept sets as one archive, in their order. Browsers that can write it straight to a file ask where; others put it
 * together first.
 *
 * @returns false where the reader has chosen no place.
 */
export async function saveZip(
  fileName: string,
  sets: readonly NamedSet[],
  store: SetStore,
): Promise<boolean> {
  const { showSaveFilePicker: pick } = globalThis as { showSaveFilePicker?: SavePicker }
  if (pick === undefined) {
    saveFile(fileName, await new Response(zipOf(sets, store)).blob())
    return true
  }
  try {
    const types = [{ accept: { 'application/zip': ['.zip'] } }]
    const handle = await pick({ suggestedName: fileName, types })
    await zipOf(sets, store).pipeTo(await handle.createWritable())
    return true
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return false
    throw error
  }
}

/** Not compressed again: sets are archives themselves. */
export const zipOf = (
  sets: readonly NamedSet[],
  store: Pick<SetStore, 'read'>,
): ReadableStream<Uint8Array<ArrayBuffer>> =>
  makeZip(filesOf(sets, store)) as ReadableStream<Uint8Array<ArrayBuffer>>

async function* filesOf(sets: readonly NamedSet[], store: Pick<SetStore, 'read'>) {
  for (const { id, name } of sets) {
    const input = await store.read(id)
    if (input === null) throw new Error(`this browser has removed the set ${id}`)
    yield { name, input }
  }
}
