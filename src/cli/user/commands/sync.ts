import { MapcrateError } from '../../../client/errors.ts'
import { Misuse } from '../../command.ts'
import { systemCode } from '../../system-error.ts'
import { confirm } from '../ask.ts'
import { connect } from '../connect.ts'
import { count } from '../pack-words.ts'
import { plain } from '../plain.ts'
import { progressBar } from '../progress-bar.ts'
import type { Surroundings } from '../surroundings.ts'
import { FolderSync } from '../sync/folder-sync.ts'
import { readFolder } from '../sync/folder.ts'
import { actionWords, isOpen, isWork, planText } from '../sync/plan-words.ts'
import { plan, type Rules, type Step } from '../sync/plan.ts'
import { readState } from '../sync/sync-state.ts'
import { withLock } from '../sync/with-lock.ts'
import { describeTrouble, InPart, Trouble } from '../trouble.ts'
import { type Call, jsonOption, type UserCommand, yesOption } from '../user-command.ts'

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
  (error instanceof Trouble && systemCode(error) === null) ||
  (error instanceof MapcrateError &&
    ['bad_request', 'too_large', 'not_found', 'conflict'].includes(error.code))

/** Takes all steps that are to be taken; says how many could not be. */
const takeAll = async (
  sync: FolderSync,
  steps: readonly Step[],
  { screen }: Surroundings,
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
      screen.note(`${plain(step.name)}: ${describeTrouble(error)}`)
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

const syncFolder = async (folder: string, call: Call, around: Surroundings): Promise<void> => {
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
  if (left > 0) throw new InPart(`${count(left, 'file')} left alone, see above`)
}

const insist = async (many: number, around: Surroundings): Promise<void> => {
  if (!around.stdin.isTTY) throw new Misuse('there is no terminal to ask on; say --yes')
  if (!(await confirm(`Do ${count(many, 'thing')}?`, around))) throw new Trouble('nothing was done')
}
