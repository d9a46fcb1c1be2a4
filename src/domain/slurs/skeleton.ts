import { confusables } from './confusables.ts'

/**
 * The skeletons to look at: the table of confusables tells capitals from small letters, so a Greek
 * capital nu is an N while its small form is a v.
 */
export const skeletons = (text: string): ReadonlySet<string> =>
  new Set([text, text.toLowerCase()].map(skeleton))

/** Lower-case text that is equal for texts which look alike (Unicode TR39). Takes what `plain` gives. */
export const skeleton = (text: string): string =>
  foreign.test(text) ? plain(unmasked(text)).toLowerCase() : text.toLowerCase()

/** Takes compatibility forms apart and leaves marks and invisible characters out; keeps the case. */
export const plain = (text: string): string =>
  foreign.test(text)
    ? text.replace(phrase, '').normalize('NFKD').replace(ornament, '').normalize('NFC')
    : text

/** Marks and invisible characters; not the two kana marks, which make another letter. */
const ornament = /(?![\u3099\u309a])[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/** Arabic phrases drawn as one character, up to 18 letters each: nothing hides there but time. */
const phrase = /[\ufdfa\ufdfb]/g

/** What the table of confusables is asked about. It never has ASCII or punctuation. */
const foreign = /[^\0-\x7f]/u

/**
 * Not ы, which the table takes for two letters, nor a turned g, which it takes for a b, nor a v with a
 * hook, which it takes for a u. A Coptic letter stands for one of two or three Latin ones.
 */
const kept = /[ыƃʋ\p{Script=Coptic}]/u

/** Each character that looks like another text, and that text (UTS 39). */
const prototypes: ReadonlyMap<string, string> = new Map(
  confusables
    .trim()
    .split(/[\t\n]/)
    .flatMap((line) => {
      const space = line.lastIndexOf(' ')
      const text = line.slice(0, space)
      return Array.from(line.slice(space + 1), (character) => [character, text] as const)
    })
    .filter(([character]) => !kept.test(character)),
)

function unmasked(text: string): string {
  let shown = ''
  for (const character of text) shown += prototypes.get(character) ?? character
  return shown
}
