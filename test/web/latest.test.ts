import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { latest } from '../../src/web/tournament-edit/live.ts'

test('work that is asked for while it runs is done once more, however that run ends', async () => {
  const runs = fc.array(fc.record({ asks: fc.nat({ max: 3 }), fails: fc.boolean() }), {
    minLength: 1,
    maxLength: 6,
  })
  await fc.assert(
    fc.asyncProperty(runs, async (all) => {
      let count = 0
      const run = latest(async () => {
        const { asks = 0, fails = false } = all[count] ?? {}
        count += 1
        await Promise.resolve()
        for (let asked = 0; asked < asks; asked += 1) void run().catch(() => {})
        if (fails) throw new Error('away')
      })
      const isDone = await run().then(
        () => true,
        () => false,
      )
      const last = all.findIndex(({ asks }) => asks === 0)
      const expected = last < 0 ? all.length + 1 : last + 1
      expect([count, isDone]).toEqual([expected, !(all[last]?.fails ?? false)])
    }),
  )
})
