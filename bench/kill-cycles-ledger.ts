import type { Pack, PackInput } from '../src/contract/packs.ts'
import { contentOf } from '../src/domain/packs.ts'
import type { Kept, WholePack } from './read-whole.ts'

/**
 * As much as is known of how a pack stands in the store; null: it is not there. Its versions are always
 * known: each save makes one, with the name that nothing else has.
 */
type Standing = { readonly pack: Partial<WholePack> | null; readonly versions: readonly string[] }

const nowhere: Standing = { pack: null, versions: [] }

/** A creation whose answer never came, and the name that it can be repeated under. */
export type OpenCreation = {
  readonly input: PackInput
  readonly key: string
  readonly idempotencyKey: string
}

const asAnswered = (
  { name, visibility, slots, packKey, updatedAt }: Pack,
  before: Standing,
): Standing => {
  const versions = [...before.versions, packKey]
  return { pack: { name, visibility, slots, packKey, updatedAt, versions }, versions }
}

const asSent = (input: PackInput, before: Standing): Standing => {
  const { name, visibility, slots, packKey } = contentOf(input)
  const versions = [...before.versions, packKey]
  return { pack: { name, visibility, slots, versions }, versions }
}

const asRemoved = ({ versions }: Standing): Standing => ({ pack: null, versions })

/** The entries of the feed that a pack must have: of each save that is in its row, and of its end. */
const entriesOf = ({ pack, versions }: Standing): readonly string[] => [
  ...versions.map((_, at) => (at === 0 ? 'created 0 1' : 'changed 1 1')),
  ...(pack === null && versions.length > 0 ? ['deleted 1 0'] : []),
]

const isLike = (standing: Standing, slug: string, { packs, entries }: Kept): boolean => {
  const row = packs.get(slug)
  if (entriesOf(standing).join() !== (entries.get(slug) ?? []).join()) return false
  const { pack } = standing
  if (pack === null || row === undefined) return pack === null && row === undefined
  const fields = Object.keys(pack) as (keyof WholePack)[]
  return fields.every((field) => JSON.stringify(pack[field]) === JSON.stringify(row[field]))
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
    const before = this.#packs.get(pack.slug) ?? [nowhere]
    this.#packs.set(
      pack.slug,
      before.map((standing) => asAnswered(pack, standing)),
    )
  }

  removed(slug: string): void {
    this.acknowledged += 1
    this.#packs.set(slug, this.#standings(slug).map(asRemoved))
  }

  mayHaveCreated(creation: OpenCreation): void {
    this.interrupted += 1
    this.#creations.set(creation.input.name, creation)
  }

  mayHaveReplaced(slug: string, input: PackInput): void {
    this.interrupted += 1
    const before = this.#standings(slug)
    this.#packs.set(slug, [...before, ...before.map((standing) => asSent(input, standing))])
  }

  mayHaveRemoved(slug: string): void {
    this.interrupted += 1
    const before = this.#standings(slug)
    this.#packs.set(slug, [...before, ...before.map(asRemoved)])
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
  judge(kept: Kept): readonly string[] {
    const faults: string[] = []
    for (const [slug, standings] of this.#packs) {
      const found = standings.find((standing) => isLike(standing, slug, kept))
      const pack = kept.packs.get(slug) ?? null
      if (found !== undefined) this.#packs.set(slug, [{ ...found, pack }])
      else faults.push(`${slug} ${wordsOf(slug, kept)}, not as it was acknowledged`)
    }
    const names = new Set<string>()
    for (const slug of new Set([...kept.packs.keys(), ...kept.entries.keys()])) {
      const row = kept.packs.get(slug)
      if (row !== undefined) {
        if (names.has(row.name)) faults.push(`${slug} is there twice`)
        names.add(row.name)
      }
      if (this.#packs.has(slug)) continue
      const sent = row && this.#creations.get(row.name)
      const standing = sent && asSent(sent.input, nowhere)
      if (standing === undefined) faults.push(`${slug} was never sent`)
      else if (!isLike(standing, slug, kept)) {
        faults.push(`${slug} ${wordsOf(slug, kept)}, not as it was sent`)
      }
      if (row !== undefined) this.#packs.set(slug, [{ pack: row, versions: row.versions }])
    }
    // What was not done by now is not done later either: whoever could have done it is gone.
    this.#creations.clear()
    return faults
  }

  #standings(slug: string): readonly Standing[] {
    return this.#packs.get(slug) ?? []
  }
}

const wordsOf = (slug: string, { packs, entries }: Kept): string => {
  const versions = packs.get(slug)?.versions.length
  const pack = versions === undefined ? 'is gone' : `has ${versions} versions`
  return `${pack} and the entries ${(entries.get(slug) ?? []).join(', ') || 'none'}`
}
