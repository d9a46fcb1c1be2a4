import { CODE_PATTERN } from '../contract/bounds.ts'
import { type BuiltinCode, builtinCodes } from '../contract/mods.ts'

const pattern = new RegExp(CODE_PATTERN, 'u')
const builtins: ReadonlySet<string> = new Set(builtinCodes)

/** Whether the text can be a bucket's code: 1 to 12 letters or digits of any script (spec 2.3). */
export function isCode(text: string): boolean {
  return pattern.test(text)
}

/** Whether the code, spelled exactly so, is a built-in's. */
export function isBuiltinCode(code: string): code is BuiltinCode {
  return builtins.has(code)
}

/**
 * Two codes are the same ignoring case (D-21) when this gives the same text for both.
 *
 * It is the widest of the customary comparisons: codes that are equal in lower case, in upper case
 * or under Unicode's case folding are equal here, too (`ß` = `ẞ` = `SS`, `ſ` = `s`, Kelvin sign
 * = `k`, `ς` = `σ`, `ı` = `I`; not `İ` = `i`, which is so in Turkish alone). Codes that are unique
 * here are therefore unique for every reader that goes by Unicode. No locale has a say, and
 * Unicode promises not to change it for letters that exist; a code can have no others.
 */
export function foldCode(code: string): string {
  return code.toLowerCase().toUpperCase()
}
