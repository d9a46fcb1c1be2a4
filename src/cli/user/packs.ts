import type { PacksClient } from '../../client/packs.ts'
import { PAGE_PATTERN } from '../../contract/bounds.ts'
import type { Pack } from '../../contract/packs.ts'
import { CliError } from '../program.ts'
import { confirm, readInput } from './input.ts'
import { count, pageOf, savedLine, slotTable, statsLine } from './pack-text.ts'
import {
  choosePool,
  insistOnAll,
  nameOption,
  packInput,
  readPools,
  roundOption,
  visibilityOption,
  packOptionsOf,
} from './pool-file.ts'
import { plain, table } from './screen.ts'
import { connect } from './service.ts'
import {
  type Call,
  jsonOption,
  type CliContext,
  type UserCommand,
  yesOption,
} from './user-command.ts'

export const createCommand: UserCommand = {
  name: 'create',
  details: `Saves one new pack and prints its slug. FILE (- is stdin) holds what the API takes as JSON, or
anything that import reads; a file of which something cannot be understood saves nothing.`,
  options: [nameOption, visibilityOption, roundOption, jsonOption],
  words: ['FILE'],
  example: 'create finals.json --visibility public',
  moreExamples: ['mapcrate get q7Jm2_xT0a --json | mapcrate create - --name "Finals, a copy"'],
  async run(call, around) {
    const [file = ''] = call.words
    const pools = await readPools(await readInput(file, around), file)
    const pool = choosePool(pools, call.value('round'))
    insistOnAll(pool)
    const { client, site } = await connect(around)
    const pack = await client.createPack(packInput(pool, packOptionsOf(call)))
    if (call.has('json')) return around.screen.json(pack)
    around.screen.out(savedLine(site, pack))
  },
}

export const getCommand: UserCommand = {
  name: 'get',
  details: `Shows a pack: its beatmaps in pool order, its stats, its page and its pack key. A pack is named
by its slug or by the address of its page. With --json the pack as the API has it, which create and replace take.`,
  options: [jsonOption],
  words: ['SLUG'],
  example: 'get q7Jm2_xT0a',
  moreExamples: ['mapcrate get q7Jm2_xT0a --json > finals.json'],
  async run({ words: [word = ''], has }, around) {
    const { screen } = around
    const { client, site, slugOf } = await connect(around)
    const pack = await client.getPack(slugOf(word))
    if (has('json')) return screen.json(pack)
    const { bold, dim } = screen.paint
    const lines = [
      `${bold(plain(pack.name))}  ${pack.visibility}, by ${plain(pack.ownerName)}`,
      plain(pack.description ?? '', '\n'),
      statsLine(pack),
      pack.hiddenAt === undefined ? '' : 'A moderator has hidden it: nobody else can see it.',
      dim(pageOf(site, pack)),
    ]
    screen.out(`${lines.filter((line) => line !== '').join('\n')}\n\n`)
    screen.out(`${slotTable(pack, screen.paint)}\n${pack.packKey}\n`)
  },
}

export const replaceCommand: UserCommand = {
  name: 'replace',
  details: `Replaces the beatmaps of a pack of yours with those of FILE (- is stdin), which may have any format
that import reads. What such a file does not say stays as it is: the name, the description, who may see
the pack, and the buckets that its slots stand in. An empty "description" in JSON takes it away. A file
of which something cannot be understood changes nothing, nor does a pack that somebody saves meanwhile.`,
  options: [nameOption, visibilityOption, roundOption, jsonOption],
  words: ['SLUG', 'FILE'],
  example: 'replace q7Jm2_xT0a finals.csv',
  moreExamples: ['pbpaste | mapcrate replace q7Jm2_xT0a -'],
  async run(call, around) {
    const [word = '', file = ''] = call.words
    const bytes = await readInput(file, around)
    const { client, site, slugOf } = await connect(around)
    const slug = slugOf(word)
    const before = await client.getPack(slug)
    const pools = await readPools(bytes, file, { buckets: before.buckets })
    const pool = choosePool(pools, call.value('round'))
    insistOnAll(pool)
    const input = packInput(pool, packOptionsOf(call), before)
    const pack = await client.replacePack(slug, input, { ifMatch: before })
    if (call.has('json')) return around.screen.json(pack)
    around.screen.out(savedLine(site, pack))
  },
}

export const deleteCommand: UserCommand = {
  name: 'delete',
  details: 'Deletes a pack of yours for good. Asks first, unless told not to.',
  options: [yesOption],
  words: ['SLUG'],
  example: 'delete q7Jm2_xT0a',
  moreExamples: ['mapcrate delete q7Jm2_xT0a --yes'],
  async run({ words: [word = ''], has }, around) {
    const { client, slugOf } = await connect(around)
    const slug = slugOf(word)
    const pack = await client.getPack(slug)
    const { name, slots } = pack
    const what = `${plain(name)} (${count(slots.length, 'beatmap')})`
    if (!has('yes') && !(await confirm(`Delete ${what} for good?`, around))) {
      throw new CliError('nothing was deleted')
    }
    await client.deletePack(slug, { ifMatch: pack })
    around.screen.out(`deleted ${slug}, ${what}\n`)
  },
}

const stars = ({ stats }: Pack): string =>
  stats === undefined || stats.srMin === null || stats.srMax === null
    ? ''
    : `${stats.srMin.toFixed(2)}–${stats.srMax.toFixed(2)}`

const readAll = async (client: PacksClient, isMine: boolean, around: CliContext) => {
  const packs: Pack[] = []
  for await (const pack of isMine ? client.iterateMyPacks() : client.iteratePacks()) {
    packs.push(pack)
    if (packs.length % 50 === 1)
      around.screen.status(`reading, ${count(packs.length, 'pack')} so far`)
  }
  around.screen.clear()
  return packs
}

const readPage = async (client: PacksClient, call: Call, around: CliContext) => {
  const text = call.value('page') ?? '1'
  if (!new RegExp(PAGE_PATTERN).test(text)) {
    throw new CliError(
      `--page "${text}" is no page; give a whole number from 1 to 999999`,
      'misuse',
    )
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
    if (call.has('all') && call.has('page'))
      throw new CliError('give --all or --page, not both', 'misuse')
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
