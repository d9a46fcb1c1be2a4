/** What a terminal does something for, in place of showing it: controls, and what turns the direction of text (D-47). */
export const ACTED_ON = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/** As JSON writes it, so that JSON stays what it was. */
export const escaped = (text: string, characters: RegExp = ACTED_ON): string =>
  text.replaceAll(characters, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)
