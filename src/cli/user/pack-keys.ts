import { decodeText } from '../../formats/file-content.ts'
import { completePool } from '../../pool/checks.ts'
import { decodePackKey, encodePackKey, findPackKey } from '../../pool/pack-key/pack-key.ts'
import { CliError } from '../program.ts'
import { readInput } from './input.ts'
import { slotTable } from './pack-text.ts'
import { modsOption } from './bucket-mods.ts'
import { nameOption, roundOption } from './file-text.ts'
import { readChosenPool } from './pool-file.ts'
import { acceptOption } from './questions.ts'
import { plain } from './screen.ts'
import { type CliContext, jsonOption, type UserCommand } from './user-command.ts'

export const keyCommand: UserCommand = {
  details: `Encode, decode or find pack keys, which contain a whole pool in one line. The service is not contacted.

  encode  print the key of the pool in FILE, which has any format that import reads
  decode  show the pool of KEY, or of the key in a text on stdin
  find    print the key that FILE contains

"-" is stdin.`,
  options: [nameOption, roundOption, acceptOption, modsOption, jsonOption],
  words: ['ACTION', 'FILE|KEY'],
  firstWords: ['encode', 'decode', 'find'],
  examples: [
    'mapcrate key decode pk1.AQFhAQICrAKFPA',
    'mapcrate key encode finals.csv --name Finals',
    'pbpaste | mapcrate key find -',
  ],
  async run(context) {
    const [action, word = ''] = context.words
    if (action === 'encode') return encode(word, context)
    return action === 'find' ? find(word, context) : decode(word, context)
  },
}

async function encode(file: string, context: CliContext): Promise<void> {
  const { options } = context
  const { draft } = await readChosenPool(file, 'key', context)
  const pool = completePool({ ...draft, name: options.get('name') ?? draft.name })
  show(encodePackKey(pool), context)
}

function show(packKey: string, { options, screen }: CliContext): void {
  if (options.has('json')) screen.json({ packKey })
  else screen.out(`${packKey}\n`)
}

async function decode(word: string, context: CliContext): Promise<void> {
  const { options, screen } = context
  const text = word === '-' ? await readText(word, context) : word
  const { buckets, ...pool } = decodePackKey(findPackKey(text) ?? text)
  if (options.has('json')) return screen.json({ ...pool, ...(buckets !== null && { buckets }) })
  screen.out(`${screen.paint.bold(plain(pool.name))}\n\n`)
  screen.out(slotTable({ ...pool, buckets }, screen.paint))
}

async function find(file: string, context: CliContext): Promise<void> {
  const key = findPackKey(await readText(file, context))
  if (key === null) throw new CliError('there is no pack key in it')
  // Throws if the key is damaged.
  decodePackKey(key)
  show(key, context)
}

async function readText(file: string, context: CliContext): Promise<string> {
  return decodeText(await readInput(file, context))
}
