import * as fc from 'fast-check'
import { visibilities, type Visibility } from '../../src/contract/packs.ts'

/** What may be done to a pack, and who looks where afterwards. */
export type Step = {
  /** 0: the pack of one player; 1: that of another, if there is one. */
  readonly of: 0 | 1
  readonly act: Act
  /** Through the API, or from the site. */
  readonly door: 'api' | 'site'
  /** Numbers that choose a reader and a place each. */
  readonly looks: readonly number[]
}

export type Act =
  | {
      readonly kind: 'save'
      readonly changes: readonly ('name' | 'description' | 'slot' | 'bucket' | 'order')[]
      readonly visibility: Visibility | null
      readonly slot: number
      readonly isEmptied: boolean
    }
  | { readonly kind: 'restore'; readonly back: number }
  | { readonly kind: 'hide' | 'unhide' | 'delete' | 'meddle' }
  | { readonly kind: 'switch'; readonly isOpen: boolean }

const save = fc.record({
  kind: fc.constant('save' as const),
  changes: fc.subarray(['name', 'description', 'slot', 'bucket', 'order'] as const),
  visibility: fc.option(fc.constantFrom(...visibilities), { freq: 2 }),
  slot: fc.nat(3),
  isEmptied: fc.boolean(),
})

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 24, arbitrary: save },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('restore' as const), back: fc.nat(3) }) },
  { weight: 6, arbitrary: fc.constant<Act>({ kind: 'hide' }) },
  { weight: 9, arbitrary: fc.constant<Act>({ kind: 'unhide' }) },
  {
    weight: 9,
    arbitrary: fc.record({
      kind: fc.constant('switch' as const),
      isOpen: fc.constantFrom(true, true, true, false),
    }),
  },
  { weight: 3, arbitrary: fc.constant<Act>({ kind: 'meddle' }) },
  { weight: 1, arbitrary: fc.constant<Act>({ kind: 'delete' }) },
)

const step: fc.Arbitrary<Step> = fc.record({
  of: fc.constantFrom(0, 0, 1),
  act,
  door: fc.constantFrom('api', 'site'),
  looks: fc.array(fc.nat(0xffff), { maxLength: 3 }),
})

export type Sequence = {
  /** A pack of one player, and perhaps one of another. */
  readonly first: readonly Visibility[]
  /** Whether their histories are open from the beginning. */
  readonly isOpen: boolean
  readonly steps: readonly Step[]
  /** Chooses who looks where at the end. */
  readonly turn: number
}

export const sequences: fc.Arbitrary<Sequence> = fc.record({
  first: fc.array(fc.constantFrom(...visibilities), { minLength: 1, maxLength: 2 }),
  isOpen: fc.boolean(),
  steps: fc.array(step, { minLength: 3, maxLength: 10, size: 'max' }),
  turn: fc.nat(0xffff),
})
