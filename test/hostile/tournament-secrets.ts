import type { RoundInput } from '../../src/contract/rounds.ts'
import { decodePackKey } from '../../src/pool/pack-key/pack-key.ts'

/** Texts that come from nowhere else: what contains one of them shows it. */
export class Secrets {
  #count = 0

  #next(): number {
    this.#count += 1
    return this.#count
  }

  word(): string {
    return `Qv${String(this.#next()).padStart(5, '0')}zk`
  }

  beatmapId(): number {
    return 1_770_000_000 + this.#next() * 13
  }

  /** A value of a target that no beatmap has. */
  fraction(): number {
    return Number(`3.141${String(this.#next()).padStart(5, '0')}7`)
  }
}

/** A tournament, and what of it was shown to everybody. */
export type Cup = {
  slug: string
  facts: string[]
  isPublic: boolean
  isHidden: boolean
  isAnnounced: boolean
  rounds: CupRound[]
}

export type CupRound = {
  id: string
  input: RoundInput
  releaseAt: string | null
  /** What was released last; its pack. */
  released: Released | null
}

export type Released = {
  input: RoundInput
  packSlug: string
  isHidden: boolean
  /** What was released as this pack before, while it was shown: its history has it (D-80). */
  earlier: RoundInput[]
  wasHidden: boolean
}

/** What the open histories of packs have that the packs do not any more. */
export const historyTexts = (cups: readonly Cup[]): Set<string> =>
  new Set(
    cups.flatMap(({ rounds }) =>
      rounds.flatMap(({ released }) =>
        released === null || released.isHidden ? [] : released.earlier.flatMap(packTexts),
      ),
    ),
  )

/** What everybody may read now, and what moderators may read of what they have hidden. */
export const openTexts = (
  cups: readonly Cup[],
  hidden: 'packs' | 'tournaments' | null = null,
): Set<string> => {
  const open = new Set<string>()
  for (const { slug, facts, isPublic, isHidden, isAnnounced, rounds } of cups) {
    const isOpen = isPublic && (hidden === 'tournaments' || !isHidden)
    if (isOpen) for (const each of [slug, ...facts]) open.add(each)
    for (const { id, input, releaseAt, released } of rounds) {
      if (released && (hidden === 'packs' || !released.isHidden)) {
        for (const each of packTexts(released.input)) open.add(each)
      }
      if (released && !released.isHidden && isOpen) {
        for (const each of [id, released.input.name]) open.add(each)
      }
      if (isOpen && isAnnounced && released === null) {
        open.add(input.name)
        if (releaseAt !== null) open.add(releaseAt)
      }
    }
  }
  return open
}

/** What a pack shows. */
const packTexts = ({ packName = '', slots = [] }: RoundInput): string[] => [
  packName,
  ...slots.flatMap(({ mod, beatmapId }) => [mod ?? '', String(beatmapId)]),
]

/** Everything of a round that is its own. */
export const textsOf = (input: RoundInput): string[] => [
  input.name,
  input.packName ?? '',
  ...(input.slots ?? []).flatMap(({ mod, beatmapId, placeholder }) => [
    mod !== null && mod.startsWith('Qv') ? mod : '',
    beatmapId === undefined ? '' : String(beatmapId),
    placeholder ?? '',
  ]),
  ...Object.values(input.targets ?? {}).flatMap(({ min, max }) => [
    min === undefined ? '' : String(min),
    max === undefined ? '' : String(max),
  ]),
]

/** The text with what its pack keys say. */
export const readWhole = (text: string): string => {
  const keys = new Set(text.match(/pk\d\.[\w-]+/g))
  const pools = [...keys].flatMap((key) => {
    try {
      return [JSON.stringify(decodePackKey(key))]
    } catch {
      return []
    }
  })
  return [text, ...pools].join('\n').replaceAll('&quot;', '"')
}
