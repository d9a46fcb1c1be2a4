import { randomBytes } from 'node:crypto'
import type { Engine } from './engine.ts'

export const DISK_FULL = 'the disk of the store is full'

/** As large as the largest save, and as hard to compress as nothing that is saved. */
const PROBE_BYTES = 49_152
const PROBE_ID = -1

/** Commits a write that needs room, and leaves nothing of it: only that proves that there is room. */
export async function probeRoom({ write }: Pick<Engine, 'write'>): Promise<void> {
  const details = randomBytes(PROBE_BYTES).toString('base64')
  await write('beatmaps', async (tx) => {
    const remove = () => tx.deleteFrom('beatmap').where('id', '=', PROBE_ID).execute()
    await remove()
    await tx
      .insertInto('beatmap')
      .values({ id: PROBE_ID, known_at: 0, details, is_public: 0 })
      .execute()
    await remove()
  })
}
