import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { killCycles } from '../../bench/kill-cycles.ts'

// The long version, with its figure, is `npm run kill-cycles`.
test('no acknowledged save is lost when the process is killed under writes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mapcrate-'))
  try {
    const { acknowledged, interrupted, lost } = await killCycles(folder, 4)
    expect(acknowledged).toBeGreaterThan(0)
    expect(interrupted).toBeGreaterThan(0)
    expect(lost).toBe(0)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
