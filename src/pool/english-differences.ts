import type { Difference } from '../contract/history.ts'
import {
  differenceLine,
  type DifferenceTexts,
  differenceWords,
  type DifferenceWords,
  type KnownOfDifference,
  type LineTexts,
  placeText,
} from './difference-words.ts'
import { packFieldLabels } from './pack-fields.ts'

/** As the commands and channels say it; pages have a catalogue. */
const texts: DifferenceTexts = {
  name: 'Name',
  ...packFieldLabels,
  privatePack: 'private',
  unlistedPack: 'unlisted',
  publicPack: 'public',
  bucket: ({ code }) => `Bucket ${code}`,
  orderOfBuckets: 'Order of buckets',
  placeOfNone: ({ number }) => `${number} (no bucket)`,
  colorFree: ({ color }) => `${color}, free mods`,
  colorMods: ({ color, mods }) => `${color}, ${mods}`,
  green: 'green',
  teal: 'teal',
  pink: 'pink',
  lime: 'lime',
  cyan: 'cyan',
  fuchsia: 'fuchsia',
  yellow: 'yellow',
  red: 'red',
  indigo: 'indigo',
  stone: 'stone',
}

const lines: LineTexts = {
  changedLine: ({ what, from, to }) => `${what}: ${from} → ${to}`,
  movedLine: ({ from, to }) => `${from} → ${to}`,
  removedLine: ({ what, from }) => `${what} removed: ${from}`,
  addedLine: ({ what, to }) => `${what} added: ${to}`,
}

export const englishWords = (
  difference: Difference,
  known: Omit<KnownOfDifference, 'texts'> = {},
): DifferenceWords => differenceWords(difference, { ...known, texts })

export const englishLine = (words: DifferenceWords): string => differenceLine(words, lines)

export const englishPlace = (label: string): string => placeText(label, texts)
