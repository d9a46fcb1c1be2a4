import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { FormatError } from '../../src/formats/format-error.ts'
import type { ImportWording } from '../../src/formats/import/import-wording.ts'
import { readImportFile } from '../../src/formats/import/read-import-file.ts'
import type { Import } from '../../src/formats/import/read-import.ts'
import { joinEnglish, worded } from '../../src/pool/message.ts'
import { expectedOf } from '../formats/corpus-folder.ts'

// Whatever is said of a text is in the words of its reader: in English of other letters, a plain English word would be one
// that no translation reaches (D-107).

const folder = fileURLToPath(new URL('../corpus/', import.meta.url))
const files = [...expectedOf(folder).keys()]

const sections = ['files', 'key-problems', 'reading'].map(
  (name): Promise<object> => import(`../../build/texts/en-XA/${name}.js`),
)
const pseudo = {
  words: Object.assign({}, ...(await Promise.all(sections))),
  join: joinEnglish,
} as ImportWording

/** All that is said of what was read. */
const saidOf = ({ shape, pools, others, questions, notes }: Import): string[] => [
  shape.why,
  ...notes,
  ...questions.flatMap(({ text, choices }) => [text, ...choices.map((choice) => choice.text)]),
  ...[...pools.flatMap(({ lines }) => lines), ...others].flatMap((line) => {
    if (line.outcome === 'refused') return [line.reason]
    return [
      ...(line.outcome === 'slot' && line.note !== undefined ? [line.note] : []),
      ...(line.outcome === 'planned' && line.refusal !== undefined ? [line.refusal] : []),
    ]
  }),
]

/** What stays as it is in every language: examples, formats and programs, and words that join items. */
const names =
  /“NM1 129891”|https:\/\/cup\.example\/rules|NM1|RC 2|JSON|CSV|UTF-8|\.(?:osz|osdb|xlsx|ods|db|json)\b|API|\b(?:and|or)\b/g

/** Values are quoted in each message, or are codes, ids, links and paths of what was read. */
function plainWords(sentences: readonly string[], source: string): string[] {
  const own = source.toLowerCase()
  return sentences.flatMap((text) => {
    const words = text.replaceAll(names, ' ').match(/[A-Za-z]{2,}/g) ?? []
    return words.filter((word) => /[aeiou]/i.test(word) && !own.includes(word.toLowerCase()))
  })
}

async function readInPseudo(bytes: Uint8Array, path: string): Promise<string[]> {
  try {
    return saidOf(await readImportFile(bytes, path, { wording: pseudo }))
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return [worded(error.problem, pseudo)]
  }
}

describe('what is said of a file that is read (D-107)', () => {
  const texts = files.filter((path) => !path.startsWith('books/'))

  it.each(texts)('%s has no English word that is not in the file', async (path) => {
    const bytes = new Uint8Array(readFileSync(folder + path))
    const source = new TextDecoder().decode(bytes).normalize('NFKC').replaceAll('\0', '')
    expect(plainWords(await readInPseudo(bytes, path), source)).toEqual([])
  })

  it('would be found if it were in English', async () => {
    const bytes = new TextEncoder().encode('NM1 129891\nNM1 75\nHD1 https://example.org/x')
    const { pools } = await readImportFile(bytes, 'a.txt')
    const sentences = pools.flatMap(({ lines }) =>
      lines.flatMap((line) => (line.outcome === 'refused' ? [line.reason] : [])),
    )
    expect(sentences.length).toBeGreaterThan(0)
    expect(plainWords(sentences, '')).not.toEqual([])
    expect(plainWords(await readInPseudo(bytes, 'a.txt'), '')).toEqual([])
  })
})
