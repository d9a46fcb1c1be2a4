import type { Pack } from '../../../contract/packs.ts'
import type { PoolDraft } from '../../../pool/pool.ts'
import {
  contentOf,
  type Difference,
  differenceLines,
  differences,
  packPrint,
} from '../pack-text.ts'
import type { PackToSave } from '../pool-file.ts'
import { type Paint, plain, table } from '../screen.ts'
import { contentOfFile, freeName, type Pair, type SyncFile, type SyncState } from './folder.ts'

/** Which side wins where both have changed; and whether what is gone on one side goes on the other. */
export type Rules = { readonly prefer: 'files' | 'packs' | undefined; readonly deletes: boolean }

/** What is to be done about one file and one pack. */
export type Step = { readonly name: string; readonly slug: string | null } & (
  | { readonly action: 'create'; readonly file: SyncFile; readonly input: PackToSave }
  | {
      readonly action: 'replace'
      readonly file: SyncFile
      readonly input: PackToSave
      readonly pack: Pack
      readonly changes: readonly Difference[]
    }
  /** `file` is what stands there now; null where nothing does. */
  | {
      readonly action: 'write'
      readonly file: SyncFile | null
      readonly pack: Pack
      readonly changes: readonly Difference[]
    }
  /** Both are alike: only that is noted. */
  | { readonly action: 'note'; readonly file: SyncFile; readonly pack: Pack }
  | { readonly action: 'forget' }
  | { readonly action: 'delete pack'; readonly pack: Pack }
  | { readonly action: 'delete file'; readonly file: SyncFile }
  /** Nothing is done; `reason` says why, and what to do. */
  | {
      readonly action: 'conflict' | 'left alone' | 'refused'
      readonly reason: string
      readonly changes: readonly Difference[]
    }
)

type Sides = {
  readonly files: ReadonlyMap<string, SyncFile>
  readonly packs: ReadonlyMap<string, Pack>
}

const printOf = (pack: Pack): string => packPrint(contentOf(pack))

const stay = (
  name: string,
  slug: string | null,
  action: 'conflict' | 'left alone' | 'refused',
  reason: string,
  changes: readonly Difference[] = [],
): Step => ({ name, slug, action, reason, changes })

/** Of a pair of which one side is gone. */
const planGone = (
  name: string,
  pair: Pair,
  file: SyncFile | undefined,
  pack: Pack | undefined,
  deletes: boolean,
): Step => {
  const { slug } = pair
  if (pack !== undefined) {
    if (!deletes)
      return stay(name, slug, 'left alone', 'the file is gone; --delete deletes its pack')
    return printOf(pack) === pair.pack
      ? { name, slug, action: 'delete pack', pack }
      : stay(name, slug, 'conflict', 'the file is gone, and its pack has changed')
  }
  if (file === undefined) return { name, slug, action: 'forget' }
  if (!deletes) return stay(name, slug, 'left alone', 'the pack is gone; --delete deletes its file')
  return file.print === pair.file
    ? { name, slug, action: 'delete file', file }
    : stay(name, slug, 'conflict', 'the pack is gone, and its file has changed')
}

const planPair = async (
  name: string,
  pair: Pair,
  file: SyncFile,
  pack: Pack,
  { prefer }: Rules,
): Promise<Step | null> => {
  const { slug } = pair
  const isFileNew = file.print !== pair.file
  const isPackNew = printOf(pack) !== pair.pack
  if (!isFileNew && !isPackNew) return null
  const { input, ...rest } = await contentOfFile(file, pack)
  if (input === null) {
    if (isFileNew) return stay(name, slug, 'refused', 'reason' in rest ? rest.reason : '')
    return { name, slug, action: 'write', file, pack, changes: [] }
  }
  if (packPrint(input) === printOf(pack)) return { name, slug, action: 'note', file, pack }
  const changes = differences(contentOf(pack), input)
  const isBoth = isFileNew && isPackNew
  if (isBoth && prefer === undefined) {
    const reason =
      'both have changed; --prefer files or --prefer packs decides, - is the pack, + the file'
    return stay(name, slug, 'conflict', reason, changes)
  }
  const isUp = isBoth ? prefer === 'files' : isFileNew
  if (isUp) return { name, slug, action: 'replace', file, input, pack, changes }
  return { name, slug, action: 'write', file, pack, changes: differences(input, contentOf(pack)) }
}

const slotsText = ({ slots }: PoolDraft): string =>
  slots
    .map(({ mod, index, beatmapId }) => `${mod} ${index} ${beatmapId}`)
    .toSorted()
    .join()

/** The pack of which the file says nothing else than it is, whatever it leaves unsaid. */
const findAlike = async (
  file: SyncFile,
  input: PackToSave,
  packs: readonly Pack[],
): Promise<Pack | undefined> => {
  for (const pack of packs.filter((each) => slotsText(each) === slotsText(input))) {
    const content = await contentOfFile(file, pack)
    if (content.input !== null && packPrint(content.input) === printOf(pack)) return pack
  }
  return undefined
}

/** Files and packs that nobody has paired yet: those that are alike belong together. */
const planNew = async (
  files: readonly SyncFile[],
  packs: readonly Pack[],
  taken: readonly string[],
): Promise<Step[]> => {
  const left = [...packs]
  const steps: Step[] = []
  for (const file of files) {
    const content = await contentOfFile(file, undefined)
    if (content.input === null) {
      steps.push(stay(file.name, null, 'refused', content.reason))
      continue
    }
    const pack = await findAlike(file, content.input, left)
    if (pack !== undefined) left.splice(left.indexOf(pack), 1)
    const base = { name: file.name, slug: pack?.slug ?? null, file }
    steps.push(
      pack === undefined
        ? { ...base, action: 'create', input: content.input }
        : { ...base, action: 'note', pack },
    )
  }
  const names = [...taken]
  for (const pack of left) {
    const name = freeName(pack, names)
    names.push(name)
    steps.push({ name, slug: pack.slug, action: 'write', file: null, pack, changes: [] })
  }
  return steps
}

/** What it takes to make both sides alike. Nothing that changed on both is decided without a rule. */
export const plan = async (
  { pairs }: Pick<SyncState, 'pairs'>,
  { files, packs }: Sides,
  rules: Rules,
): Promise<Step[]> => {
  const steps: Step[] = []
  for (const [name, pair] of Object.entries(pairs)) {
    const file = files.get(name)
    const pack = packs.get(pair.slug)
    const step =
      file === undefined || pack === undefined
        ? planGone(name, pair, file, pack, rules.deletes)
        : await planPair(name, pair, file, pack, rules)
    if (step !== null) steps.push(step)
  }
  const paired = new Set(Object.values(pairs).map(({ slug }) => slug))
  const newFiles = [...files.values()].filter(({ name }) => !Object.hasOwn(pairs, name))
  const newPacks = [...packs.values()].filter(({ slug }) => !paired.has(slug))
  const taken = [...files.keys(), ...Object.keys(pairs)]
  return [...steps, ...(await planNew(newFiles, newPacks, taken))]
}

/** What a step does, in a word or two. */
export const actionWords = (step: Step): string => {
  if (step.action === 'write') return step.file === null ? 'write new file' : 'write file'
  const words: Readonly<Record<Exclude<Step['action'], 'write'>, string>> = {
    create: 'save new pack',
    replace: 'save pack',
    note: 'nothing, they are alike',
    forget: 'nothing, both are gone',
    'delete pack': 'delete pack',
    'delete file': 'delete file',
    conflict: 'CONFLICT',
    'left alone': 'left alone',
    refused: 'CANNOT BE READ',
  }
  return words[step.action]
}

/** Steps that leave something as it is that should not stay so. */
export const isOpen = ({ action }: Step): boolean =>
  action === 'conflict' || action === 'left alone' || action === 'refused'

/** Steps that change a file or a pack. */
export const isWork = (step: Step): boolean =>
  !isOpen(step) && step.action !== 'note' && step.action !== 'forget'

/** The plan for people: a table, and below it what changes where something is there already. */
export const planText = (steps: readonly Step[], paint: Paint): string => {
  const rows = steps.map((step) => [step.name, actionWords(step), step.slug ?? ''])
  const details = steps.flatMap((step) => {
    const changes = 'changes' in step ? differenceLines(step.changes, paint) : ''
    const reason = 'reason' in step ? `${plain(step.reason, '\n')}\n` : ''
    return changes + reason === '' ? [] : [`\n${paint.bold(plain(step.name))}\n${reason}${changes}`]
  })
  return table(['FILE', 'PLAN', 'PACK'], rows, paint) + details.join('')
}
