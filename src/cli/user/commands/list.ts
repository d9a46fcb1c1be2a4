import type { PacksClient } from '../../../client/packs.ts'
import { PAGE_PATTERN } from '../../../contract/bounds.ts'
import type { Pack } from '../../../contract/packs.ts'
import { Misuse } from '../../command.ts'
import { connect } from '../connect.ts'
import { count } from '../pack-words.ts'
import type { Surroundings } from '../surroundings.ts'
import { table } from '../table.ts'
import { type Call, jsonOption, type UserCommand } from '../user-command.ts'

const stars = ({ stats }: Pack): string =>
  stats === undefined || stats.srMin === null || stats.srMax === null
    ? ''
    : `${stats.srMin.toFixed(2)}–${stats.srMax.toFixed(2)}`

const readAll = async (client: PacksClient, isMine: boolean, around: Surroundings) => {
  const packs: Pack[] = []
  for await (const pack of isMine ? client.iterateMyPacks() : client.iteratePacks()) {
    packs.push(pack)
    if (packs.length % 50 === 1)
      around.screen.status(`reading, ${count(packs.length, 'pack')} so far`)
  }
  around.screen.clear()
  return packs
}

const readPage = async (client: PacksClient, call: Call, around: Surroundings) => {
  const text = call.value('page') ?? '1'
  if (!new RegExp(PAGE_PATTERN).test(text)) {
    throw new Misuse(`--page "${text}" is no page; give a whole number from 1 to 999999`)
  }
  const options = { page: Number(text) }
  const answer = await (call.has('mine') ? client.listMyPacks(options) : client.listPacks(options))
  const { packs, page, pageCount, total } = answer
  if (pageCount > 1 && !call.has('json')) {
    around.screen.note(
      `Page ${page} of ${pageCount}, ${count(total, 'pack')}; --all for all of them.`,
    )
  }
  return packs
}

export const listCommand: UserCommand = {
  name: 'list',
  details: `Lists public packs, those that were saved last first, 50 a page. With --mine all of yours, whoever
may see them.`,
  options: [
    { name: 'mine', about: 'yours, of any visibility' },
    { name: 'page', takes: 'N', about: 'the Nth page; the first when left out' },
    { name: 'all', about: 'all pages, one after the other' },
    jsonOption,
  ],
  words: [],
  example: 'list --mine',
  moreExamples: ["mapcrate list --mine --all --json | jq -r '.[].slug'"],
  async run(call, around) {
    if (call.has('all') && call.has('page')) throw new Misuse('give --all or --page, not both')
    const { client } = await connect(around)
    const packs = call.has('all')
      ? await readAll(client, call.has('mine'), around)
      : await readPage(client, call, around)
    if (call.has('json')) return around.screen.json(packs)
    if (packs.length === 0) return around.screen.note('There are no packs here.')
    const who = call.has('mine') ? 'VISIBILITY' : 'OWNER'
    const rows = packs.map((pack) => [
      pack.slug,
      pack.name,
      pack.slots.length,
      stars(pack),
      who === 'OWNER' ? pack.ownerName : pack.visibility,
      pack.updatedAt.slice(0, 10),
    ])
    const heads = ['SLUG', 'NAME', 'BEATMAPS', 'STARS', who, 'SAVED']
    around.screen.out(table(heads, rows, around.screen.paint))
  },
}
