// Words of codes in letters of other scripts.

/** Longer words are no labels, and so many letters of one may be two. */
const [LONGEST_ALIKE, MOST_ALIKE] = [24, 6]
/** Letters of other scripts, which a bucket's own code may have, each with one of codes that it looks like, */
const looks = 'АAВBЕEЅSІIЈJКKМMНHОOРPСCТTУYХXΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX'
/** or sounds like. */
const sounds = 'ВVНNРRСSУUХHБBДDЗZЛLФFЭE'

/** The words of ASCII that a word may be meant for. Who writes some letters in Latin writes no others by their sound. */
export function alike(written: string): string[] {
  const word = written.normalize('NFKC').toUpperCase()
  if (word.length > LONGEST_ALIKE) return []
  const tables = /[A-Z]/.test(word) ? [looks] : [looks, sounds]
  const all = Array.from(word, (letter) => {
    if (!beyondAscii.test(letter)) return letter
    return tables.map((pairs) => pairs.split(letter)[1]?.charAt(0) ?? '').join('') || letter
  })
  const whole = all.join('')
  if (beyondAscii.test(whole) || whole.length > all.length + MOST_ALIKE) return []
  return all.reduce<string[]>(
    (found, others) => found.flatMap((start) => Array.from(others, (other) => start + other)),
    [''],
  )
}

const beyondAscii = /[^\0-\x7f]/

/** `deletedAt`, `deleted_at` as `deleted At`, `deleted at`. */
export const inWords = (key: string): string => key.replaceAll(/[_-]+|(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
