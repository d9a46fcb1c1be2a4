import unhomoglyph from 'unhomoglyph'

/** Marks and invisible characters; not the two kana marks, which make another letter. */
const ornament = /(?![\u3099\u309a])[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/** Arabic phrases drawn as one character, up to 18 letters each: nothing hides there but time. */
const phrase = /[\ufdfa\ufdfb]/g

/**
 * What the table of confusables is asked about. Not ASCII, where it takes m for rn; not punctuation,
 * where it takes a dash for a letter; not ы, which it takes for two, nor a turned g, for a b.
 */
const foreign = /[^\0-\x7f\p{P}\p{Z}ыƃ]+/gu

/** Takes compatibility forms apart and leaves marks and invisible characters out; keeps the case. */
export const plain = (text: string): string =>
  text.replace(phrase, '').normalize('NFKD').replace(ornament, '').normalize('NFC')

/** Lower-case text that is equal for texts which look alike (Unicode TR39). Takes what `plain` gives. */
export const skeleton = (text: string): string =>
  plain(text.replace(foreign, unhomoglyph)).toLowerCase()

/**
 * The skeletons to look at: the table of confusables tells capitals from small letters, so a Greek
 * capital nu is an N while its small form is a v.
 */
export const skeletons = (text: string): ReadonlySet<string> =>
  new Set([text, text.toLowerCase()].map(skeleton))
