import { readFile } from 'node:fs/promises'
import { mergeRound } from '../../../formats/bracket/merge-round.ts'
import { decodeText, isUtf16 } from '../../../formats/decode-text.ts'
import { type Format, type FormatId, formats } from '../../../formats/format-table.ts'
import type { Pool } from '../../../pool/pool.ts'
import { Misuse } from '../../command.ts'
import { connect } from '../connect.ts'
import { exporters, type Written } from '../exporters.ts'
import { type Known, lookUp } from '../look-up.ts'
import { count } from '../pack-words.ts'
import { plain } from '../plain.ts'
import { poolOf } from '../pool-of.ts'
import type { Surroundings } from '../surroundings.ts'
import { InPart, Trouble } from '../trouble.ts'
import type { Call, UserCommand } from '../user-command.ts'
import { writeWhole } from '../write-file.ts'

const entries = Object.entries<Format>(formats) as [FormatId, Format][]
const ids: readonly FormatId[] = entries.map(([id]) => id)
const nothingKnown: Known = { bySlot: new Map(), byId: new Map(), trouble: null }

const formatOf = (call: Call): FormatId => {
  const id = ids.find((each) => each === call.value('as'))
  if (id === undefined) throw new Misuse(`--as is missing; give ${ids.join(', ')}`)
  if (id !== 'bracket' && (call.has('merge') || call.has('round'))) {
    throw new Misuse('--merge and --round are for --as bracket')
  }
  return id
}

/** The file with the round in it; all else in it stays as it was to the last byte. */
const merge = async (file: string, pool: Pool, round: string | undefined): Promise<Uint8Array> => {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    throw new Trouble(`there is no ${file}; write a new one by --out ${file}`)
  })
  const text = mergeRound(decodeText(bytes), pool, { name: round })
  return isUtf16(bytes) ? Buffer.from(text, 'utf16le') : Buffer.from(text)
}

/** Writes it where it was asked for. */
const deliver = async (
  { content }: Written,
  { value }: Call,
  round: string,
  { screen }: Surroundings,
): Promise<void> => {
  const merged = value('merge')
  const file = value('out') ?? merged
  if (file !== undefined && file !== '-') {
    await writeWhole(file, content)
    return screen.note(`${merged === undefined ? 'Wrote' : `Put ${plain(round)} into`} ${file}`)
  }
  if (value('as') !== 'bracket' && typeof content !== 'string' && screen.isTerminal) {
    throw new Misuse('this format is no text; give --out FILE')
  }
  screen.out(content)
}

export const exportCommand: UserCommand = {
  name: 'export',
  details: `Writes a pack in another format, to stdout or to a file:

${entries.map(([id, { label }]) => `  ${id.padEnd(12)}  ${label}`).join('\n')}

With --merge the round is put into a bracket.json that is there already: the beatmaps of the round of
the same name are replaced, or the round is added, and nothing else in the file changes. What a format
needs to know of beatmaps is asked of the site; what it does not know stays empty, and the exit code is 3
where beatmaps are left out for it.`,
  options: [
    { name: 'as', takes: 'FORMAT', choices: ids, about: 'one of those above' },
    { name: 'out', takes: 'FILE', about: 'write to FILE, whole or not at all' },
    {
      name: 'merge',
      takes: 'FILE',
      about: 'put the round into FILE; with --out, leave FILE as it is',
    },
    { name: 'round', takes: 'NAME', about: "what the round is called; left out, the pack's name" },
    { name: 'no-details', about: 'ask nothing of beatmaps' },
  ],
  words: ['SLUG'],
  example: 'export q7Jm2_xT0a --as bracket --merge bracket.json',
  moreExamples: [
    'mapcrate export q7Jm2_xT0a --as csv --out finals.csv',
    'mapcrate export q7Jm2_xT0a --as referee | pbcopy',
  ],
  async run(call, around) {
    const { screen } = around
    const [slug = ''] = call.words
    const id = formatOf(call)
    const { client, site } = await connect(around)
    const pack = await client.getPack(slug)
    const pool = poolOf(pack)
    const isAsked = formats[id].needs !== 'nothing' && !call.has('no-details')
    const known = isAsked ? await lookUp(site, slug, pool, around) : nothingKnown
    if (known.trouble !== null) screen.note(`Not all is known of the beatmaps: ${known.trouble}.`)
    const [merged, round] = [call.value('merge'), call.value('round')]
    const written: Written =
      merged === undefined
        ? await exporters[id]({ pool, pack, known, round, now: around.now() })
        : { content: await merge(merged, pool, round), leftOut: 0 }
    if (written.leftOut === pool.slots.length) {
      throw new Trouble('nothing was written: of none of the beatmaps is anything known')
    }
    await deliver(written, call, round ?? pool.name, around)
    if (written.leftOut > 0) {
      throw new InPart(
        `${count(written.leftOut, 'slot')} left out: nothing is known of the beatmaps`,
      )
    }
  },
}
