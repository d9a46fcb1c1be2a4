import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium } from '../support/chromium.ts'
import { osdbSample } from '../../scripts/fuzz/osdb-samples.ts'
import { text } from './osdb-bytes.ts'

const file = (path: string): string =>
  JSON.stringify(fileURLToPath(new URL(`../../src/formats/${path}`, import.meta.url)))

const script = `
  import { mergeRound } from ${file('bracket/write-bracket.ts')}
  import { readBracket } from ${file('bracket/read-bracket.ts')}
  import { readCollections, writeCollections } from ${file('collection/collection-db.ts')}
  import { readOsdb, writeOsdb } from ${file('collection/osdb.ts')}
  import { decodeText, recogniseFormat } from ${file('file-content.ts')}
  import { formats } from ${file('format-table.ts')}
  import { readImportFile } from ${file('import/read-import-file.ts')}
  globalThis.openFile = async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    try {
      const format = recogniseFormat(bytes)
      if (format === 'osdb') return await readOsdb(bytes)
      if (format === 'collection') return readCollections(bytes)
      if (format === 'bracket') return readBracket(decodeText(bytes))
      return (await readImportFile(bytes)).pools[0]
    } catch (error) {
      return String(error)
    }
  }
  globalThis.saveOsdb = async (osdb) => Array.from(await writeOsdb(osdb.collections, osdb))
  globalThis.saveCollections = () => Array.from(writeCollections(1, [{ name: '春', hashes: [] }]))
  globalThis.merge = mergeRound
  globalThis.count = Object.keys(formats).length
`

type Page = {
  openFile: (base64: string) => Promise<unknown>
  saveOsdb: (osdb: unknown) => Promise<number[]>
  saveCollections: () => number[]
}

describe('the formats run in a browser as they are', () => {
  let browser: Browser
  let code = ''
  beforeAll(async () => {
    browser = await launchChromium()
    const built = await build({
      configFile: false,
      logLevel: 'silent',
      plugins: [
        {
          name: 'page',
          resolveId: (id) => (id === 'page.js' ? id : null),
          load: (id) => (id === 'page.js' ? script : null),
        },
      ],
      build: { write: false, rolldownOptions: { input: 'page.js', output: { format: 'iife' } } },
    })
    const [bundle] = [built].flat()
    if (bundle !== undefined && 'output' in bundle) code = bundle.output[0].code
  })
  afterAll(() => browser.close())

  const newPage = async () => {
    const page = await browser.newPage()
    await page.addScriptTag({ content: code })
    return page
  }
  const open = async (bytes: Uint8Array): Promise<unknown> => {
    const page = await newPage()
    const base64 = Buffer.from(bytes).toString('base64')
    return page.evaluate((it) => (globalThis as unknown as Page).openFile(it), base64)
  }
  const utf8 = (content: string): Uint8Array => new TextEncoder().encode(content)

  it('text and JSON', async () => {
    expect(await open(utf8('NM1 75'))).toMatchObject({ draft: { slots: [{ beatmapId: 75 }] } })
    expect(await open(utf8('{"Rounds":[{"Name":"Finals"}]}'))).toMatchObject({
      rounds: [{ name: 'Finals' }],
    })
    expect(await open(utf8('{"slots":7}'))).toMatchObject({ lines: [{ outcome: 'refused' }] })
  })

  it('collections, packed ones too', async () => {
    const osdb = await open(osdbSample)
    expect(osdb).toMatchObject({ version: 8, collections: [{ name: 'Finals' }, { name: '' }] })
    const page = await newPage()
    const packed = await page.evaluate((it) => (globalThis as unknown as Page).saveOsdb(it), osdb)
    expect(await open(Uint8Array.from(packed))).toEqual(osdb)
    const saved = await page.evaluate(() => (globalThis as unknown as Page).saveCollections())
    expect(await open(Uint8Array.from(saved))).toMatchObject({ collections: [{ name: '春' }] })
  })

  it('what is damaged, or unpacks to too much, is refused', async () => {
    expect(await open(osdbSample.subarray(0, -1))).toMatch(
      /^FormatError: byte 6: the compressed content/,
    )
    const bomb = Buffer.concat([text('o!dm8'), gzipSync(Buffer.alloc(140_000_000))])
    expect(await open(bomb)).toBe(
      'FormatError: byte 6: once unpacked, the content must have at most 134217728 bytes',
    )
  })
})
