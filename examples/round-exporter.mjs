// Puts packs into the tournament client's bracket.json, each as the round of its name. A round that is
// there already gets the pack's beatmaps, and nothing else in the file changes:
//
//   MAPCRATE_URL=https://packs.example MAPCRATE_KEY=packs_… node round-exporter.mjs bracket.json SLUG…

// @ts-check
import { readFile, rename, writeFile } from 'node:fs/promises'
import { createClient } from '@mapcrate/client'
import { completePool } from '@mapcrate/client/pool'
import { decodeText, mergeRound, writeRound } from '@mapcrate/client/formats'

const client = createClient({
  baseUrl: process.env.MAPCRATE_URL ?? 'http://127.0.0.1:8080',
  key: process.env.MAPCRATE_KEY ?? '',
})

/**
 * The text of the file, or null when there is none yet.
 *
 * @param {string} file
 */
const readText = async (file) => {
  try {
    return decodeText(await readFile(file))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

const [file, ...slugs] = process.argv.slice(2)
if (file === undefined || slugs.length === 0) throw new Error('Give the file and the slugs.')

let text = await readText(file)
for (const slug of slugs) {
  const pool = completePool(await client.getPack(slug))
  text = text === null ? writeRound(pool) : mergeRound(text, pool)
  console.log(`${pool.name}: ${pool.slots.length} beatmaps`)
}
// The client may read the file at any time: it finds the old one or the new one, never half of it.
await writeFile(`${file}.new`, text ?? '')
await rename(`${file}.new`, file)
