import { expect, test } from 'vitest'
import { runFuzz } from '../../scripts/fuzz/run-fuzz.ts'

// `node scripts/fuzz-formats.ts` gives a million; these are the first of another seed.
test('damaged files are refused with a clear error or read into something sound', async () => {
  const { tally } = await runFuzz(20_260_101, { count: 5000 })
  for (const [name, { taken, refused }] of tally) {
    expect(taken, name).toBeGreaterThan(0)
    // A paste is never refused whole; its lines are.
    if (name !== 'paste') expect(refused, name).toBeGreaterThan(100)
  }
})
