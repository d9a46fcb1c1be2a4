import {
  type CorpusShape,
  type Expected,
  type ExpectedPool,
  readCorpus,
  textOf,
} from '../test/formats/corpus-cases.ts'

const SECTION = /^## What can be imported\n[^]*?(?=^## )/m

const head = `## What can be imported

A pasted text or a file is recognized by its content. Only what is certain is read: a slot that stands with exactly one
beatmap. If a line can mean several things, you are asked which; if it names no beatmap, it is shown with the reason.
Nothing is saved while a question is open. Each of these forms is tested with at least ten files.

`

const tail = `<!-- Written by \`npm run docs\` from the files in \`test/formats/corpus\`. -->

`

/** `docs/formats.md` with its section of what can be imported up to date. */
export function withImports(text: string): string {
  if (!SECTION.test(text)) throw new Error('docs/formats.md has no section of what can be imported')
  const section = head + readCorpus().map(shapeDoc).join('') + tail
  return text.replace(SECTION, () => section)
}

function shapeDoc({ id, title, sample, files }: CorpusShape): string {
  const [first = ['', {}]] = files
  const shown = sample === null ? '' : `\`\`\`text\n${textOf(id, sample).trimEnd()}\n\`\`\`\n\n`
  const [file, expected] = sample === null ? first : [sample, files.get(sample) ?? {}]
  const intro = sample === null ? `A file such as \`${file}\`:\n\n` : ''
  return `### ${title}\n\n${shown}${intro}${readDoc(expected)}\n`
}

function readDoc({ pools = [], asked = [], refused = [], isRefused = false }: Expected): string {
  const lines = pools.map(poolDoc)
  for (const { line, readings } of asked) {
    lines.push(`Asked at line ${line}: ${readings.map(code).join(' or ')}.`)
  }
  if (refused.length > 0) lines.push(`Refused with the reason: line ${refused.join(', ')}.`)
  if (isRefused) lines.push('Refused with the reason: all of it.')
  return lines.map((line) => `- ${line}\n`).join('')
}

function poolDoc({ name, slots, mods = {} }: ExpectedPool): string {
  const isLoose = slots.every((slot) => slot.startsWith('- '))
  const list = slots.map((slot) => code(slot.replace(/^- /, ''))).join(', ')
  const what = isLoose ? 'beatmaps without a slot' : 'slots'
  const buckets = Object.keys(mods)
  const forced = buckets.length > 0 ? `; ${buckets.join(', ')} force these mods` : ''
  return `${name === null ? 'Read' : `Read as ${name}`}, ${what}: ${list}${forced}.`
}

function code(text: string): string {
  return `\`${text}\``
}
