import type { SeededRandom } from '../seeded-random.ts'

/** What readers go by, and what they should not trip over. */
const tokens = [
  ['{', '}', '[', ']', ',', ':', '"', '\\', '\\u0000', '\\ud800', '/', '//', "'", '\ufeff'],
  ['null', 'true', '-0', '0.5', '1e999', '99999999999999999999', '2147483648', '-1', '0x1F'],
  ['"Rounds":', '"Beatmaps":', '"Name":', '"ID":', '"Mods":', '"slots":', '"buckets":', '"mod":'],
  ['\r\n', '\n', '\r', '\t', ' ', ';', '|', '#', '=1+1', '@', 'NM1 ', 'rc1 2 ', 'TB', 'ſ', 'İ'],
  ['https://osu.ppy.sh/b/', '/beatmapsets/1#taiko/2', 'pk1.', 'pk2.', '\u2028', '🌸', 'e\u0301'],
].flatMap((texts) => texts.map((token) => new TextEncoder().encode(token)))

const binary = ['00', '0b', 'ff', '80', 'ffffffff', 'ffffff7f', '00000000', '01000000']
  .concat(['8080808008', '8100', '1f8b08', 'fffe'])
  .map((hex) => Uint8Array.from(Buffer.from(hex, 'hex')))

const LONGEST_COPY = 64
/** One file of so many is made long, for readers that take too much time for each of its parts. */
const RARE = 400
const COPIES = 3000

const spliced = (bytes: Uint8Array, at: number, cut: number, put: Uint8Array): Uint8Array =>
  Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + cut)])

type Damage = (bytes: Uint8Array, random: SeededRandom, other: Uint8Array) => Uint8Array

const somewhere = (bytes: Uint8Array, random: SeededRandom): number =>
  random.below(bytes.length + 1)

const kinds: readonly Damage[] = [
  (bytes, random) => {
    const at = somewhere(bytes, random)
    const changed = Uint8Array.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8))
    return changed
  },
  (bytes, random) => spliced(bytes, somewhere(bytes, random), 1, Uint8Array.of(random.below(256))),
  (bytes, random) => spliced(bytes, somewhere(bytes, random), 0, random.oneOf(tokens)),
  (bytes, random) => spliced(bytes, somewhere(bytes, random), 0, random.oneOf(binary)),
  (bytes, random) => {
    const put = random.oneOf(binary)
    return spliced(bytes, somewhere(bytes, random), put.length, put)
  },
  (bytes, random) =>
    spliced(bytes, somewhere(bytes, random), random.below(LONGEST_COPY), new Uint8Array()),
  (bytes, random) => {
    const from = somewhere(bytes, random)
    const copy = bytes.subarray(from, from + random.below(LONGEST_COPY))
    return spliced(bytes, somewhere(bytes, random), 0, copy)
  },
  (bytes, random) => bytes.subarray(0, somewhere(bytes, random)),
  (bytes, random, other) =>
    Buffer.concat([
      bytes.subarray(0, somewhere(bytes, random)),
      other.subarray(somewhere(other, random)),
    ]),
]

/** A sample with a little of it changed; parts of another may have got into it. */
export const damaged = (samples: readonly Uint8Array[], random: SeededRandom): Uint8Array => {
  let bytes = random.oneOf(samples)
  for (let left = 1 + random.below(1 + random.below(4)); left > 0; left -= 1) {
    bytes = random.oneOf(kinds)(bytes, random, random.oneOf(samples))
  }
  if (random.below(RARE) > 0) return bytes
  const from = somewhere(bytes, random)
  const part = bytes.subarray(from, from + 1 + random.below(LONGEST_COPY))
  return spliced(bytes, from, 0, Buffer.concat(Array.from({ length: COPIES }, () => part)))
}
