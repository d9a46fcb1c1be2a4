import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { MapcrateError } from '../../../client/errors.ts'
import { newIdempotencyKey } from '../../../client/request.ts'
import type { Pack } from '../../../contract/packs.ts'
import { writeCsv, writeTsv } from '../../../formats/tables.ts'
import { CliError } from '../../program.ts'
import { systemCode } from '../../system-error.ts'
import { confirm } from '../input.ts'
import { lookUp } from '../look-up.ts'
import { bytesPrint, contentOf, count, packJson, packPrint, poolOf } from '../pack-text.ts'
import { plain, progressBar } from '../screen.ts'
import { connect, type Service } from '../service.ts'
import { describeError } from '../errors.ts'
import {
  type Call,
  jsonOption,
  type CliContext,
  type UserCommand,
  yesOption,
} from '../user-command.ts'
import { writeWhole } from '../write-file.ts'
import {
  type Begun,
  readFolder,
  readState,
  readSyncFile,
  type SyncFile,
  type SyncState,
  writeState,
} from './folder.ts'
import { withLock } from './lock.ts'
import { actionWords, isOpen, isWork, plan, planText, type Rules, type Step } from './plan.ts'

const rulesOf = (call: Call): Rules => {
  const prefer = (['files', 'packs'] as const).find((each) => each === call.value('prefer'))
  return { prefer, deletes: call.has('delete') }
}

const readPacks = async ({ client }: Awaited<ReturnType<typeof connect>>) => {
  const packs = []
  for await (const pack of client.iterateMyPacks()) packs.push([pack.slug, pack] as const)
  return new Map(packs)
}

const rowOf = (step: Step) => ({
  file: step.name,
  slug: step.slug,
  action: step.action,
  ...('changes' in step && { changes: step.changes }),
  ...('reason' in step && { reason: step.reason }),
})

/** What of one step says nothing about the others. */
const isOfOneStep = (error: unknown): boolean =>
  // A full disk concerns them all.
  (error instanceof CliError && error.kind === 'failed' && systemCode(error) === null) ||
  (error instanceof MapcrateError &&
    ['bad_request', 'too_large', 'not_found', 'conflict'].includes(error.code))

/** Takes all steps that are to be taken; says how many could not be. */
const takeAll = async (
  sync: FolderSync,
  steps: readonly Step[],
  { screen }: CliContext,
): Promise<number> => {
  const work = steps.filter(isWork)
  let failed = 0
  for (const step of steps.filter((each) => !isOpen(each))) {
    const at = work.indexOf(step)
    if (at >= 0) screen.status(progressBar(at, work.length, plain(step.name)))
    try {
      await sync.take(step)
      if (at >= 0) screen.note(`${actionWords(step)}: ${plain(step.name)}`)
    } catch (error) {
      if (!isOfOneStep(error)) throw error
      failed += 1
      screen.note(`${plain(step.name)}: ${describeError(error)}`)
    }
  }
  screen.clear()
  return failed
}

export const syncCommand: UserCommand = {
  name: 'sync',
  details: `Keeps the files of a folder and your packs alike, both ways. Files are .json, .csv and .tsv with one
pool each; a pack that has no file gets one. It shows what it would do, asks, and does it. What it did is
kept in .mapcrate-sync.json in the folder, so that it may be interrupted anywhere and goes on where it was.

A pack and a file that have both changed are a conflict: they are shown, and neither is touched unless
--prefer says which one counts. What is gone on one side stays on the other unless --delete is given. The
exit code is 3 while something is left alone.`,
  options: [
    { name: 'dry-run', about: 'show the plan, and do nothing' },
    {
      name: 'prefer',
      takes: 'SIDE',
      choices: ['files', 'packs'],
      about: 'files or packs: which side counts where both have changed',
    },
    { name: 'delete', about: 'delete packs whose files are gone, and files whose packs are gone' },
    yesOption,
    jsonOption,
  ],
  words: ['DIR'],
  example: 'sync pools',
  moreExamples: ['mapcrate sync pools --dry-run', 'mapcrate sync pools --prefer files --yes'],
  async run(call, around) {
    const [folder = ''] = call.words
    if (call.has('dry-run')) return syncFolder(folder, call, around)
    return withLock(folder, () => syncFolder(folder, call, around))
  },
}

const syncFolder = async (folder: string, call: Call, around: CliContext): Promise<void> => {
  const { screen } = around
  const rules = rulesOf(call)
  const files = await readFolder(folder)
  const service = await connect(around)
  const { id } = await service.client.getMe()
  const sync = new FolderSync(folder, service, around, await readState(folder, service.site, id))
  if (!call.has('dry-run')) {
    const finished = await sync.finishBegun()
    if (finished !== null) screen.note(`Finished what was begun before: ${plain(finished)}`)
  }
  screen.status('reading your packs')
  const steps = await plan(sync.state, { files, packs: await readPacks(service) }, rules)
  screen.clear()
  const [work, open] = [steps.filter(isWork), steps.filter(isOpen)]
  if (call.has('json')) screen.json(steps.map(rowOf))
  else if (work.length + open.length > 0) screen.out(planText(steps, screen.paint))
  else screen.note('All is alike.')
  let failed = 0
  if (!call.has('dry-run')) {
    if (work.length > 0 && !call.has('yes')) await insist(work.length, around)
    failed = await takeAll(sync, steps, around)
  }
  const left = open.length + failed
  if (left > 0) throw new CliError(`${count(left, 'file')} left alone, see above`, 'in part')
}

const insist = async (many: number, around: CliContext): Promise<void> => {
  if (!around.stdin.isTTY) throw new CliError('there is no terminal to ask on; say --yes', 'misuse')
  if (!(await confirm(`Do ${count(many, 'thing')}?`, around)))
    throw new CliError('nothing was done')
}

/** The service remembers the name of a creation for a day. */
const REMEMBERED_MS = 23 * 3_600_000

const printOf = (pack: Pack): string => packPrint(contentOf(pack))

/** A folder and the packs of an account; what is done is noted at once, so that it can be cut off anywhere. */
class FolderSync {
  readonly #folder: string
  readonly #service: Service
  readonly #around: CliContext
  state: SyncState

  constructor(folder: string, service: Service, around: CliContext, state: SyncState) {
    this.#folder = folder
    this.#service = service
    this.#around = around
    this.state = state
  }

  /** Ends a creation that an earlier sync was cut off in; says of which file. */
  async finishBegun(): Promise<string | null> {
    const { begun } = this.state
    if (begun === null) return null
    // By then files and packs that are alike find each other without it.
    if (this.#around.now() - begun.at > REMEMBERED_MS) await this.#keep({ begun: null })
    else await this.#create(begun)
    return begun.name
  }

  /** Does one step, unless what it was planned for is no more. */
  async take(step: Step): Promise<void> {
    switch (step.action) {
      case 'create': {
        const { name, file, input } = step
        await this.#checkFile(name, file)
        const at = this.#around.now()
        const begun = { name, file: file.print, idempotencyKey: newIdempotencyKey(), input, at }
        await this.#keep({ begun })
        return this.#create(begun)
      }
      case 'replace': {
        const { name, file, pack, input } = step
        await this.#checkFile(name, file)
        const { client } = this.#service
        const saved = await unlessChanged(client.replacePack(pack.slug, input, { ifMatch: pack }))
        return this.#pair(name, file.print, saved)
      }
      case 'write': {
        const { name, file, pack } = step
        const text = await this.#textFor(name, pack)
        await this.#checkFile(name, file)
        await writeWhole(join(this.#folder, name), text)
        return this.#pair(name, bytesPrint(Buffer.from(text)), pack)
      }
      case 'note':
        return this.#pair(step.name, step.file.print, step.pack)
      case 'delete pack':
        await unlessChanged(this.#service.client.deletePack(step.pack.slug, { ifMatch: step.pack }))
        return this.#forget(step.name)
      case 'delete file':
        await this.#checkGone(step.slug ?? '')
        await this.#checkFile(step.name, step.file)
        await rm(join(this.#folder, step.name))
        return this.#forget(step.name)
      case 'forget':
        return this.#forget(step.name)
      default:
    }
  }

  async #create(begun: Begun): Promise<void> {
    const { name, file, input, idempotencyKey } = begun
    try {
      const pack = await this.#service.client.createPack(input, { idempotencyKey })
      await this.#pair(name, file, pack)
    } catch (error) {
      // It was refused: there is nothing to send again.
      const isRefused =
        error instanceof MapcrateError && ['bad_request', 'conflict'].includes(error.code)
      if (isRefused) await this.#keep({ begun: null })
      throw error
    }
  }

  async #textFor(name: string, pack: Pack): Promise<string> {
    const write = /\.csv$/i.test(name) ? writeCsv : /\.tsv$/i.test(name) ? writeTsv : null
    if (write === null) return packJson(contentOf(pack))
    const pool = poolOf(pack)
    const { bySlot } = await lookUp(this.#service.site, pack.slug, pool, this.#around)
    return write(pool, bySlot)
  }

  async #checkFile(name: string, planned: SyncFile | null): Promise<void> {
    const now = await readSyncFile(this.#folder, name)
    if (now?.print !== planned?.print) throw changed('file')
  }

  /** That a list does not hold a pack is too little to delete its file for. */
  async #checkGone(slug: string): Promise<void> {
    try {
      await this.#service.client.getPack(slug)
    } catch (error) {
      if (error instanceof MapcrateError && error.code === 'not_found') return
      throw error
    }
    throw changed('pack')
  }

  #pair(name: string, file: string, pack: Pack): Promise<void> {
    const pair = { slug: pack.slug, file, pack: printOf(pack) }
    return this.#keep({ pairs: { ...this.state.pairs, [name]: pair }, begun: null })
  }

  #forget(name: string): Promise<void> {
    const { [name]: _, ...pairs } = this.state.pairs
    return this.#keep({ pairs })
  }

  async #keep(change: Partial<SyncState>): Promise<void> {
    const state = { ...this.state, ...change }
    await writeState(this.#folder, state)
    this.state = state
  }
}

/** What becomes of a write that goes ahead only if the pack is as the plan found it. */
const unlessChanged = async <T>(write: PromiseLike<T>): Promise<T> => {
  try {
    return await write
  } catch (error) {
    const isChanged = error instanceof MapcrateError && error.code === 'precondition_failed'
    throw isChanged ? changed('pack') : error
  }
}

const changed = (side: 'file' | 'pack'): CliError =>
  new CliError(`the ${side} has changed since the plan was made; sync once more`)
