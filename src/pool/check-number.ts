/** What is wrong with a number, to be read after its place; null when nothing is. */
export function checkNumber(value: number, lowest: number, highest: number): string | null {
  if (!Number.isInteger(value)) return `must be a whole number from ${lowest} to ${highest}`
  return value < lowest || value > highest ? `must be from ${lowest} to ${highest}` : null
}
