import unhomoglyph from 'unhomoglyph'

/** Marks and invisible characters; not the two kana marks, which make another letter. */
const ornament = /(?![\u3099\u309a])[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/** Beyond ASCII, where the table of confusables would take m for rn, and beyond punctuation, where it takes a dash for a letter. */
const foreign = /[^\0-\x7f\p{P}\p{Z}]+/gu

/** Arabic phrases drawn as one character, up to 18 letters each: nothing hides there but time. */
const phrase = /[\ufdfa\ufdfb]/g

/** Takes compatibility forms apart and leaves marks and invisible characters out; keeps the case. */
export const plain = (text: string): string =>
  text.replace(phrase, '').normalize('NFKD').replace(ornament, '')

/** Lower-case text that is equal for texts which look alike (Unicode TR39). Takes what `plain` gives. */
export const skeleton = (text: string): string =>
  plain(text.replace(foreign, unhomoglyph)).toLowerCase()

/**
 * The skeletons to look at: the table of confusables tells capitals from small letters, so a Greek
 * capital nu is an N while its small form is a v.
 */
export const skeletons = (text: string): ReadonlySet<string> =>
  new Set([text, text.toLowerCase()].map(skeleton))
