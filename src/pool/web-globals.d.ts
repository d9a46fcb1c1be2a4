// What browsers and Node share; the language's own library lacks it. `formats/` uses it, too.

declare function atob(text: string): string

declare class TextEncoder {
  encode(text: string): Uint8Array<ArrayBuffer>
}

declare class TextDecoder {
  constructor(
    label: 'utf-8' | 'utf-16le' | 'utf-16be',
    options: { fatal: boolean; ignoreBOM: boolean },
  )
  decode(bytes: Uint8Array, options?: { stream: boolean }): string
}

interface ByteTransform {
  readonly readable: {
    getReader(): {
      read(): Promise<{ done: false; value: Uint8Array } | { done: true; value?: undefined }>
      cancel(): Promise<void>
    }
  }
  readonly writable: {
    getWriter(): { write(bytes: Uint8Array): Promise<void>; close(): Promise<void> }
  }
}

declare const CompressionStream: new (format: 'gzip') => ByteTransform
declare const DecompressionStream: new (format: 'gzip') => ByteTransform
