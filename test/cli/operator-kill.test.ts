import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { killCopies, killDeletions, killRecomputations } from '../support/killed-commands.ts'
import { freshFolder } from '../support/processes.ts'

const isSound = (folder: string): void => {
  using store = new DatabaseSync(join(folder, 'mapcrate.db'), { readOnly: true })
  expect(store.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  expect(store.prepare('pragma foreign_key_check').all()).toEqual([])
}

test('delete-account that is killed deletes all or nothing, and can be repeated', async () => {
  const folder = await freshFolder()
  await killDeletions({ folder, env: {} }, 3)
  isSound(folder)
})

test('recompute that is killed leaves a store whose stats are computed, and can be repeated', async () => {
  const folder = await freshFolder()
  await killRecomputations({ folder, env: {} }, 2)
  isSound(folder)
})

test.each(['copy', 'restore'] as const)(
  '%s that is killed leaves a store that serves nobody but whole, and can be repeated',
  async (command) => {
    const places: string[] = []
    const newPlace = async () => {
      const folder = join(await freshFolder(), 'data')
      places.push(folder)
      return { folder, env: {} }
    }
    await killCopies(command, newPlace, 5)
    places.forEach(isSound)
  },
)
