/** Chance that nobody can foretell. */
export interface Random {
  /** `count` fresh random bytes. */
  bytes(count: number): Uint8Array
}
