import { paletteOf } from '../../src/domain/accent.ts'
import type { Installation } from '../../src/domain/installation.ts'
import { readSvg } from '../../src/domain/logo.ts'

const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
<rect width="64" height="64" rx="14" fill="#7a1fa2"/>
<path d="M8 46l16-26 10 14 8-10 14 22z" style="fill:#fff;fill-opacity:.9"/>
</svg>`

/** One that has everything of its own. */
export const nordlicht: Installation = {
  name: 'Nordlicht Cups',
  contact: 'mailto:hello@nordlicht.example',
  accent: paletteOf('#7a1fa2'),
  logo: {
    type: 'image/svg+xml',
    path: 'assets/logo-0123456789abcdef.svg',
    bytes: Buffer.from(readSvg(svg)),
  },
}
