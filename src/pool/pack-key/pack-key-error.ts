/**
 * Why a text is no pack key. In the order in which they are looked for: nothing but white space;
 * not `pk<number>.`; a version that is not known; not strict base64url; damaged; anything else.
 */
export type PackKeyErrorCode =
  | 'empty'
  | 'prefix'
  | 'version'
  | 'encoding'
  | 'checksum'
  | 'malformed'

const messages: Record<PackKeyErrorCode, string> = {
  empty: 'There is no pack key here; paste one.',
  prefix: 'This is not a pack key; a pack key begins with pk, a number and a dot.',
  version: 'This pack key has a version that is not known here; versions 1 to 3 are.',
  encoding: 'This pack key holds a character that does not belong, or lacks some; copy it again.',
  checksum: 'This pack key is damaged; copy it again.',
  malformed: 'This pack key holds no valid pool',
}

/** The one error that reading a pack key throws. */
export class PackKeyError extends Error {
  readonly code: PackKeyErrorCode

  /** @param detail what exactly is wrong with a `malformed` key. */
  constructor(code: PackKeyErrorCode, detail?: string) {
    super(detail === undefined ? messages[code] : `${messages[code]}: ${detail}`)
    this.name = 'PackKeyError'
    this.code = code
  }
}
