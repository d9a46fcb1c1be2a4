import { joinEnglish, type Message, worded } from './message.ts'

type Bounds = { least: string; most: string }
type Most = { most: string }

export const LINK_REMEDY =
  'must be an address that begins with https:// and the name of a host, in ASCII, without spaces or a user name, such as https://cup.example/rules'

/** What is wrong with a value and what to do, in English, to be read after its place; pages have whole sentences. */
export const remedyWords = {
  tooLong: ({ most }: Most) => `must be at most ${most} characters long`,
  halfPair: 'must be valid Unicode: it holds half a surrogate pair',
  severalLines: 'must be one line without control characters',
  controls: 'must hold no control characters other than line breaks',
  empty: 'must not be empty',
  invisible: 'must have at least one visible character',
  lineBreak: ({ code }: { code: string }) =>
    `must not contain U+${code}: it is a line break; remove it`,
  direction: ({ code }: { code: string }) =>
    `must not contain U+${code}: it changes the direction of text; remove it`,
  badLink: LINK_REMEDY,
  wholeNumber: ({ least, most }: Bounds) => `must be a whole number from ${least} to ${most}`,
  bounds: ({ least, most }: Bounds) => `must be from ${least} to ${most}`,
  underMin: ({ least }: { least: string }) => `must be at least min, which is ${least}`,
  fewSlots: ({ least }: { least: string }) => `must hold at least ${least} slot`,
  manySlots: ({ most }: Most) => `must hold at most ${most} slots`,
  manyBuckets: ({ most }: Most) => `must hold at most ${most} buckets`,
  manyCustom: ({ most }: Most) => `must hold at most ${most} custom buckets`,
  noColor: ({ code }: { code: string }) => `must be left out: ${code} is a built-in bucket`,
  customColor: ({ most }: Most) => `must be from 0 to ${most} in a custom bucket`,
  aBuiltin: 'a built-in bucket',
  sameCode: ({ code, where }: { code: string; where: string }) =>
    `must be another code: ${where} is ${code} already`,
  likeCode: ({ code, other, where }: { code: string; other: string; where: string }) =>
    `must be another code: ${code} and ${other} of ${where} differ only in case`,
  spelling: ({ code, other, where }: { code: string; other: string; where: string }) =>
    `must be spelled ${other} as in ${where}, not ${code}: they differ only in case`,
  badCode: 'must be 1 to 12 letters or digits',
  badCodeOfSlot: 'must be null or 1 to 12 letters or digits',
  noRoom: ({ code, most }: Most & { code: string }) =>
    `must be the code of a bucket there is: ${code} would be one custom bucket more than the ${most} allowed`,
  sameSlot: ({ where }: { where: string }) =>
    `must be another number: ${where} has the same mod and index`,
  modCount: ({ most }: Most) => `must hold 1 to ${most} mods`,
  modTwice: ({ mod }: { mod: string }) => `must hold ${mod} only once`,
  modsApart: ({ one, other }: { one: string; other: string }) =>
    `must not hold both ${one} and ${other}`,
}

export const inEnglish = (what: Message<typeof remedyWords>): string =>
  worded(what, { words: remedyWords, join: joinEnglish })
