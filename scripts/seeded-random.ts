/** A pseudo-random number generator: the same numbers for the same seeds. */
export class SeededRandom {
  #state: number

  /** @param seeds whole numbers; each of them changes all that follows. */
  constructor(...seeds: readonly number[]) {
    this.#state = seeds.reduce((state, seed) => scramble(state ^ seed), 0x9e3779b9)
  }

  /** A number from 0 up to and without 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    return scramble(this.#state) / 2 ** 32
  }

  /** A whole number from 0 up to and without `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  oneOf<T>(choices: readonly T[]): T {
    const choice = choices[this.below(choices.length)]
    if (choice === undefined) throw new RangeError('there is nothing to choose from')
    return choice
  }
}

/** A whole number of 32 bits that looks random, and is always the same for a number and a purpose. */
export const hashNumber = (number: number, purpose: number): number => {
  let mixed = Math.imul(number + 0x9e37_79b9 * (purpose + 1), 0x85eb_ca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2_ae35)
  return (mixed ^ (mixed >>> 13)) >>> 0
}

/** The last step of the 32-bit Murmur hash, which spreads every bit over all of them. */
const scramble = (value: number): number => {
  let mixed = value | 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
