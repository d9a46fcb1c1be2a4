import type { CreateOptions } from '../../client/call.ts'
import type { PacksClient } from '../../client/packs.ts'
import type { Pack } from '../../contract/packs.ts'
import {
  fieldWords,
  type PackField,
  packFieldLabels,
  packFieldNames,
} from '../../pool/pack-fields.ts'
import { createOnce } from './creation-journal.ts'
import { insistOnConsent } from './input.ts'
import { collect, notePage, pageOptions, readPageNumber } from './listing.ts'
import { count, pageOf, savedLine, slotTable, statsLine } from './pack-text.ts'
import { modsOption } from './bucket-mods.ts'
import { packInput, nameOption, roundOption, visibilityOption } from './file-text.ts'
import { readChosenPool } from './pool-file.ts'
import { acceptOption } from './questions.ts'
import { plain, table } from './screen.ts'
import { connect } from './service.ts'
import { type CliContext, jsonOption, type UserCommand, yesOption } from './user-command.ts'

const saveOptions = [
  nameOption,
  visibilityOption,
  roundOption,
  acceptOption,
  modsOption,
  jsonOption,
]

export const createCommand: UserCommand = {
  details: `Create a pack from FILE ("-" is stdin) and print its slug. FILE is JSON as for the API, or has any
format that import reads. If any part of it cannot be read, no pack is created; nor is it while FILE can mean
several things, with the exit status 3, until --accept chooses. If the connection fails, run the same command again: it
makes no second pack of what was saved.`,
  options: saveOptions,
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

function reportSaved(pack: Pack, site: string, { options, screen }: CliContext): void {
  if (options.has('json')) screen.json(pack)
  else screen.out(savedLine(site, pack))
}

export const getCommand: UserCommand = {
  details: `Show a pack: its beatmaps in pool order, its stats, address and pack key. SLUG may also be the address
of its page. With --json, print the pack as the API returns it; create and replace read this format.`,
  options: [jsonOption],
  words: ['SLUG'],
  examples: ['mapcrate get q7Jm2_xT0a', 'mapcrate get q7Jm2_xT0a --json > finals.json'],
  async run(context) {
    const { options, screen } = context
    const { client, site, slug } = await connect(context)
    const pack = await client.getPack(slug())
    if (options.has('json')) return screen.json(pack)
    const { bold, dim } = screen.paint
    const lines = [
      `${bold(plain(pack.name))}  ${pack.visibility}, by ${plain(pack.ownerName)}`,
      plain(pack.description ?? '', '\n'),
      ...fieldLines(pack),
      statsLine(pack),
      pack.hiddenAt === undefined ? '' : 'A moderator has hidden it: nobody else can see it.',
      dim(pageOf(site, pack)),
    ]
    screen.out(`${lines.filter((line) => line !== '').join('\n')}\n\n`)
    screen.out(`${slotTable(pack, screen.paint)}\n${pack.packKey}\n`)
  },
}

/** Have lines of their own. */
const shownApart: readonly PackField[] = ['visibility', 'description']

/** What else its owner has decided, a line for each field. */
const fieldLines = (pack: Pack): string[] =>
  packFieldNames.flatMap((field) => {
    const words = fieldWords(field, pack[field])
    if (words === null || shownApart.includes(field)) return []
    return `${packFieldLabels[field]}: ${plain(words)}`
  })

export const replaceCommand: UserCommand = {
  details: `Replace the beatmaps of one of your packs by those in FILE ("-" is stdin), in any format that import
reads. Name, description, visibility and buckets are kept unless FILE specifies them; an empty
"description" in JSON removes the description. Nothing is changed if any part of FILE cannot be read, or
if the pack is saved by someone else at the same time; if FILE can mean several things, --accept chooses.`,
  options: saveOptions,
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

export const deleteCommand: UserCommand = {
  details: 'Delete one of your packs permanently, after confirmation.',
  options: [yesOption],
  words: ['SLUG'],
  examples: ['mapcrate delete q7Jm2_xT0a', 'mapcrate delete q7Jm2_xT0a --yes'],
  async run(context) {
    const { client, slug } = await connect(context)
    const pack = await client.getPack(slug())
    const what = `${plain(pack.name)} (${count(pack.slots.length, 'beatmap')})`
    await insistOnConsent(`Delete ${what} for good?`, 'nothing was deleted', context)
    await client.deletePack(pack.slug, { ifMatch: pack })
    context.screen.out(`deleted ${pack.slug}, ${what}\n`)
  },
}

export const listCommand: UserCommand = {
  details: 'List public packs, most recently saved first, 50 per page.',
  options: [
    { name: 'mine', about: 'list your own packs, of any visibility' },
    ...pageOptions,
    jsonOption,
  ],
  examples: ['mapcrate list --mine', "mapcrate list --mine --all --json | jq -r '.[].slug'"],
  async run(context) {
    const { options, screen } = context
    const page = readPageNumber(context)
    const { client } = await connect(context)
    const packs = await readList(client, page, context)
    if (options.has('json')) return screen.json(packs)
    if (packs.length === 0) return screen.note('There are no packs here.')
    const isMine = options.has('mine')
    const rows = packs.map((pack) => [
      pack.slug,
      pack.name,
      pack.slots.length,
      stars(pack),
      isMine ? pack.visibility : pack.ownerName,
      pack.updatedAt.slice(0, 10),
    ])
    const who = isMine ? 'VISIBILITY' : 'OWNER'
    screen.out(table(['SLUG', 'NAME', 'BEATMAPS', 'STARS', who, 'SAVED'], rows, screen.paint))
  },
}

async function readList(client: PacksClient, page: number | null, context: CliContext) {
  const { options, screen } = context
  const isMine = options.has('mine')
  if (page === null) {
    const all = isMine ? client.iterateMyPacks() : client.iteratePacks()
    const packs = await collect(all, (many) => {
      if (many % 50 === 1) screen.status(`reading, ${count(many, 'pack')} so far`)
    })
    screen.clear()
    return packs
  }
  const list = await (isMine ? client.listMyPacks : client.listPacks)({ page })
  notePage(list.page, list, 'pack', context)
  return list.packs
}

function stars({ stats }: Pack): string {
  if (stats === undefined || stats.srMin === null || stats.srMax === null) return ''
  return `${stats.srMin.toFixed(2)}–${stats.srMax.toFixed(2)}`
}
