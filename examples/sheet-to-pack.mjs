// Keeps a pack like a spreadsheet. Run it from a timer, or whenever the sheet is saved:
//
//   MAPCRATE_URL=https://packs.example MAPCRATE_KEY=packs_… node sheet-to-pack.mjs SLUG sheet.csv
//
// The sheet is a file or an address that answers with CSV, as spreadsheets on the web can. A row that
// cannot be understood keeps the pack as it is. Its name, description, visibility and buckets stay.

// @ts-check
import { readFile } from 'node:fs/promises'
import { createClient } from '@mapcrate/client'
import { completePool, encodePackKey } from '@mapcrate/client/pool'
import { decodeText, readImport } from '@mapcrate/client/formats'

const client = createClient({
  baseUrl: process.env.MAPCRATE_URL ?? 'http://127.0.0.1:8080',
  key: process.env.MAPCRATE_KEY ?? '',
})

/** @param {string} sheet */
const readSheet = async (sheet) => {
  if (!/^https?:/.test(sheet)) return decodeText(await readFile(sheet))
  const response = await fetch(sheet)
  if (!response.ok) throw new Error(`The sheet cannot be read: ${response.status}`)
  return decodeText(new Uint8Array(await response.arrayBuffer()))
}

const [slug, sheet] = process.argv.slice(2)
if (slug === undefined || sheet === undefined) throw new Error('Give the slug and the sheet.')

const pack = await client.getPack(slug)
const into = { name: pack.name, buckets: pack.buckets, slots: [] }
const { pools, others, questions } = readImport(await readSheet(sheet), { into })
const [{ draft, lines } = { draft: into, lines: [] }, ...more] = pools
// Some lines are plans for a round, such as the link of a whole set, and refused for a pack.
const refused = [...lines, ...others].flatMap((each) => {
  const reason = each.outcome === 'refused' ? each.reason : 'refusal' in each && each.refusal
  return reason ? [{ line: each.line, reason }] : []
})
for (const { line, reason } of refused) console.error(`Line ${line}: ${reason}`)
for (const { line, outcome } of lines) {
  if (outcome !== 'planned' || refused.some((each) => each.line === line)) continue
  console.error(`Line ${line}: it has no beatmap yet and is left out.`)
}
for (const { lines, text } of questions) console.error(`Line ${lines.join(', ')}: ${text}`)
if (more.length > 0) console.error('The sheet has several rounds.')

const isClear = refused.length === 0 && questions.length === 0 && more.length === 0
if (!isClear || draft.slots.length === 0) {
  console.error('The pack stays as it is.')
  process.exitCode = 1
} else if (encodePackKey(completePool(draft)) === pack.packKey) {
  console.log('Nothing has changed.')
} else {
  await client.replacePack(slug, { ...pack, ...draft })
  console.log(`Saved ${draft.slots.length} beatmaps.`)
}
