import { keep, takeKept } from './kept.ts'

/** What was pasted on the front page, for the editor that opens next in this tab. */
const KEY = 'pasted-text'

/** false where the browser keeps nothing for this site. */
export const keepPastedText = (text: string): boolean => keep(KEY, text)

/** Returns the text once; empty where there is none. */
export const takePastedText = (): string => takeKept(KEY) ?? ''
