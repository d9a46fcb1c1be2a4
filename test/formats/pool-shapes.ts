import { dataShapes } from './data-shapes.ts'
import { lineShapes } from './line-shapes.ts'
import type { PoolShape } from './made-rounds.ts'
import { sheetShapes } from './sheet-shapes.ts'

export const poolShapes: readonly PoolShape[] = [...lineShapes, ...sheetShapes, ...dataShapes]

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** How programs save a text. */
export const encodings: Readonly<Record<string, (text: string) => Uint8Array>> = {
  'UTF-8': utf8,
  'UTF-8 with its mark': (text) => utf8(`\ufeff${text}`),
  'UTF-16': (text) => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le')),
  'UTF-16, big end first': (text) =>
    new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le').swap16()),
  'CR and LF': (text) => utf8(text.replaceAll('\n', '\r\n')),
  CR: (text) => utf8(text.replaceAll('\n', '\r')),
}
