/** What was pasted on the front page, for the editor that opens next in this tab. */
const KEY = 'pasted-text'

/** false where the browser keeps nothing for this site. */
export function keepPastedText(text: string): boolean {
  try {
    sessionStorage.setItem(KEY, text)
    return true
  } catch {
    return false
  }
}

/** Returns the text once; empty where there is none. */
export function takePastedText(): string {
  try {
    const text = sessionStorage.getItem(KEY) ?? ''
    sessionStorage.removeItem(KEY)
    return text
  } catch {
    return ''
  }
}
