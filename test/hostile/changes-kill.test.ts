import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { changeCycles, feedIn } from '../../bench/change-cycles.ts'
import { inFolder } from '../../bench/kill-cycles.ts'

// The long version, with its figure, is `npm run change-cycles`.
test('a reader gets each change once, in order, though it is cut off and the process is killed (D-73)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mapcrate-'))
  const faults: string[] = []
  try {
    const ground = { ...inFolder(folder), readFeed: feedIn(folder) }
    const wish = { processes: 1, changes: 60, kills: 2, cuts: 10 }
    const count = await changeCycles(ground, wish, undefined, (fault) => void faults.push(fault))
    expect(faults).toEqual([])
    expect(count).toMatchObject({ kills: 2, cuts: 10, wrong: 0 })
    expect(count.changes).toBeGreaterThanOrEqual(60)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
