/** Numbers that look like chance and are the same for the same seed. */
export class Chance {
  #state: number

  /** @param seeds whole numbers; each of them changes all that follows. */
  constructor(...seeds: readonly number[]) {
    this.#state = seeds.reduce((state, seed) => scramble(state ^ seed), 0x9e3779b9)
  }

  /** A whole number from 0 up to and without `end`. */
  below(end: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    return Math.floor((scramble(this.#state) / 2 ** 32) * end)
  }

  oneOf<T>(choices: readonly T[]): T {
    const choice = choices[this.below(choices.length)]
    if (choice === undefined) throw new RangeError('there is nothing to choose from')
    return choice
  }
}

/** The last step of the 32-bit Murmur hash, which spreads every bit over all of them. */
const scramble = (value: number): number => {
  let mixed = value | 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
