import type { PacksClient } from '../../client/packs.ts'
import type { Pack } from '../../contract/packs.ts'
import {
  fieldWords,
  type PackField,
  packFieldLabels,
  packFieldNames,
} from '../../pool/pack-fields.ts'
import { insistOnConsent } from './input.ts'
import { collect, notePage, pageOptions, readPageNumber } from './listing.ts'
import { count, pageOf, slotTable, statsLine } from './pack-text.ts'
import { plain, table } from './screen.ts'
import { connect } from './service.ts'
import { type CliContext, jsonOption, type UserCommand, yesOption } from './user-command.ts'

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
