import { join } from 'node:path'
import { newIdempotencyKey } from '../../../client/request.ts'
import type { Pack } from '../../../contract/packs.ts'
import type { Evidence } from '../../../formats/import/evidence.ts'
import { writeCsv, writeTsv } from '../../../formats/tables.ts'
import type { PoolDraft } from '../../../pool/pool.ts'
import { CliError } from '../../program.ts'
import { systemCode } from '../../system-error.ts'
import { describeError, hasCode } from '../errors.ts'
import { insistOnConsent } from '../input.ts'
import { lookUp, lookUpIds } from '../look-up.ts'
import { bytesPrint, contentOf, count, packJson, packPrint, poolOf } from '../pack-text.ts'
import { plain, progressBar } from '../screen.ts'
import { shellCall } from '../shell.ts'
import { connect, findPack, type Service } from '../service.ts'
import { type CliContext, jsonOption, type UserCommand, yesOption } from '../user-command.ts'
import {
  changed,
  checkFile,
  contentOfFile,
  deleteSyncFile,
  type PendingCreation,
  type SyncState,
  readFolder,
  readState,
  writeState,
  writeSyncFile,
} from './folder.ts'
import { type Lock, withLock } from '../lock.ts'
import {
  actionWords,
  isOpen,
  isWork,
  plan,
  planText,
  refusal,
  type Rules,
  type Step,
} from './plan.ts'

export const syncCommand: UserCommand = {
  details: `Synchronize a folder and your packs in both directions. Files are .json, .csv or .tsv with one pool each;
a pack without a file gets one. The plan is shown, and executed after confirmation. The state is stored in
DIR/.mapcrate-sync.json; an interrupted sync can be continued at any point.

Beatmaps that a file brings are looked up first, as import does: a file with one that is asked about is not saved until
create or replace has saved it as you say.

If a pack and its file have both changed, neither is modified unless --prefer is given. If one of them was
deleted, the other is kept unless --delete is given. If anything remains unresolved, the exit status is 3.`,
  options: [
    { name: 'dry-run', about: 'show the plan only' },
    {
      name: 'prefer',
      takes: 'SIDE',
      choices: ['files', 'packs'],
      about: 'files or packs: the side to keep if both have changed',
    },
    { name: 'delete', about: 'delete packs whose files were deleted, and vice versa' },
    yesOption,
    jsonOption,
  ],
  words: ['DIR'],
  examples: [
    'mapcrate sync pools',
    'mapcrate sync pools --dry-run',
    'mapcrate sync pools --prefer files --yes',
  ],
  async run(context) {
    const [folder = ''] = context.words
    if (context.options.has('dry-run')) return syncFolder(folder, context)
    // Two would save each file twice.
    return withLock(lockOf(folder), () => syncFolder(folder, context))
  },
}

export function lockOf(folder: string): Lock {
  return { folder, name: '.mapcrate-sync.lock', message: `${folder} is being synced already` }
}

/** A folder that is being synced. The state is stored after each step, so that it can be interrupted at any time. */
type Sync = {
  readonly folder: string
  readonly service: Service
  readonly context: CliContext
  state: SyncState
}

async function syncFolder(folder: string, context: CliContext): Promise<void> {
  const { options, screen } = context
  const isDry = options.has('dry-run')
  const found = await readFolder(folder)
  const service = await connect(context)
  const { id } = await service.client.getMe()
  const sync = { folder, service, context, state: await readState(folder, service.site, id) }
  if (!isDry) await finishPending(sync)
  screen.status('reading your packs')
  const packs = new Map<string, Pack>()
  for await (const pack of service.client.iterateMyPacks()) packs.set(pack.slug, pack)
  const prefer = options.get('prefer') as Rules['prefer']
  const rules = { prefer, deletes: options.has('delete') }
  const steps = await lookedUp(await plan(sync.state, { ...found, packs }, rules), folder, context)
  screen.clear()
  const [work, open] = [steps.filter(isWork), steps.filter(isOpen)]
  if (options.has('json')) screen.json(steps.map(rowOf))
  else if (work.length + open.length > 0) screen.out(planText(steps, screen.paint))
  else screen.note('All is alike.')
  if (!isDry && work.length > 0) {
    await insistOnConsent(`Do ${count(work.length, 'thing')}?`, 'nothing was done', context)
  }
  const left = open.length + (isDry ? 0 : await runAll(sync, steps))
  if (left > 0) throw new CliError(`${count(left, 'file')} left alone, see above`, 'partial')
}

/** Refuses what would be saved of beatmaps that are doubted once they were looked up (D-90). */
async function lookedUp(
  steps: readonly Step[],
  folder: string,
  context: CliContext,
): Promise<Step[]> {
  const ids = steps.filter(bringsBeatmaps).flatMap(({ input }) => idsOf(input))
  const { evidence, gap } = await lookUpIds('packs', [...new Set(ids)], context)
  if (gap !== null) context.screen.note(gap)
  const checked: Step[] = []
  for (const step of steps) {
    const { name, slug } = step
    const doubt = bringsBeatmaps(step) ? await doubtOf(step, evidence, folder) : null
    checked.push(doubt === null ? step : { name, slug, ...refusal('refused', doubt) })
  }
  return checked
}

const idsOf = ({ slots }: PoolDraft): number[] => slots.map(({ beatmapId }) => beatmapId)

/** Whether a step saves a beatmap that its pack does not have. */
function bringsBeatmaps(step: Step): step is SavingStep {
  if (step.action !== 'create' && step.action !== 'replace') return false
  const known = new Set(step.action === 'replace' ? idsOf(step.pack) : [])
  return idsOf(step.input).some((id) => !known.has(id))
}

type SavingStep = Extract<Step, { action: 'create' | 'replace' }>

async function doubtOf(
  step: SavingStep,
  evidence: Evidence,
  folder: string,
): Promise<string | null> {
  const before = step.action === 'replace' ? step.pack : undefined
  const { reason } = await contentOfFile(step.file, before, evidence)
  if (reason === undefined) return null
  const file = join(folder, step.name)
  const call =
    before === undefined ? shellCall('create', [file]) : shellCall('replace', [before.slug, file])
  return `${reason}\nOr answer by ${call}, which saves it as you say.`
}

const rowOf = (step: Step) => ({
  file: step.name,
  slug: step.slug,
  action: step.action,
  ...('changes' in step && { changes: step.changes }),
  ...('reason' in step && { reason: step.reason }),
})

/** The service keeps idempotency keys for a day. */
const IDEMPOTENCY_MS = 23 * 3_600_000

async function finishPending(sync: Sync): Promise<void> {
  const { context, state } = sync
  const { begun } = state
  if (begun === null) return
  // If it is too old, the plan pairs the file with the pack.
  if (context.now() - begun.at > IDEMPOTENCY_MS) await update(sync, { begun: null })
  else await create(sync, begun)
  context.screen.note(`Finished what was begun before: ${plain(begun.name)}`)
}

/** Runs all steps that need no decision; returns how many failed. */
async function runAll(sync: Sync, steps: readonly Step[]): Promise<number> {
  const { screen } = sync.context
  const work = steps.filter(isWork)
  let failed = 0
  for (const step of steps.filter((each) => !isOpen(each))) {
    const at = work.indexOf(step)
    if (at >= 0) screen.status(progressBar(at, work.length, plain(step.name)))
    try {
      await run(sync, step)
      if (at >= 0) screen.note(`${actionWords(step)}: ${plain(step.name)}`)
    } catch (error) {
      if (!concernsOneStep(error)) throw error
      failed += 1
      screen.note(`${plain(step.name)}: ${describeError(error)}`)
    }
  }
  screen.clear()
  return failed
}

/** Whether the other steps may still succeed; after a full disk, for example, they do not. */
function concernsOneStep(error: unknown): boolean {
  if (error instanceof CliError) return error.kind === 'failed' && systemCode(error) === null
  return hasCode(error, 'bad_request', 'too_large', 'not_found', 'conflict')
}

/** Runs one step, unless its file or pack has changed since the plan was made. */
async function run(sync: Sync, step: Step): Promise<void> {
  const { folder, service, context } = sync
  const { client } = service
  const { name } = step
  switch (step.action) {
    case 'create': {
      const { file, input } = step
      await checkFile(folder, name, file)
      const idempotencyKey = newIdempotencyKey()
      const begun = { name, file: file.print, idempotencyKey, input, at: context.now() }
      await update(sync, { begun })
      return create(sync, begun)
    }
    case 'replace': {
      await checkFile(folder, name, step.file)
      const write = client.replacePack(step.pack.slug, step.input, { ifMatch: step.pack })
      return pair(sync, name, step.file.print, await ifUnchanged(write))
    }
    case 'write': {
      const text = await textFor(name, step.pack, sync)
      await writeSyncFile(folder, name, step.file, text)
      return pair(sync, name, bytesPrint(Buffer.from(text)), step.pack)
    }
    case 'note':
      return pair(sync, name, step.file.print, step.pack)
    case 'delete pack':
      await checkFile(folder, name, null)
      await ifUnchanged(client.deletePack(step.pack.slug, { ifMatch: step.pack }))
      return unpair(sync, name)
    case 'delete file':
      await checkGone(step.slug ?? '', service)
      await deleteSyncFile(folder, name, step.file)
      return unpair(sync, name)
    case 'forget':
      return unpair(sync, name)
    default:
  }
}

async function create(sync: Sync, begun: PendingCreation): Promise<void> {
  const { name, file, input, idempotencyKey } = begun
  try {
    const pack = await sync.service.client.createPack(input, { idempotencyKey })
    await pair(sync, name, file, pack)
  } catch (error) {
    // It was refused, so it need not be sent again.
    if (hasCode(error, 'bad_request', 'too_large', 'conflict')) await update(sync, { begun: null })
    throw error
  }
}

async function textFor(name: string, pack: Pack, { service, context }: Sync): Promise<string> {
  const write = /\.csv$/i.test(name) ? writeCsv : /\.tsv$/i.test(name) ? writeTsv : null
  if (write === null) return packJson(contentOf(pack))
  const { bySlot } = await lookUp(service.site, pack, context)
  return write(poolOf(pack), bySlot)
}

/** Checks that a pack is deleted: a list without it is no reason to delete its file. */
async function checkGone(slug: string, { client }: Service): Promise<void> {
  if ((await findPack(client, slug)) !== null) throw changed('pack')
}

/** The result of a write that requires the pack to be as planned. */
async function ifUnchanged<T>(write: PromiseLike<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    throw hasCode(error, 'precondition_failed') ? changed('pack') : error
  }
}

function pair(sync: Sync, name: string, file: string, pack: Pack): Promise<void> {
  const added = { slug: pack.slug, file, pack: packPrint(pack) }
  return update(sync, { pairs: { ...sync.state.pairs, [name]: added }, begun: null })
}

function unpair(sync: Sync, name: string): Promise<void> {
  const { [name]: _, ...pairs } = sync.state.pairs
  return update(sync, { pairs })
}

async function update(sync: Sync, change: Partial<SyncState>): Promise<void> {
  const state = { ...sync.state, ...change }
  await writeState(sync.folder, state)
  sync.state = state
}
