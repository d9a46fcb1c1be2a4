import * as fc from 'fast-check'
import { afterAll, test } from 'vitest'
import { countFrom } from '../../scripts/arguments.ts'
import { openTournamentHouse } from '../support/tournament-house.ts'
import { anyStep, World } from './drafts-world.ts'

/** `npm run drafts-model` makes more. */
const STEPS = countFrom('DRAFTS_MODEL_STEPS', 1_000)
/** On the average. */
const STEPS_OF_A_RUN = 80

const people = await openTournamentHouse()
afterAll(() => people.close())

test(
  `D-77, D-82, D-83: in about ${STEPS} pastes, pushes and edits of three people, no slot, candidate or remark is lost, and undo is exact`,
  async () => {
    const runs = fc.array(anyStep, { maxLength: 2 * STEPS_OF_A_RUN, size: 'max' })
    const property = fc.asyncProperty(runs, fc.boolean(), async (steps, isMine) => {
      const world = await World.open(people)
      try {
        for (const step of steps) await world.take(step)
        await world.settle(isMine)
      } finally {
        await world.close()
      }
    })
    await fc.assert(property, { numRuns: Math.ceil(STEPS / STEPS_OF_A_RUN) })
  },
  120_000 + STEPS * 500,
)
