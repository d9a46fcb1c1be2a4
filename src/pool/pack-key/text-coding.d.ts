// The two classes that browsers and Node share for UTF-8; the language's own library lacks them.

declare class TextEncoder {
  encode(text: string): Uint8Array
}

declare class TextDecoder {
  constructor(label: 'utf-8', options: { fatal: boolean; ignoreBOM: boolean })
  decode(bytes: Uint8Array): string
}
