import type { Chance } from './chance.ts'

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

type Damage = (bytes: Uint8Array, chance: Chance, other: Uint8Array) => Uint8Array

const somewhere = (bytes: Uint8Array, chance: Chance): number => chance.below(bytes.length + 1)

const kinds: readonly Damage[] = [
  (bytes, chance) => {
    const at = somewhere(bytes, chance)
    const changed = Uint8Array.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ (1 << chance.below(8))
    return changed
  },
  (bytes, chance) => spliced(bytes, somewhere(bytes, chance), 1, Uint8Array.of(chance.below(256))),
  (bytes, chance) => spliced(bytes, somewhere(bytes, chance), 0, chance.oneOf(tokens)),
  (bytes, chance) => spliced(bytes, somewhere(bytes, chance), 0, chance.oneOf(binary)),
  (bytes, chance) => {
    const put = chance.oneOf(binary)
    return spliced(bytes, somewhere(bytes, chance), put.length, put)
  },
  (bytes, chance) =>
    spliced(bytes, somewhere(bytes, chance), chance.below(LONGEST_COPY), new Uint8Array()),
  (bytes, chance) => {
    const from = somewhere(bytes, chance)
    const copy = bytes.subarray(from, from + chance.below(LONGEST_COPY))
    return spliced(bytes, somewhere(bytes, chance), 0, copy)
  },
  (bytes, chance) => bytes.subarray(0, somewhere(bytes, chance)),
  (bytes, chance, other) =>
    Buffer.concat([
      bytes.subarray(0, somewhere(bytes, chance)),
      other.subarray(somewhere(other, chance)),
    ]),
]

/** A sample with a little of it changed; parts of another may have got into it. */
export const damaged = (samples: readonly Uint8Array[], chance: Chance): Uint8Array => {
  let bytes = chance.oneOf(samples)
  for (let left = 1 + chance.below(1 + chance.below(4)); left > 0; left -= 1) {
    bytes = chance.oneOf(kinds)(bytes, chance, chance.oneOf(samples))
  }
  if (chance.below(RARE) > 0) return bytes
  const from = somewhere(bytes, chance)
  const part = bytes.subarray(from, from + 1 + chance.below(LONGEST_COPY))
  return spliced(bytes, from, 0, Buffer.concat(Array.from({ length: COPIES }, () => part)))
}
