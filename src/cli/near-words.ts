import { editDistance } from '../pool/text.ts'

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
