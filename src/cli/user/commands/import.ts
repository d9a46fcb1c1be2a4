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
import { plain, withoutKeys } from '../plain.ts'
import { readPools } from '../pool-file.ts'
import { progressBar } from '../progress-bar.ts'
import { readInput } from '../read-input.ts'
import type { Surroundings } from '../surroundings.ts'
import { describeTrouble, InPart, Trouble } from '../trouble.ts'
import { type Call, jsonOption, type UserCommand } from '../user-command.ts'

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

const reasonsOf = ({ file, refused }: Planned) =>
  refused.map((reason) => ({ file, reason: withoutKeys(reason) }))

const showPlan = (inputs: readonly PackToSave[], { screen }: Surroundings): void => {
  for (const input of inputs) {
    screen.out(`${screen.paint.bold(plain(input.name))}  ${input.visibility}\n`)
    screen.out(`${slotTable(input, screen.paint)}\n`)
  }
}

/** Saves one after the other; each that is saved is in `packs`. */
const saveAll = async (
  inputs: readonly PackToSave[],
  packs: Pack[],
  call: Call,
  around: Surroundings,
): Promise<void> => {
  const { screen } = around
  const { client, site } = await connect(around)
  for (const [at, input] of inputs.entries()) {
    if (inputs.length > 1) screen.status(progressBar(at, inputs.length, plain(input.name)))
    const pack = await client.createPack(input)
    packs.push(pack)
    if (!call.has('json')) screen.out(savedLine(site, pack))
  }
  screen.clear()
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
    const plans: Planned[] = []
    for (const file of call.words) plans.push(...(await planFile(file, wishes, around)))
    for (const plan of plans) tellRefused(plan, around)
    const inputs = plans.flatMap(({ input }) => input ?? [])
    if (wishes.name !== undefined && inputs.length > 1) {
      throw new Misuse(`--name can name one pack, and there are ${inputs.length}`)
    }
    const packs: Pack[] = []
    const refused = plans.flatMap(reasonsOf)
    const isDry = call.has('dry-run')
    try {
      if (!isDry && inputs.length > 0) await saveAll(inputs, packs, call, around)
    } finally {
      // Of what was saved before something failed, programs hear, too.
      if (call.has('json')) screen.json({ ...(isDry ? { pools: inputs } : { packs }), refused })
      else if (isDry) showPlan(inputs, around)
    }
    if (refused.length === 0) return
    const message = `${count(refused.length, 'thing')} could not be read, see above`
    throw inputs.length > 0 ? new InPart(message) : new Trouble(message)
  },
}
