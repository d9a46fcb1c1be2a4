/** How far what is not saved is kept. `same`: nothing is to be. `lost`: storage is full or off. */
export type Keeping = 'same' | 'kept' | 'lost'

/** What has another one was written by another version of the page, and is not read. */
const VERSION = 1

export const writeUnsaved = (content: object): string => JSON.stringify({ v: VERSION, ...content })

/**
 * What a text of the browser's storage holds, whatever that is.
 *
 * @param read throws for what is no content of ours.
 * @returns null where it is damaged, or of another version of the page.
 */
export function readUnsaved<T>(text: string, read: (content: Content) => T): T | null {
  try {
    const { v, ...content }: Content = JSON.parse(text)
    return v === VERSION ? read(content) : null
  } catch {
    return null
  }
}

type Content = Readonly<Record<string, unknown>>
