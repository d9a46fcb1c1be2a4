import type { CreateOptions } from '../../client/call.ts'
import type { Pack } from '../../contract/packs.ts'
import { modsOption } from './bucket-mods.ts'
import { createOnce } from './creation-journal.ts'
import { keptOptions, nameOption, packInput, roundOption, visibilityOption } from './file-text.ts'
import { savedLine } from './pack-text.ts'
import { readChosenPool } from './pool-file.ts'
import { acceptOption } from './questions.ts'
import { connect } from './service.ts'
import { type CliContext, jsonOption, type UserCommand } from './user-command.ts'

const readOptions = [roundOption, acceptOption, modsOption, jsonOption]

export const createCommand: UserCommand = {
  details: `Create a pack from FILE ("-" is stdin) and print its slug. FILE is JSON as for the API, or has any
format that import reads. If any part of it cannot be read, no pack is created; nor is it while FILE can mean
several things, with the exit status 3, until --accept chooses. If the connection fails, run the same command again: it
makes no second pack of what was saved.`,
  options: [nameOption, visibilityOption, ...readOptions],
  words: ['FILE'],
  examples: [
    'mapcrate create finals.json --visibility public',
    'mapcrate get q7Jm2_xT0a --json | mapcrate create - --name "Finals, a copy"',
  ],
  async run(context) {
    const { options } = context
    const [file = ''] = context.words
    const pool = await readChosenPool(file, 'create', context, { service: 'packs' })
    const { client, site, account } = await connect(context)
    const input = packInput(pool, options)
    const create = (how: CreateOptions) => client.createPack(input, how)
    reportSaved(await createOnce(`${account} create`, input, context, create), site, context)
  },
}

export const replaceCommand: UserCommand = {
  details: `Replace the beatmaps of one of your packs by those in FILE ("-" is stdin), in any format that import
reads. Name, description, visibility and buckets are kept unless FILE specifies them; an empty
"description" in JSON removes the description. Nothing is changed if any part of FILE cannot be read, or
if the pack is saved by someone else at the same time; if FILE can mean several things, --accept chooses.`,
  options: [...keptOptions, ...readOptions],
  words: ['SLUG', 'FILE'],
  examples: ['mapcrate replace q7Jm2_xT0a finals.csv', 'pbpaste | mapcrate replace q7Jm2_xT0a -'],
  async run(context) {
    const { words, options } = context
    const [, file = ''] = words
    const { client, site, slug } = await connect(context)
    const before = await client.getPack(slug())
    const { buckets } = before
    const how = { service: 'packs', buckets } as const
    const pool = await readChosenPool(file, 'replace', context, how)
    const input = packInput(pool, options, before)
    const pack = await client.replacePack(before.slug, input, { ifMatch: before })
    reportSaved(pack, site, context)
  },
}

function reportSaved(pack: Pack, site: string, { options, screen }: CliContext): void {
  if (options.has('json')) screen.json(pack)
  else screen.out(savedLine(site, pack))
}
