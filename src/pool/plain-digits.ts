const isDigit = (code: number): boolean => /\p{Nd}/u.test(String.fromCodePoint(code))

/** A text with its digits as 0 to 9, whichever keyboard wrote them. Unicode has those of a script in a row, from zero on. */
export const plainDigits = (text: string): string =>
  text.replaceAll(/[\p{Nd}--[0-9]]/gv, (digit) => {
    const code = digit.codePointAt(0)!
    let before = 0
    while (isDigit(code - before - 1)) before += 1
    return String(before % 10)
  })
