import type { ChangeKind } from '../../src/contract/changes.ts'
import type { Slot } from '../../src/contract/pools.ts'
import type { Visibility } from '../../src/contract/packs.ts'

// What D-70 to D-73 say, in the plainest form. Nothing here is taken from the rules of the service.

export type Account = 'ada' | 'ben' | 'mod'
/** null: nobody is signed in, or an address without a key. */
export type Caller = Account | null

export type Content = {
  readonly name: string
  readonly description?: string
  /** As they are sent. No two states of one pack have the same beatmap in different slots. */
  readonly slots: readonly Slot[]
}

export type Version = Content & {
  readonly number: number
  readonly savedAt: string
  readonly visibility: Visibility
  readonly packKey: string
  /** A moderator had hidden the pack when it was saved. */
  readonly wasHidden: boolean
}

export type ModelPack = {
  readonly slug: string
  readonly owner: Account
  readonly createdAt: string
  updatedAt: string
  isHidden: boolean
  isOpen: boolean
  isDeleted: boolean
  /** Oldest first; the last one is the pack as it is. */
  versions: Version[]
}

type Entry = {
  readonly at: string
  readonly kind: ChangeKind
  readonly slug: string
  readonly owner: Account
  readonly wasListed: boolean
  readonly isListed: boolean
}

/** What a save was answered with. */
export type Saved = {
  readonly slug: string
  readonly updatedAt: string
  readonly packKey: string
  readonly visibility: Visibility
}

const KEPT = 100
const PAGE = 50

export const stateOf = (pack: ModelPack): Version => pack.versions.at(-1)!

export const isListed = (pack: ModelPack): boolean =>
  !pack.isDeleted && !pack.isHidden && stateOf(pack).visibility === 'public'

/** Spec 3. */
export const mayReadPack = (pack: ModelPack, caller: Caller): boolean =>
  !pack.isDeleted &&
  (caller === pack.owner || (stateOf(pack).visibility !== 'private' && !pack.isHidden))

/** What D-70 asks of those who do not own the pack: of the pack now, and of each version. */
export const conditions = {
  'the history is open': { ofPack: ({ isOpen }: ModelPack) => isOpen },
  'the pack is not private': {
    ofPack: (pack: ModelPack) => stateOf(pack).visibility !== 'private',
  },
  'the pack is not hidden': { ofPack: ({ isHidden }: ModelPack) => !isHidden },
  'the version is not private': {
    ofVersion: ({ visibility }: Version) => visibility !== 'private',
  },
  'the version was not saved while hidden': { ofVersion: ({ wasHidden }: Version) => !wasHidden },
} satisfies Record<string, Condition>

type Condition = {
  readonly ofPack?: (pack: ModelPack) => boolean
  readonly ofVersion?: (version: Version) => boolean
}

/**
 * What the caller may read of a history, oldest first; null: the 404 of D-29.
 *
 * @param without a condition that is left out, to see whether it matters.
 */
export const readableVersions = (
  pack: ModelPack,
  caller: Caller,
  without?: string,
): readonly Version[] | null => {
  if (pack.isDeleted) return null
  if (caller === pack.owner) return pack.versions
  const asked: Condition[] = []
  for (const [name, each] of Object.entries(conditions)) if (name !== without) asked.push(each)
  if (!asked.every(({ ofPack }) => ofPack?.(pack) ?? true)) return null
  return pack.versions.filter((version) =>
    asked.every(({ ofVersion }) => ofVersion?.(version) ?? true),
  )
}

/**
 * How often a pack has changed since the first version that others may read, as they see it: a draft
 * between two equal versions is no change. For those who read its history.
 */
export const changeCount = (pack: ModelPack, caller: Caller): number | undefined => {
  if (readableVersions(pack, caller) === null) return undefined
  const shown = pack.versions.filter(
    ({ visibility, wasHidden }) => visibility !== 'private' && !wasHidden,
  )
  return shown.filter((version, at) => at > 0 && differencesOf(shown[at - 1]!, version).length > 0)
    .length
}

/** The slots that a pool may have, in pool order, one of a custom bucket aside. */
export const plainSlots = [
  { mod: 'NM', index: 1 },
  { mod: 'NM', index: 2 },
  { mod: 'HD', index: 1 },
] as const

const labelOf = ({ mod, index }: Omit<Slot, 'beatmapId'>): string => `${mod}${index}`

const plainLabels = plainSlots.map(labelOf)

const rankOf = (slot: Slot): number => {
  const at = plainLabels.indexOf(labelOf(slot))
  return at < 0 ? plainLabels.length : at
}

const inPoolOrder = (slots: readonly Slot[]): readonly Slot[] =>
  slots.toSorted((a, b) => rankOf(a) - rankOf(b))

const builtins = ['NM', 'HD', 'HR', 'DT', 'FM'].map((code) => ({ code }))

const customCodes = ({ slots }: Content): string[] => [
  ...new Set(slots.flatMap(({ mod }) => (mod !== null && mod.length > 2 ? [mod] : []))),
]

/** D-72, for pools in which no beatmap moves and that have one custom bucket at most. */
const differencesOf = (before: Version, after: Version) => {
  const texts = (['name', 'description', 'visibility'] as const).flatMap((kind) => {
    const [from, to] = [before[kind], after[kind]]
    if (from === to) return []
    return [{ kind, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }]
  })
  const [gone, come] = [customCodes(before), customCodes(after)]
  const bucket = (code: string) => ({ code, color: 0 })
  const buckets = [
    ...gone
      .filter((code) => !come.includes(code))
      .map((code) => ({ kind: 'bucket', at: code, from: bucket(code) })),
    ...come
      .filter((code) => !gone.includes(code))
      .map((code) => ({ kind: 'bucket', at: code, to: bucket(code) })),
  ]
  const old = new Map(before.slots.map((slot) => [labelOf(slot), slot.beatmapId]))
  const now = new Map(after.slots.map((slot) => [labelOf(slot), slot.beatmapId]))
  const slots = new Set([...plainLabels, ...now.keys(), ...old.keys()])
  const slotDifferences = [...slots].flatMap((at): readonly Record<string, unknown>[] => {
    const [from, to] = [old.get(at), now.get(at)]
    if (from === to) return []
    if (from === undefined) return [{ kind: 'filled', at, to }]
    if (to === undefined) return [{ kind: 'emptied', at, from }]
    return [{ kind: 'replaced', at, from, to }]
  })
  return [...texts, ...buckets, ...slotDifferences]
}

/** One version as the API shows it (D-72); null: there is none for this caller. */
const presentVersion = (readable: readonly Version[], at: number, savedBy: string) => {
  const version = readable[at]!
  const before = readable[at - 1]
  return {
    version: version.number,
    savedAt: version.savedAt,
    savedBy,
    name: version.name,
    ...(version.description !== undefined && { description: version.description }),
    visibility: version.visibility,
    packKey: version.packKey,
    changes: before === undefined ? [] : differencesOf(before, version),
  }
}

export const historyPage = (pack: ModelPack, caller: Caller, page: number, savedBy: string) => {
  const readable = readableVersions(pack, caller)
  if (readable === null) return null
  const all = readable.map((_, at) => presentVersion(readable, at, savedBy)).toReversed()
  return {
    versions: all.slice((page - 1) * PAGE, page * PAGE),
    page,
    pageCount: Math.max(1, Math.ceil(all.length / PAGE)),
    total: all.length,
  }
}

export const wholeVersion = (pack: ModelPack, caller: Caller, number: number, savedBy: string) => {
  const readable = readableVersions(pack, caller)
  const at = readable?.findIndex((version) => version.number === number) ?? -1
  if (readable === null || at < 0) return null
  const version = readable[at]!
  const buckets = customCodes(version).map((code) => ({ code, color: 0 }))
  return {
    ...presentVersion(readable, at, savedBy),
    slots: inPoolOrder(version.slots),
    ...(buckets.length > 0 && { buckets: [...builtins, ...buckets, { code: 'TB' }] }),
  }
}

/** All packs and the feed of changes. */
export class Model {
  readonly entries: Entry[] = []
  readonly packs: ModelPack[] = []
  /** Which state a mark is of. */
  readonly known = new Map<string, string>()

  created(owner: Account, content: Content, saved: Saved): ModelPack {
    const { slug, updatedAt, packKey, visibility } = saved
    const first = { ...content, number: 1, savedAt: updatedAt, visibility, packKey }
    const pack: ModelPack = {
      slug,
      owner,
      createdAt: updatedAt,
      updatedAt,
      isHidden: false,
      isOpen: false,
      isDeleted: false,
      versions: [{ ...first, wasHidden: false }],
    }
    this.packs.push(pack)
    this.#mark(pack)
    this.#note(pack, 'created', updatedAt, false)
    return pack
  }

  /** D-71: a version, if name, description, visibility or pool are others. */
  saved(pack: ModelPack, content: Content, { updatedAt, packKey, visibility }: Saved): void {
    const before = stateOf(pack)
    const wasListed = isListed(pack)
    pack.updatedAt = updatedAt
    const isSame =
      before.name === content.name &&
      before.description === content.description &&
      before.visibility === visibility &&
      before.packKey === packKey
    if (!isSame) {
      const number = before.number + 1
      const version = { ...content, number, savedAt: updatedAt, visibility, packKey }
      pack.versions = [...pack.versions, { ...version, wasHidden: pack.isHidden }].slice(-KEPT)
      this.#mark(pack)
    }
    this.#note(pack, 'changed', updatedAt, wasListed)
  }

  moderated(pack: ModelPack, isHidden: boolean, at: string): void {
    if (pack.isHidden === isHidden) return
    const wasListed = isListed(pack)
    pack.isHidden = isHidden
    this.#note(pack, isHidden ? 'hidden' : 'shown', at, wasListed)
  }

  deleted(pack: ModelPack, at: string): void {
    const wasListed = isListed(pack)
    pack.isDeleted = true
    this.#note(pack, 'deleted', at, wasListed)
  }

  /** D-73: what a caller hears of the entries from this one on. */
  changesFor(caller: Account, from: number): { at: string; kind: ChangeKind; slug: string }[] {
    return this.entries.slice(from).flatMap((entry) => {
      const kind = kindFor(entry, caller)
      return kind === null ? [] : [{ at: entry.at, kind, slug: entry.slug }]
    })
  }

  #mark(pack: ModelPack): void {
    const state = stateOf(pack)
    for (const mark of marksOf(state)) {
      if (this.known.has(mark)) continue
      this.known.set(mark, `version ${state.number} of ${pack.owner}'s ${pack.slug}`)
    }
  }

  #note(pack: ModelPack, kind: ChangeKind, at: string, wasListed: boolean): void {
    const { slug, owner } = pack
    this.entries.push({ at, kind, slug, owner, wasListed, isListed: isListed(pack) })
  }
}

const kindFor = ({ kind, owner, wasListed, isListed }: Entry, caller: Account) => {
  if (caller === owner) return kind
  if (wasListed && isListed) return 'changed'
  if (isListed) return kind === 'created' ? 'created' : 'shown'
  if (wasListed) return kind === 'deleted' ? 'deleted' : 'hidden'
  return null
}

/** What shows of a state that an answer knows it: its texts, beatmaps, bucket, key and time. */
export const marksOf = ({ name, description = '', slots, packKey, savedAt }: Version): string[] =>
  marksIn(JSON.stringify([name, description, slots, packKey, savedAt]))

const MARK =
  /(?<![\w-])(?:[qxzjvw]{8}|21\d{8}|pk\d+\.[\w-]+|\d{13}|\d{4}-\d\d-\d\dT[\d:.]+Z)(?![\w-])/g

/** Everything in a text that could be of a state; times as ms since the epoch. */
export const marksIn = (text: string): string[] =>
  (text.match(MARK) ?? []).map((mark) => (mark.endsWith('Z') ? String(Date.parse(mark)) : mark))

/** Words and beatmap ids that were never used before; `marksIn` finds them. */
export class Marks {
  #made = 0

  word(): string {
    return (++this.#made)
      .toString(6)
      .padStart(8, '0')
      .replace(/\d/g, (digit) => 'qxzjvw'[Number(digit)]!)
  }

  beatmapId(): number {
    return 2_100_000_000 + ++this.#made
  }
}
