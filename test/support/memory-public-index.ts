import type { SavedPack, IndexedPack } from '../../src/domain/packs.ts'
import type {
  CreatedPack,
  CreationTime,
  IndexChanges,
  IndexVersion,
  PublicIndex,
} from '../../src/ports/search.ts'

/** Packs that the search index is made from, for as long as the test runs. */
export class MemoryPublicIndex implements PublicIndex {
  readonly #packs = new Map<string, SavedPack>()
  /** The slugs that each version has changed, the first version first. */
  readonly #changed: string[][] = [[]]
  #forgotten = 0
  /** What the next reads fail with; null for nothing. */
  error: Error | null = null
  /** The sizes of the portions that were read. */
  readonly portions: number[] = []
  /** What `readChanges` has returned. */
  readonly changes: (IndexChanges | null)[] = []

  save(...packs: readonly SavedPack[]): void {
    for (const pack of packs) this.#packs.set(pack.slug, pack)
    this.#changed.push(packs.map(({ slug }) => slug))
  }

  /** What has changed until now is not known any more. */
  forgetChanges(): void {
    this.#changed.push([])
    this.#forgotten = this.#changed.length
  }

  change(slug: string, changes: Partial<SavedPack>): void {
    this.save({ ...this.#pack(slug), ...changes })
  }

  remove(slug: string): void {
    this.#packs.delete(slug)
    this.#changed.push([slug])
  }

  async version(): Promise<IndexVersion> {
    if (this.error !== null) throw this.error
    return String(this.#changed.length)
  }

  state(): object {
    return this.#changed.at(-1)!
  }

  async readChanges(since: IndexVersion, limit: number): Promise<IndexChanges | null> {
    if (this.error !== null) throw this.error
    const changes = this.#changesAfter(Number(since), limit)
    this.changes.push(changes)
    return changes
  }

  async readCreated({ after, before, skip, limit }: CreationTime): Promise<readonly CreatedPack[]> {
    if (this.error !== null) throw this.error
    return [...this.#packs.values()]
      .filter((pack) => isShown(pack) && newestFirst(pack, after) < 0 && pack.createdAt < before)
      .toSorted((a, b) => newestFirst(b, a))
      .slice(skip, skip + limit)
  }

  async readPortion(
    after: { readonly createdAt: number; readonly slug: string } | null,
    limit: number,
  ): Promise<readonly IndexedPack[]> {
    if (this.error !== null) throw this.error
    const portion = [...this.#packs.values()]
      .filter(isShown)
      .toSorted(newestFirst)
      .filter((pack) => after === null || newestFirst(after, pack) < 0)
      .slice(0, limit)
    this.portions.push(portion.length)
    // As a store does it: never the same object twice.
    return portion.map(toIndexedPack)
  }

  #changesAfter(since: number, limit: number): IndexChanges | null {
    const slugs = new Set(this.#changed.slice(since).flat())
    if (since < this.#forgotten || slugs.size > limit) return null
    const changed = [...slugs].flatMap((slug) => this.#packs.get(slug) ?? []).filter(isShown)
    const shown = new Set(changed.map(({ slug }) => slug))
    return {
      version: String(this.#changed.length),
      changed: changed.map(toIndexedPack),
      gone: [...slugs].filter((slug) => !shown.has(slug)),
    }
  }

  #pack(slug: string): SavedPack {
    const pack = this.#packs.get(slug)
    if (pack === undefined) throw new Error(`no pack ${slug}`)
    return pack
  }
}

export const toIndexedPack = (pack: SavedPack): IndexedPack => ({
  slug: pack.slug,
  name: pack.name,
  ownerId: pack.ownerId,
  ownerUsername: pack.ownerUsername,
  description: pack.description,
  slotCount: pack.slots.length,
  stats: pack.stats,
  createdAt: pack.createdAt,
  updatedAt: pack.updatedAt,
})

const isShown = ({ visibility, hiddenAt }: SavedPack): boolean =>
  visibility === 'public' && hiddenAt === null

type Place = Pick<SavedPack, 'createdAt' | 'slug'>

/** Negative when the first one comes before the second; 0 for one and the same pack. */
const newestFirst = (a: Place, b: Place): number => {
  if (a.createdAt !== b.createdAt) return b.createdAt - a.createdAt
  if (a.slug === b.slug) return 0
  return a.slug < b.slug ? 1 : -1
}
