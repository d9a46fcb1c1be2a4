import { editDistance } from './text.ts'

/** The known words that a misspelt one most probably means: those with the fewest letters changed, two at most. */
export function nearWords(word: string, known: readonly string[]): string[] {
  const lower = word.toLowerCase()
  const isPrefix = (each: string) => lower.length >= 3 && each.startsWith(lower)
  const distances = known
    .map((each) => ({ each, distance: isPrefix(each) ? 1 : editDistance(lower, each) }))
    .filter(({ each, distance }) => distance <= Math.min(2, Math.floor(each.length / 3)))
  const least = Math.min(...distances.map(({ distance }) => distance))
  return distances.filter(({ distance }) => distance === least).map(({ each }) => each)
}

/** What other programs call the fields of a body, in lower case and letters alone. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  beatmapId: ['id', 'map', 'mapid', 'beatmap', 'bid', 'diffid', 'difficultyid'],
  mod: ['modifier', 'bucket', 'code', 'slot'],
  index: ['idx', 'i', 'num', 'nr', 'number', 'no', 'position', 'slot'],
  slots: ['maps', 'beatmaps', 'pool', 'mappool'],
  name: ['title', 'label', 'packname', 'roundname', 'tournament', 'tournamentname'],
  role: ['type'],
  text: ['body', 'message', 'content', 'comment', 'remark', 'note'],
  vote: ['value', 'score'],
  at: ['when', 'time', 'date', 'releaseat'],
  changes: ['slots', 'patch'],
  from: ['old', 'before'],
  to: ['new', 'after'],
}

/**
 * Which of these unknown names is most probably the field that is missing (D-88): the same but for case and
 * punctuation, else a known other name, else one with a letter or two changed. undefined for none.
 */
export function likelyName(missing: string, unknown: readonly string[]): string | undefined {
  const letters = (name: string): string => name.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase()
  const wanted = letters(missing)
  const others = Object.hasOwn(otherNames, missing) ? otherNames[missing]! : []
  const near = nearWords(wanted, unknown.map(letters))
  return (
    unknown.find((name) => letters(name) === wanted) ??
    unknown.find((name) => others.includes(letters(name))) ??
    unknown.find((name) => near.includes(letters(name)))
  )
}

/**
 * The names that another may mean, nearest first: equal but for case, spaces, punctuation, diacritics or
 * a plural, or with one letter in five changed. "Group A" and "Group B", "Week 1" and "Week 2" differ.
 */
export function nearNames(name: string, known: readonly string[]): string[] {
  const wanted = simplify(name)
  return known
    .filter((each) => each !== name)
    .map((each) => ({ each, distance: nameDistance(wanted, simplify(each)) }))
    .filter(({ distance }) => distance < Infinity)
    .toSorted((a, b) => a.distance - b.distance)
    .map(({ each }) => each)
}

const ROMAN = /^[ivx]+$/

/** `marks` distinguish names of one kind: numbers, Roman ones too, and single letters. */
function simplify(name: string) {
  const bare = name
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
  const words = bare.match(/\p{N}+|\p{L}+/gu) ?? []
  const singular = words.map((word) => (word.length > 3 ? word.replace(/s$/, '') : word))
  const marks = words.filter((word) => /\p{N}/u.test(word) || word.length === 1 || ROMAN.test(word))
  return { letters: singular.join('') || bare.trim(), marks: marks.join(' ') }
}

type Name = ReturnType<typeof simplify>

function nameDistance(one: Name, other: Name): number {
  // "Semifinals" and "Semi Finals" lose their plural at different places.
  if (one.letters.replace(/s$/, '') === other.letters.replace(/s$/, '')) return 0
  if (one.marks !== other.marks) return Infinity
  const most = Math.min(2, Math.floor(Math.min(one.letters.length, other.letters.length) / 5))
  const distance = editDistance(one.letters, other.letters)
  return distance <= most ? distance : Infinity
}
