import type { Pack } from '../../../contract/pack.ts'
import { Misuse } from '../../command.ts'
import { connect } from '../connect.ts'
import {
  nameOption,
  packInput,
  type PackToSave,
  visibilityOption,
  type Wishes,
  wishesOf,
} from '../pack-input.ts'
import { count, savedLine, slotTable } from '../pack-words.ts'
import { plain } from '../plain.ts'
import { readPools } from '../pool-file.ts'
import { progressBar } from '../progress-bar.ts'
import { readInput } from '../read-input.ts'
import type { Surroundings } from '../surroundings.ts'
import { describeTrouble, InPart, Trouble } from '../trouble.ts'
import { jsonOption, type UserCommand } from '../user-command.ts'

/** A pack that a file makes; without `input` when nothing of it can be saved. */
type Planned = {
  readonly file: string
  readonly input?: PackToSave
  readonly refused: readonly string[]
}

const planFile = async (file: string, wishes: Wishes, around: Surroundings): Promise<Planned[]> => {
  try {
    const pools = await readPools(await readInput(file, around), file)
    return pools.map((pool) => planPool(file, pool, wishes))
  } catch (error) {
    around.signal.throwIfAborted()
    return [{ file, refused: [describeTrouble(error)] }]
  }
}

const planPool = (
  file: string,
  pool: Awaited<ReturnType<typeof readPools>>[number],
  wishes: Wishes,
): Planned => {
  try {
    return { file, input: packInput(pool, wishes), refused: pool.refused }
  } catch (error) {
    // Of a pool without a slot, why each was refused says more than that there is none.
    return { file, refused: pool.refused.length > 0 ? pool.refused : [describeTrouble(error)] }
  }
}

const tellRefused = ({ file, refused }: Planned, { screen }: Surroundings): void => {
  for (const reason of refused) screen.note(`${plain(file)}: ${plain(reason)}`)
}

const showPlan = (plans: readonly Planned[], { screen }: Surroundings): void => {
  for (const { input } of plans) {
    if (input === undefined) continue
    screen.out(`${screen.paint.bold(plain(input.name))}  ${input.visibility}\n`)
    screen.out(`${slotTable(input, screen.paint)}\n`)
  }
}

export const importCommand: UserCommand = {
  name: 'import',
  details: `Saves a new pack for each pool in the files (- is stdin). A file may be a spreadsheet saved as CSV
or copied out of it, lines such as "NM1 129891", links, a bracket.json, an .osdb, the API's JSON, or any
text with a pack key in it: what it is, is seen by its content. Each round of a bracket.json and each
collection of an .osdb is a pack of its own.

What cannot be understood is told by its line, with the reason; all else is saved, and the exit code is 3.`,
  options: [
    nameOption,
    visibilityOption,
    { name: 'dry-run', about: 'show what would be saved, and save nothing' },
    jsonOption,
  ],
  words: ['FILE…'],
  example: 'import semifinals.csv',
  moreExamples: [
    'pbpaste | mapcrate import - --name Semifinals',
    'mapcrate import bracket.json --dry-run',
  ],
  async run(call, around) {
    const { screen } = around
    const wishes = wishesOf(call)
    const files = await Promise.all(call.words.map((file) => planFile(file, wishes, around)))
    const plans = files.flat()
    for (const plan of plans) tellRefused(plan, around)
    const savable = plans.filter(({ input }) => input !== undefined)
    if (wishes.name !== undefined && savable.length > 1) {
      throw new Misuse(`--name can name one pack, and there are ${savable.length}`)
    }
    const packs: Pack[] = []
    if (call.has('dry-run')) showPlan(plans, around)
    else if (savable.length > 0) {
      const { client, site } = await connect(around)
      for (const plan of savable) {
        const input = plan.input as PackToSave
        if (savable.length > 1)
          screen.status(progressBar(packs.length, savable.length, plain(input.name)))
        const pack = await client.createPack(input)
        packs.push(pack)
        if (!call.has('json')) screen.out(savedLine(site, pack))
      }
    }
    screen.clear()
    if (call.has('json')) {
      const refused = plans.flatMap(({ file, refused }) =>
        refused.map((reason) => ({ file, reason })),
      )
      screen.json({ packs, refused })
    }
    const refused = plans.reduce((sum, plan) => sum + plan.refused.length, 0)
    if (refused === 0) return
    const message = `${count(refused, 'thing')} could not be read, see above`
    throw savable.length > 0 ? new InPart(message) : new Trouble(message)
  },
}
