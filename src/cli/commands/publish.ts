import { readFileSync } from 'node:fs'
import { MAX_BODY_BYTES } from '../../contract/bounds.ts'
import { AppError } from '../../contract/errors.ts'
import type { PackInput } from '../../contract/packs.ts'
import type { SavedPack } from '../../domain/packs.ts'
import { roundContentOf } from '../../domain/rounds.ts'
import { readJson } from '../../domain/reading/json.ts'
import { readPackInput } from '../../domain/reading/pack-input.ts'
import type { Config } from '../../main/config.ts'
import { localUrl } from '../../main/listen.ts'
import * as pools from '../../operations/published-pools.ts'
import { publishRound } from '../../operations/releases.ts'
import { packFieldLabels, packFieldNames, packInputOf } from '../../pool/pack-fields.ts'
import { onlyWord, readBy, readSlug, readTournamentSlug } from '../arguments.ts'
import { type Arguments, CliError, type Command, type ProcessIo, usageError } from '../program.ts'
import { fileErrorText } from '../system-error.ts'
import { withPorts } from './with-ports.ts'

export const publishCommand: Command = {
  details: `Publish the pool in FILE ("-" is stdin) as a new public pack of the tournament-pools account, and
print its slug and the address of its page. FILE is JSON as for POST /packs; its visibility is ignored.
Publishing the same file again creates another pack.

With --replace, replace the published pool with this slug or address; it keeps its slug. Its previous
content is printed to stderr as a pack key and as JSON for publish, so that the change can be undone.

With --tournament and --round, release the pool as the round of this name of a tournament, for archives; a
round that is not there is added after the others. The draft of the round becomes the pool, its number of
games, bans and targets stay, and its pack is created or replaced. A description in FILE is not kept.`,
  options: [
    { name: 'replace', takes: 'SLUG', about: 'replace this published pool' },
    { name: 'tournament', takes: 'SLUG', about: 'publish it as a round of this tournament' },
    { name: 'round', takes: 'NAME', about: 'with --tournament: the name of the round' },
  ],
  words: ['FILE'],
  examples: [
    'mapcrate-server publish grand-finals.json',
    'mapcrate-server publish grand-finals.json --replace q7Jm2_xT0a',
    'mapcrate-server publish finals.json --tournament dG91cm5hbW --round "Grand Finals"',
  ],
  async run(call, io) {
    const { env, stderr } = io
    const round = readRound(call)
    if (round !== null) {
      return publishAsRound(round, readPoolFile(onlyWord(call, 'FILE')), io)
    }
    const given = call.options.get('replace')
    const replaced = given === undefined ? null : readSlug(given)
    const input = readPoolFile(onlyWord(call, 'FILE'))
    await withPorts(env, replaced === null ? 'make' : 'refuse', async (ports, config) => {
      const published = replaced === null ? null : await pools.republishPool(ports, replaced, input)
      if (published !== null) {
        printBefore(published.before, `publish --replace ${replaced} FILE`, io)
      }
      const namesake =
        published === null ? await pools.findPublished(ports, input.name.trim()) : null
      const { slug } = published?.pack ?? (await pools.publishPool(ports, input))
      printPublished(slug, config, io)
      if (namesake !== null) {
        stderr.write(
          `Another published pool has this name: ${namesake.slug}. It was not changed.\n`,
        )
      }
    })
  },
}

type RoundPlace = { readonly slug: string; readonly name: string }

function readRound({ options }: Arguments): RoundPlace | null {
  const [slug, name] = [options.get('tournament'), options.get('round')]
  if (slug === undefined && name === undefined) return null
  if (slug === undefined || name === undefined)
    throw usageError('give both --tournament and --round')
  if (options.has('replace')) throw usageError('give --replace or --tournament, not both')
  const { name: round } = readBy(() => roundContentOf({ name }))
  return { slug: readTournamentSlug(slug), name: round }
}

async function publishAsRound(
  { slug, name }: RoundPlace,
  input: PackInput,
  io: ProcessIo,
): Promise<void> {
  const { env, stderr } = io
  await withPorts(env, 'refuse', async (ports, config) => {
    const { pack, before, isNew } = await publishRound(ports, slug, name, input)
    if (before !== null) {
      const undo = `publish FILE --tournament ${slug} --round ${JSON.stringify(name)}`
      printBefore(before, undo, io)
    }
    printPublished(pack.slug, config, io)
    if (isNew) stderr.write(`The tournament had no round ${name}; it was added.\n`)
    const lost = packFieldNames.filter(
      (field) => field !== 'visibility' && input[field] !== undefined,
    )
    for (const field of lost) {
      stderr.write(`Not kept, because rounds have none: ${packFieldLabels[field]}.\n`)
    }
  })
}

function printPublished(slug: string, config: Config, { stdout }: ProcessIo): void {
  const site = config.publicUrls.site ?? config.publicUrls.packs
  stdout.write(`${slug}\n${site ?? localUrl(config, config.ports.packs)}/p/${slug}\n`)
}

export const unpublishCommand: Command = {
  details: `Delete the published pool with this slug or address permanently, including its pin. Its content is
printed to stderr as a pack key and as JSON for publish; if it is published again, it gets another slug.
Packs of players cannot be deleted this way. A round of a tournament whose pack it is stays, without a pack,
until it is released again.`,
  words: ['SLUG'],
  examples: ['mapcrate-server unpublish q7Jm2_xT0a'],
  async run(call, io) {
    const slug = readSlug(onlyWord(call, 'SLUG'))
    const before = await withPorts(io.env, 'refuse', (ports) => pools.unpublishPool(ports, slug))
    printBefore(before, 'publish FILE', io)
    io.stdout.write(`unpublished ${slug} (${before.name})\n`)
  },
}

function printBefore(before: SavedPack, undo: string, { stderr }: ProcessIo): void {
  const { visibility: _, ...input } = packInputOf(before)
  stderr.write(`The pool held this before; to restore it, save the JSON as FILE and run
mapcrate-server ${undo}
${before.packKey}
${JSON.stringify(input)}
`)
}

const STDIN = 0

/** Refuses what the API would refuse. */
function readPoolFile(file: string): PackInput {
  const bytes = readBytes(file)
  const refused = (why: string) => new CliError(`${nameOf(file)} cannot be published: ${why}`)
  if (bytes.length > MAX_BODY_BYTES) {
    throw refused(`a pool may have at most ${MAX_BODY_BYTES} bytes`)
  }
  try {
    return readPackInput(readJson(bytes))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // Over HTTP, it is the body of a request.
    throw refused(error.message.replaceAll(/\bthe body\b/g, 'it'))
  }
}

function readBytes(file: string): Uint8Array {
  try {
    return readFileSync(file === '-' ? STDIN : file)
  } catch (error) {
    throw new CliError(fileErrorText(error, 'read', nameOf(file)))
  }
}

const nameOf = (file: string): string => (file === '-' ? 'stdin' : file)
