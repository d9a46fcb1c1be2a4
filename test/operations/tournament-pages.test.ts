import { expect, test } from 'vitest'
import { newsReader, roundsOfPacks } from '../../src/operations/tournament-pages.ts'
import type { TournamentStore } from '../../src/ports/tournaments.ts'
import { openScene } from './tournament-scene.ts'

/** The store, and how often these of its questions have been asked. */
const counted = (store: TournamentStore) => {
  const asked = { listComing: 0, findByPack: 0 }
  const tournaments: TournamentStore = {
    ...store,
    listComing: (...of) => {
      asked.listComing += 1
      return store.listComing(...of)
    },
    findByPack: (...of) => {
      asked.findByPack += 1
      return store.findByPack(...of)
    },
  }
  return { tournaments, asked }
}

test('what comes next is asked once in two seconds, and the news stay the same object while they are equal', async () => {
  const { ports, clock } = await openScene()
  const { tournaments, asked } = counted(ports.tournaments)
  const readNews = newsReader({ tournaments, clock })
  const first = await readNews()
  expect(await readNews()).toBe(first)
  clock.advance(1_999)
  for (const news of await Promise.all([readNews(), readNews()])) expect(news).toBe(first)
  expect(asked.listComing).toBe(1)
  clock.advance(1)
  for (const news of await Promise.all([readNews(), readNews()])) expect(news).toBe(first)
  expect(asked.listComing).toBe(2)
})

test('the news are at once what a new reader finds, whatever becomes of a tournament (D-66, D-76)', async () => {
  const { ports, clock, make } = await openScene()
  const readNews = newsReader({ ...ports, clock })
  const { slug } = await make({ state: 'public', round: 'released' })
  const changes = [
    { name: 'Renamed' },
    { visibility: 'private' },
    { visibility: 'public' },
    { hiddenAt: 5 },
    { hiddenAt: null },
  ] as const
  for (const change of changes) {
    await readNews()
    await ports.tournaments.change(slug, null, 9, clock.now(), (saved) => ({ ...saved, ...change }))
    const now = await newsReader({ ...ports, clock })()
    const isShown =
      !('hiddenAt' in change && change.hiddenAt) &&
      !('visibility' in change && change.visibility === 'private')
    expect(now.highlights.released).toHaveLength(isShown ? 1 : 0)
    expect(await readNews(), JSON.stringify(change)).toEqual(now)
  }
})

test('the store is asked for the tournament of a pack once after each save of the pack', async () => {
  const { ports, make } = await openScene()
  const { slug } = await make({ state: 'public', round: 'released' })
  const [pack] = (await ports.packs.listOwned('tournament-pools', 1, 50)).rows
  const { tournaments, asked } = counted(ports.tournaments)
  const roundOf = roundsOfPacks({ tournaments })
  for (let times = 0; times < 3; times += 1) {
    expect(await roundOf(pack!)).toMatchObject({ tournament: { slug } })
  }
  expect(asked.findByPack).toBe(1)
  await roundOf({ ...pack!, updatedAt: pack!.updatedAt + 1 })
  expect(asked.findByPack).toBe(2)
})
