import { existsSync, writeFileSync } from 'node:fs'
import { mkdtemp, open, rm, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { removeInUse } from '../../src/adapters/storage/sqlite/scratch.ts'

const ROUNDS = 200
const names = ['a', 'b', 'c', 'd', 'e']

describe('removing a folder on a signal', () => {
  test.each([
    ['removed', (path: string) => unlink(path)],
    ['made', async (path: string) => (await open(`${path}.new`, 'wx')).close()],
  ])('leaves nothing behind while its files are %s by other threads', async (_, change) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const folder = await mkdtemp(join(tmpdir(), 'mapcrate-remove-'))
      for (const name of names) writeFileSync(join(folder, name), '')
      const changes = names.map((name) => change(join(folder, name)).catch(() => {}))
      removeInUse(folder)
      const isLeft = existsSync(folder)
      await Promise.all(changes)
      await rm(folder, { recursive: true, force: true })
      expect(isLeft).toBe(false)
    }
  })
})
