import type { Difference } from '../../../contract/history.ts'
import type { Pack } from '../../../contract/packs.ts'
import { comparePacks } from '../../../pool/comparison.ts'
import type { PoolDraft } from '../../../pool/pool.ts'
import { freeName } from '../files.ts'
import { contentPrint, differenceLines, packPrint, type PackToSave } from '../pack-text.ts'
import { type Paint, plain, table } from '../screen.ts'
import {
  contentOfFile,
  type Pair,
  type SyncFile,
  type SyncFolder,
  type SyncState,
} from './folder.ts'

/** Which side wins if both have changed, and whether what is gone on one side is deleted on the other. */
export type Rules = { readonly prefer: 'files' | 'packs' | undefined; readonly deletes: boolean }

export type Step = { readonly name: string; readonly slug: string | null } & Action

type Action =
  | ActionWith<'create', 'file' | 'input'>
  | ActionWith<'replace', 'file' | 'input' | 'pack' | 'changes'>
  /** `file` is null if there is none yet. */
  | (ActionWith<'write', 'pack' | 'changes'> & { readonly file: SyncFile | null })
  /** Both are equal: only the state is updated. */
  | ActionWith<'note', 'file' | 'pack'>
  | ActionWith<'forget', never>
  | ActionWith<'delete pack', 'pack'>
  | ActionWith<'delete file', 'file'>
  | Refusal

/** Nothing is done; `reason` says why, and what to do. */
type Refusal = ActionWith<'conflict' | 'left alone' | 'refused', 'reason' | 'changes'>

type ActionWith<A extends string, K extends keyof Parts> = { readonly action: A } & Pick<Parts, K>

type Parts = {
  readonly file: SyncFile
  readonly pack: Pack
  readonly input: PackToSave
  readonly changes: readonly Difference[]
  readonly reason: string
}

type Sides = SyncFolder & { readonly packs: ReadonlyMap<string, Pack> }

/** The steps that make both sides equal. Only `rules` decide about what has changed on both. */
export async function plan(
  { pairs }: Pick<SyncState, 'pairs'>,
  { files, unreadable, names, packs }: Sides,
  rules: Rules,
): Promise<Step[]> {
  const steps: Step[] = []
  for (const [name, reason] of unreadable) {
    const slug = Object.hasOwn(pairs, name) ? pairs[name]!.slug : null
    steps.push({ name, slug, ...refusal('refused', reason) })
  }
  for (const [name, pair] of Object.entries(pairs)) {
    if (unreadable.has(name)) continue
    const { slug } = pair
    const [file, pack] = [files.get(name), packs.get(slug)]
    const action =
      file === undefined || pack === undefined
        ? planGone(pair, file, pack, rules)
        : await planPair(pair, file, pack, rules)
    if (action !== null) steps.push({ name, slug, ...action })
  }
  const paired = new Set(Object.values(pairs).map(({ slug }) => slug))
  const newFiles = [...files.values()].filter(({ name }) => !Object.hasOwn(pairs, name))
  const newPacks = [...packs.values()].filter(({ slug }) => !paired.has(slug))
  const taken = [...names, ...Object.keys(pairs)]
  return [...steps, ...(await planNew(newFiles, newPacks, taken))]
}

/** Plans for a pair of which one side or both are gone. */
function planGone(
  pair: Pair,
  file: SyncFile | undefined,
  pack: Pack | undefined,
  { deletes }: Rules,
): Action {
  if (file === undefined && pack === undefined) return { action: 'forget' }
  const [gone, left] = file === undefined ? ['file', 'pack'] : ['pack', 'file']
  if (!deletes) return refusal('left alone', `the ${gone} is gone; --delete deletes its ${left}`)
  if (file?.print === pair.file) return { action: 'delete file', file }
  if (pack !== undefined && packPrint(pack) === pair.pack) return { action: 'delete pack', pack }
  return refusal('conflict', `the ${gone} is gone, and its ${left} has changed`)
}

export function refusal(
  action: Refusal['action'],
  reason: string,
  changes: Refusal['changes'] = [],
) {
  return { action, reason, changes }
}

async function planPair(
  pair: Pair,
  file: SyncFile,
  pack: Pack,
  { prefer }: Rules,
): Promise<Action | null> {
  const isFileNew = file.print !== pair.file
  const isPackNew = packPrint(pack) !== pair.pack
  if (!isFileNew && !isPackNew) return null
  const { input, reason } = await contentOfFile(file, pack)
  if (input === null) {
    if (isFileNew) return refusal('refused', reason)
    return { action: 'write', file, pack, changes: [] }
  }
  if (contentPrint(input) === packPrint(pack)) return { action: 'note', file, pack }
  const changes = comparePacks(pack, input)
  const isBoth = isFileNew && isPackNew
  if (isBoth && prefer === undefined) {
    const remedy = '--prefer files or --prefer packs decides; below, pack → file'
    return refusal('conflict', `both have changed; ${remedy}`, changes)
  }
  if (isBoth ? prefer === 'files' : isFileNew) {
    return { action: 'replace', file, input, pack, changes }
  }
  return { action: 'write', file, pack, changes: comparePacks(input, pack) }
}

/** Pairs new files and new packs that are equal. */
async function planNew(
  files: readonly SyncFile[],
  packs: readonly Pack[],
  taken: readonly string[],
): Promise<Step[]> {
  const left = [...packs]
  const steps: Step[] = []
  for (const file of files) {
    const { name } = file
    const { input, reason } = await contentOfFile(file)
    if (input === null) {
      steps.push({ name, slug: null, ...refusal('refused', reason) })
      continue
    }
    const pack = await findEqual(file, input, left)
    if (pack === undefined) steps.push({ name, slug: null, action: 'create', file, input })
    else {
      left.splice(left.indexOf(pack), 1)
      steps.push({ name, slug: pack.slug, action: 'note', file, pack })
    }
  }
  const names = [...taken]
  for (const pack of left) {
    const name = freeName(pack, names)
    names.push(name)
    steps.push({ name, slug: pack.slug, action: 'write', file: null, pack, changes: [] })
  }
  return steps
}

/** The pack that the file would not change, whatever the file leaves out. */
async function findEqual(file: SyncFile, input: PackToSave, packs: readonly Pack[]) {
  for (const pack of packs.filter((each) => slotsText(each) === slotsText(input))) {
    const content = await contentOfFile(file, pack)
    if (content.input !== null && contentPrint(content.input) === packPrint(pack)) return pack
  }
  return undefined
}

function slotsText({ slots }: PoolDraft): string {
  return slots
    .map(({ mod, index, beatmapId }) => `${mod} ${index} ${beatmapId}`)
    .toSorted()
    .join()
}

const words: Readonly<Record<Step['action'], string>> = {
  create: 'save new pack',
  replace: 'save pack',
  write: 'write file',
  note: 'nothing, they are alike',
  forget: 'nothing, both are gone',
  'delete pack': 'delete pack',
  'delete file': 'delete file',
  conflict: 'CONFLICT',
  'left alone': 'left alone',
  refused: 'REFUSED',
}

export const actionWords = (step: Step): string =>
  step.action === 'write' && step.file === null ? 'write new file' : words[step.action]

/** Whether the user has to decide. */
export const isOpen = ({ action }: Step): boolean =>
  action === 'conflict' || action === 'left alone' || action === 'refused'

/** Whether a step changes a file or a pack. */
export const isWork = (step: Step): boolean =>
  !isOpen(step) && step.action !== 'note' && step.action !== 'forget'

/** The plan as a table, followed by the changes of files and packs that exist. */
export function planText(steps: readonly Step[], paint: Paint): string {
  const rows = steps.map((step) => [step.name, actionWords(step), step.slug ?? ''])
  const details = steps.flatMap((step) => {
    const changes = 'changes' in step ? differenceLines(step.changes, paint) : ''
    const reason = 'reason' in step ? `${plain(step.reason, '\n')}\n` : ''
    return changes + reason === '' ? [] : [`\n${paint.bold(plain(step.name))}\n${reason}${changes}`]
  })
  return table(['FILE', 'PLAN', 'PACK'], rows, paint) + details.join('')
}
