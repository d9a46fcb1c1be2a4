import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { releaseCycles } from '../../bench/release-cycles.ts'
import { releasesIn } from '../../bench/release-grounds.ts'

// The long version, with its figure, is `npm run release-cycles`.
test('each round is released once, with its pack and not before its time, though the server is killed (D-63)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mapcrate-'))
  const faults: string[] = []
  try {
    const ground = await releasesIn(folder)
    const count = await releaseCycles(ground, 4, undefined, (fault) => void faults.push(fault))
    expect(faults).toEqual([])
    expect(count).toMatchObject({ kills: 4, released: 4 * 24, wrong: 0 })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
