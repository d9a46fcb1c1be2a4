import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { ConditionalWrites } from '../../src/client/conditional-writes.ts'
import { MapcrateError } from '../../src/client/errors.ts'
import { UnknownOutcome } from '../../src/client/lost-answers.ts'
import type { Pack, PackInput } from '../../src/contract/packs.ts'
import { anyPack, decided, withOneOther } from '../support/any-pack.ts'

/** What a program is told of a save whose answer was lost, when the pack is found as `found` after it. */
const toldOf = (input: PackInput, found: PackInput): Promise<unknown> => {
  const info = { requestId: null, ignoredFields: [], etag: null }
  const pack = { ...found, slug: 'AAAAAAAAAA', updatedAt: 'later' } as unknown as Pack
  const writes = new ConditionalWrites(async () => ({ data: { pack }, ...info }) as never)
  const lost = new UnknownOutcome(
    new MapcrateError('timed_out', 'no answer in time'),
    new MapcrateError('precondition_failed', 'another state'),
  )
  return writes.write('AAAAAAAAAA', input, { ifMatch: '"before"' }, async () => {
    throw lost
  })
}

it('a lost answer is taken for a save of exactly what was sent: any other field is another save (D-48)', async () => {
  await fc.assert(
    fc.asyncProperty(anyPack, anyPack, async (input, other) => {
      expect(await toldOf(input, input)).toMatchObject({ data: { pack: { updatedAt: 'later' } } })
      for (const found of withOneOther(input, other)) {
        if (JSON.stringify(decided(found)) === JSON.stringify(decided(input))) continue
        await expect(toldOf(input, found)).rejects.toThrow(
          /whether anything was changed is unknown/,
        )
      }
    }),
    { numRuns: 200 },
  )
})
