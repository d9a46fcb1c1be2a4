import { decodeText } from '../../formats/file-content.ts'
import { completePool } from '../../pool/checks.ts'
import { decodePackKey, encodePackKey, findPackKey } from '../../pool/pack-key/pack-key.ts'
import { CliError } from '../program.ts'
import { readInput } from './input.ts'
import { slotTable } from './pack-text.ts'
import { choosePool, insistOnAll, nameOption, readPools, roundOption } from './pool-file.ts'
import { plain } from './screen.ts'
import { type Call, jsonOption, type CliContext, type UserCommand } from './user-command.ts'

const encode = async (file: string, call: Call, around: CliContext): Promise<void> => {
  const pool = choosePool(await readPools(await readInput(file, around), file), call.value('round'))
  insistOnAll(pool)
  const name = call.value('name') ?? pool.draft.name
  around.screen.out(`${encodePackKey(completePool({ ...pool.draft, name }))}\n`)
}

const readText = async (file: string, around: CliContext): Promise<string> =>
  decodeText(await readInput(file, around))

const decode = async (word: string, call: Call, { screen, ...rest }: CliContext): Promise<void> => {
  const text = word === '-' ? await readText(word, { screen, ...rest }) : word
  const { buckets, ...pool } = decodePackKey(findPackKey(text) ?? text)
  if (call.has('json')) return screen.json({ ...pool, ...(buckets !== null && { buckets }) })
  screen.out(`${screen.paint.bold(plain(pool.name))}\n\n`)
  screen.out(slotTable({ ...pool, buckets }, screen.paint))
}

const find = async (file: string, around: CliContext): Promise<void> => {
  const key = findPackKey(await readText(file, around))
  if (key === null) throw new CliError('there is no pack key in it')
  // One that is damaged says so rather than pass for one.
  decodePackKey(key)
  around.screen.out(`${key}\n`)
}

export const keyCommand: UserCommand = {
  name: 'key',
  details: `Pack keys, which hold a whole pool in one line, without asking the service. encode makes one of a
file in any format that import reads; decode shows the pool of a key or of a text that holds one; find
prints the key that stands in a file. - is stdin.`,
  options: [nameOption, roundOption, jsonOption],
  words: ['ACTION', 'FILE|KEY'],
  firstWords: ['encode', 'decode', 'find'],
  example: 'key decode pk1.AQFhAQICrAKFPA',
  moreExamples: ['mapcrate key encode finals.csv --name Finals', 'pbpaste | mapcrate key find -'],
  async run(call, around) {
    const [action, word = ''] = call.words
    if (action === 'encode') return encode(word, call, around)
    return action === 'find' ? find(word, around) : decode(word, call, around)
  },
}
