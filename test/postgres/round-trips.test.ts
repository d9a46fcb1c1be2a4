import { expect, onTestFinished, test } from 'vitest'
import { openPostgresStores } from '../../src/adapters/storage/postgres/open.ts'
import { aNewPack } from '../ports/sample-pack.ts'
import { takeDatabase } from '../support/postgres-databases.ts'
import { startWire } from './wire.ts'

test('a write of a pack takes few round trips: beginning, what is read, what is written, the commit', async () => {
  const database = await takeDatabase()
  const wire = await startWire(database.url)
  const { packs, accounts, care } = await openPostgresStores(wire.url, { size: 1, timeoutMs: null })
  onTestFinished(async () => {
    await care.close()
    await database.giveBack()
  })
  const ensure = async (gameId: number, id: string): Promise<string> =>
    (await accounts.ensurePlayer({ gameId, username: `p${gameId}` }, id, 0)).id
  const tripsOf = async (work: () => Promise<unknown>): Promise<number> => {
    const before = wire.roundTrips()
    await work()
    return wire.roundTrips() - before
  }
  const ownerId = await ensure(1, 'an-owner')
  for (const visibility of ['unlisted', 'public'] as const) {
    const pack = aNewPack({ ownerId, visibility })
    expect({
      created: await tripsOf(() => packs.create(pack, 200)),
      taken: await tripsOf(() => packs.create(pack, 200)),
      replaced: await tripsOf(() => packs.replace(pack.slug, ownerId, (saved) => saved)),
      removed: await tripsOf(() => packs.remove(pack.slug, ownerId, 5)),
    }).toEqual({ created: 3, taken: 4, replaced: 4, removed: 4 })
  }
  // An id that would have to be quoted is locked by a statement with values.
  const odd = await ensure(2, "o'owner")
  expect(await tripsOf(() => packs.create(aNewPack({ ownerId: odd }), 200))).toBe(4)
})
