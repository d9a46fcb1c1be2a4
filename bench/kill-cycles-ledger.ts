import type { Pack, PackInput } from '../src/contract/packs.ts'
import { contentOf } from '../src/domain/packs.ts'
import type { WholePack } from './read-whole.ts'

/**
 * As much as is known of how a pack stands in the store; null: it is not there. Its `versions` are
 * always known: each save makes one, with the name that nothing else has.
 */
type Standing = (Partial<WholePack> & Pick<WholePack, 'versions'>) | null

/** A creation whose answer never came, and the name that it can be repeated under. */
export type OpenCreation = {
  readonly input: PackInput
  readonly key: string
  readonly idempotencyKey: string
}

/** @param before how it stood when it was saved; null: it was not there. */
const asAnswered = (
  { name, visibility, slots, packKey, updatedAt }: Pack,
  before: Standing,
): WholePack => ({
  name,
  visibility,
  slots,
  packKey,
  updatedAt,
  versions: [...(before?.versions ?? []), packKey],
})

const asSent = (input: PackInput, before: Standing = null) => {
  const { name, visibility, slots, packKey } = contentOf(input)
  return { name, visibility, slots, versions: [...(before?.versions ?? []), packKey] }
}

const isLike = (standing: Standing, row: WholePack | undefined): boolean => {
  if (standing === null || row === undefined) return standing === null && row === undefined
  const fields = Object.keys(standing) as (keyof WholePack)[]
  return fields.every((field) => JSON.stringify(standing[field]) === JSON.stringify(row[field]))
}

/**
 * What answers have promised of packs, and what was sent without an answer: that may be done or not,
 * but only wholly and once. Every pack that is sent has a name of its own.
 */
export class Ledger {
  /** Writes that were answered as done. */
  acknowledged = 0
  /** Writes whose outcome no answer has told. */
  interrupted = 0
  /** Slug → how the pack may stand, one of these. */
  readonly #packs = new Map<string, readonly Standing[]>()
  readonly #creations = new Map<string, OpenCreation>()

  saved(pack: Pack): void {
    this.acknowledged += 1
    this.#creations.delete(pack.name)
    const before = this.#packs.get(pack.slug) ?? [null]
    this.#packs.set(
      pack.slug,
      before.map((standing) => asAnswered(pack, standing)),
    )
  }

  removed(slug: string): void {
    this.acknowledged += 1
    this.#packs.set(slug, [null])
  }

  mayHaveCreated(creation: OpenCreation): void {
    this.interrupted += 1
    this.#creations.set(creation.input.name, creation)
  }

  mayHaveReplaced(slug: string, input: PackInput): void {
    this.interrupted += 1
    const before = this.#packs.get(slug) ?? []
    this.#packs.set(slug, [...before, ...before.map((standing) => asSent(input, standing))])
  }

  mayHaveRemoved(slug: string): void {
    this.interrupted += 1
    this.#packs.set(slug, [...(this.#packs.get(slug) ?? []), null])
  }

  openCreations(): readonly OpenCreation[] {
    return [...this.#creations.values()]
  }

  /**
   * Compares with what is kept while nobody writes; how a pack is found to stand it must stand from
   * then on.
   *
   * @returns a line for each pack that is not as it must be: lost, changed, doubled, or nobody's.
   */
  judge(kept: ReadonlyMap<string, WholePack>): readonly string[] {
    const faults: string[] = []
    for (const [slug, standings] of this.#packs) {
      const row = kept.get(slug)
      if (!standings.some((standing) => isLike(standing, row))) {
        faults.push(`${slug} ${row === undefined ? 'is lost' : 'is not as it was acknowledged'}`)
      }
      this.#packs.set(slug, [row ?? null])
    }
    const names = new Set<string>()
    for (const [slug, row] of kept) {
      if (names.has(row.name)) faults.push(`${slug} is there twice`)
      names.add(row.name)
      if (this.#packs.has(slug)) continue
      const sent = this.#creations.get(row.name)
      if (sent === undefined) faults.push(`${slug} was never sent`)
      else if (!isLike(asSent(sent.input), row)) faults.push(`${slug} is not as it was sent`)
      this.#packs.set(slug, [row])
    }
    // What was not done by now is not done later either: whoever could have done it is gone.
    this.#creations.clear()
    return faults
  }
}
