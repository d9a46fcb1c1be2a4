import { readdirSync, readFileSync } from 'node:fs'
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import { readImportFile } from '../../src/formats/import/read-import-file.ts'
import { type Import, readImport } from '../../src/formats/import/read-import.ts'
import { bytesOf, readCorpus } from './corpus-cases.ts'

const corpus = new URL('../corpus/', import.meta.url)
const files = readdirSync(corpus, { recursive: true, encoding: 'utf8' })
  .filter((file) =>
    /\/(?!expected).*\.(?:txt|csv|tsv|json|ndjson|md|ya?ml|toml|ini|html)$/.test(file),
  )
  .map((file) => readFileSync(new URL(file, corpus)))
const cases = readCorpus().flatMap(({ id, files: own }) =>
  [...own.keys()].map((file) => bytesOf(id, file)),
)
const decoder = new TextDecoder('utf-8', { fatal: true })
const texts = [...files, ...cases].flatMap((bytes) => {
  try {
    const text = decoder.decode(bytes)
    return text.includes('\0') || text.length > 40_000 ? [] : [text]
  } catch {
    return []
  }
})

/** What was read, with names in which only JSON keeps its own characters. */
const readOf = ({ pools, questions, others }: Import): string =>
  JSON.stringify({
    pools: pools.map(({ name, draft, round }) => [
      name,
      draft.name,
      draft.slots.map(({ mod, index, beatmapId }) => [mod, index, beatmapId]),
      round.slots.length,
    ]),
    questions: questions.length,
    outcomes: [...pools.flatMap(({ lines }) => lines), ...others].map(({ outcome }) => outcome),
  })
    .replaceAll(/[\u00a0\u202f]/g, ' ')
    .normalize('NFC')

const asItIs = new Map(texts.map((text) => [text, readOf(readImport(text))]))

const ways: Readonly<Record<string, (text: string) => string>> = {
  'no-break spaces, of pages and sheets': (text) => text.replaceAll(' ', '\u00a0'),
  'narrow no-break spaces': (text) => text.replaceAll(/(?<=\S) (?=\S)/g, '\u202f'),
  'decomposed letters, of file names': (text) => text.normalize('NFD'),
  'line breaks of old files': (text) => text.replaceAll(/\r?\n/g, '\r'),
  'a byte order mark': (text) => `\ufeff${text}`,
  'zero-width spaces behind labels, of chats': (text) =>
    isJson(text) ? text : text.replaceAll(/\b[A-Z]{2}[0-9]/g, '$&\u200b'),
  'soft hyphens in long words': (text) =>
    isJson(text) ? text : text.replaceAll(/\p{L}{4}(?=\p{L}{4})/gu, '$&\u00ad'),
}

describe('a text is the same pool in characters that look the same', () => {
  it.each(Object.entries(ways))('%s', (_, write) => {
    expect(texts.length).toBeGreaterThan(700)
    const isOther = (text: string) => {
      const other = write(text)
      return other !== text && readOf(readImport(other)) !== asItIs.get(text)
    }
    expect(texts.filter(isOther).map((text) => text.slice(0, 200))).toEqual([])
  })
})

it('a workbook is the same pool with all of them in its cells', async () => {
  const sheets = texts.filter(
    (text) => /^[^\n"\t]*(?:,[^\n"\t]*){2,}\n/.test(text) && !/["\t;]/.test(text),
  )
  expect(sheets.length).toBeGreaterThan(20)
  const read = async (text: string, change: (cell: string) => string) => {
    const rows = text.split(/\r?\n/).map((line) => line.split(',').map(change))
    const bytes = await writeXlsx({ sheets: [{ name: 'Pool', rows }] })
    return readOf(await readImportFile(bytes, 'pool.xlsx'))
  }
  const writeAll = (cell: string) =>
    Object.values(ways).reduce((text, write) => (text === '' ? '' : write(text)), cell)
  for (const text of sheets) {
    const whole = await read(text, (cell) => cell)
    expect(await read(text, writeAll), text.slice(0, 200)).toBe(whole)
  }
})

/** Titles in JSON stay as they are. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

it('links in angle brackets, as chats have them where they show no picture, are links', () => {
  const link =
    /(?<![(<"'[=\]\w/])https:\/\/osu\.ppy\.sh\/(?:b|beatmaps|beatmapsets)\/[\w/#]+(?![\w?&=)>"'\]])/g
  const isOther = (text: string) => {
    const other = isJson(text) ? text : text.replaceAll(link, '<$&>')
    return other !== text && readOf(readImport(other)) !== asItIs.get(text)
  }
  expect(texts.filter(isOther).map((text) => text.slice(0, 200))).toEqual([])
})

it('a number with no-break spaces between its thousands is one', () => {
  const slots = (text: string) => readImport(text).pools.flatMap(({ draft }) => draft.slots)
  expect(slots('NM1\u00a05\u00a0270\u00a0021\nNM2\u00a05\u00a0270\u00a0022')).toEqual([
    expect.objectContaining({ mod: 'NM', index: 1, beatmapId: 5270021 }),
    expect.objectContaining({ mod: 'NM', index: 2, beatmapId: 5270022 }),
  ])
})

it('each line is told as it is written', () => {
  const written = 'NM1:\u00a0129891\rNM2\u200b:\u202f75'
  expect(readImport(written).pools[0]?.lines.map(({ text }) => text)).toEqual(written.split('\r'))
})
