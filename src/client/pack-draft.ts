import type { PackInput } from '../contract/pack.ts'

/** The same, to be read only: what is sent is changed by nobody. */
type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T

/**
 * A pack to be saved: a `PackInput`, a `Pack` as it was read, or a pool as it comes out of a pack key
 * or a file, whose `buckets` are null when it has no table of its own.
 */
export type PackDraft = Frozen<Omit<PackInput, 'buckets'>> & {
  readonly buckets?: Frozen<PackInput['buckets']> | null
}

/** The body that says so. */
export const inputOf = ({ buckets, ...rest }: PackDraft): PackInput =>
  ({ ...rest, ...(buckets != null && { buckets }) }) as PackInput
