import { fileURLToPath } from 'node:url'
import { runInNewContext } from 'node:vm'
import { build } from 'vite'
import { beforeAll, describe, expect, it } from 'vitest'
import { sealedKey, text } from './key-bytes.ts'

const pool = (file: string): string =>
  JSON.stringify(fileURLToPath(new URL(`../../src/pool/${file}`, import.meta.url)))

const page = `
  import { completePool } from ${pool('checks.ts')}
  import { storedFields } from ${pool('pack-fields.ts')}
  import { addBucket, addSlot } from ${pool('edits.ts')}
  import { decodePackKey, encodePackKey, findPackKey } from ${pool('pack-key/pack-key.ts')}
  globalThis.open = (text) => {
    const draft = addSlot(addBucket(decodePackKey(findPackKey(text)), 'RC'), 'RC', 5)
    return storedFields({ description: ' ' }).description ?? encodePackKey(completePool(draft))
  }
`

describe('the same files run in a browser', () => {
  let code = ''
  beforeAll(async () => {
    const built = await build({
      configFile: false,
      logLevel: 'silent',
      plugins: [
        {
          name: 'page',
          resolveId: (id) => (id === 'page.js' ? id : null),
          load: (id) => (id === 'page.js' ? page : null),
        },
      ],
      build: { write: false, rolldownOptions: { input: 'page.js', output: { format: 'iife' } } },
    })
    const [bundle] = [built].flat()
    if (bundle !== undefined && 'output' in bundle) code = bundle.output[0].code
  })

  it('with nothing but the language, UTF-8 and base64', () => {
    const globals: { open?: (text: string) => string } & Record<string, unknown> = {
      TextDecoder,
      TextEncoder,
      Uint8Array,
      atob,
      btoa,
    }
    const rc = [0xfe, 0, ...text('RC')]
    const slots = [2, 2, 2, 0xac, 0x02, 5, 1, 5]
    runInNewContext(code, globals)
    expect(globals.open?.('see pk1.AQFhAQICrAKFPA')).toBe(
      sealedKey([2, ...text('a'), 7, 0, 1, 2, 3, 4, ...rc, 5, ...slots]),
    )
  })

  it('without the schema library of the contract, in 16 KB before compression', () => {
    expect(code.length).toBeGreaterThan(1000)
    expect(code.length).toBeLessThan(16_384)
  })
})
