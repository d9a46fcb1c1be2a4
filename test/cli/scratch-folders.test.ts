import { existsSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, open, readdir, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  removeAbandoned,
  removeInUse,
  withScratchFile,
} from '../../src/adapters/storage/sqlite/scratch.ts'

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

describe('what killed commands have left', () => {
  let place: string

  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'mapcrate-left-'))
    await mkdir(join(place, '.mapcrate-scratch-left'))
    await writeFile(join(place, '.mapcrate-scratch-left', 'mapcrate.db'), 'half')
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    await rm(place, { recursive: true, force: true })
  })

  test('is removed, and nothing else', async () => {
    await mkdir(join(place, 'mapcrate-scratch'))
    await writeFile(join(place, '.mapcrate-scratch-notes'), 'a file')
    await removeAbandoned(place)
    expect((await readdir(place)).toSorted()).toEqual([
      '.mapcrate-scratch-notes',
      'mapcrate-scratch',
    ])
  })

  test('stays while a command uses it', async () => {
    await withScratchFile([place], async (file) => {
      await removeAbandoned(place)
      expect(existsSync(dirname(file))).toBe(true)
    })
    expect(await readdir(place)).toEqual([])
  })

  test('stays where it belongs to another user', async () => {
    vi.spyOn(process, 'getuid').mockReturnValue(process.getuid!() + 1)
    await removeAbandoned(place)
    expect(await readdir(place)).toEqual(['.mapcrate-scratch-left'])
  })
})
