// How much code each page loads. `node bench/web-size.ts` after `npm run build`.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { readManifest } from '../src/site/assets/assets.ts'
import type { EntryFiles } from '../src/site/page-files.ts'
import { atMost } from './report.ts'

const built = fileURLToPath(new URL('../build/web/', import.meta.url))

/** The most that a page's scripts may be, in KB as the site sends them. */
const budgets: Readonly<Record<string, number>> = {
  home: 45,
  browse: 45,
  editor: 90,
  workspace: 110,
}
const USUAL_BUDGET = 60

const kilobytes = (bytes: number): number => bytes / 1000

const sizesOf = (files: readonly string[]) => {
  const contents = files.map((file) => readFileSync(built + file))
  const sum = (sizeOf: (content: Buffer) => number): number =>
    kilobytes(contents.reduce((total, content) => total + sizeOf(content), 0))
  return {
    brotli: sum((content) => brotliCompressSync(content).length),
    gzip: sum((content) => gzipSync(content, { level: 9 }).length),
  }
}

const describe = ({ script, preloads, styles }: EntryFiles): readonly [number, string] => {
  const code = sizesOf([...(script === null ? [] : [script]), ...preloads])
  const looks = sizesOf(styles)
  return [
    code.gzip,
    `${code.brotli.toFixed(1)} brotli; CSS ${looks.gzip.toFixed(1)} gzip, ${looks.brotli.toFixed(1)} brotli`,
  ]
}

const pages = readManifest(readFileSync(`${built}manifest.json`, 'utf8'))
if (pages === null) throw new Error('build/web/manifest.json cannot be read')
for (const [name, files] of pages) {
  const [size, detail] = describe(files)
  atMost(`JavaScript of ${name}, KB gzip`, size, budgets[name] ?? USUAL_BUDGET, detail)
}
