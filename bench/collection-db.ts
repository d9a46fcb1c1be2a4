// How fast a large collection.db is read, in a process of its own. `node bench/collection-db.ts`.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  COLLECTION_VERSION,
  readCollections,
  writeCollections,
} from '../src/formats/collection/collection-db.ts'
import { atMost } from './report.ts'

const COLLECTIONS = 200
const HASHES = 2942

const readOne = (file: string): void => {
  const bytes = readFileSync(file)
  const start = performance.now()
  const { collections } = readCollections(bytes)
  const milliseconds = performance.now() - start
  const { maxRSS } = process.resourceUsage()
  const hashes = collections.reduce((sum, collection) => sum + collection.hashes.length, 0)
  process.stdout.write(JSON.stringify({ milliseconds, megabytes: maxRSS / 1000, hashes }))
}

const measure = (): void => {
  const folder = mkdtempSync(join(tmpdir(), 'mapcrate-collections-'))
  try {
    const file = join(folder, 'collection.db')
    const md5 = (text: string) => createHash('md5').update(text).digest('hex')
    const collections = Array.from({ length: COLLECTIONS }, (_, at) => ({
      name: `Collection ${at}`,
      hashes: Array.from({ length: HASHES }, (__, each) => md5(`${at} ${each}`)),
    }))
    const bytes = writeCollections(COLLECTION_VERSION, collections)
    writeFileSync(file, bytes)
    const size = `${(bytes.length / 1_000_000).toFixed(1)} MB`
    const answer = execFileSync(process.execPath, [fileURLToPath(import.meta.url), file], {
      encoding: 'utf8',
    })
    const { milliseconds, megabytes, hashes } = JSON.parse(answer) as Record<string, number>
    const detail = `${size}, ${hashes} checksums`
    atMost('reading a collection.db, ms', milliseconds ?? Number.NaN, 1000, detail)
    atMost('its memory at most, MB', megabytes ?? Number.NaN, 200, 'the whole process')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const [file] = process.argv.slice(2)
if (file === undefined) measure()
else readOne(file)
