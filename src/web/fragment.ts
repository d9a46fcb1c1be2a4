/** The text after the `#` of an address, which some programs percent-encode, and people type as it is. */
export function textOfHash(hash: string): string {
  const text = hash.replace(/^#/, '')
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
