import type { PoolsClient } from '../../../client/pools-client.ts'
import type { DraftVersion, WholeDraftVersion } from '../../../contract/draft-history.ts'
import { englishLine } from '../../../pool/english-differences.ts'
import { usageError } from '../../program.ts'
import { moment, readVersion } from '../history.ts'
import { count, wordLines } from '../pack-text.ts'
import { type Paint, plain, table } from '../screen.ts'
import { connectPools } from '../service.ts'
import { jsonOption, type UserCommand } from '../user-command.ts'
import {
  draftDifferenceWords,
  draftOf,
  meantBy,
  namedIn,
  roundNamed,
  slotTable,
} from './round-text.ts'

export const historyCommand: UserCommand = {
  details: `List the versions of the draft of a round, newest first: when each was saved, by whom, and what it changed.
The newest 100 versions are kept. With VERSION, show what that one changed, and what the draft was then. For the staff.`,
  options: [jsonOption],
  words: ['SLUG', 'ROUND', '[VERSION]'],
  examples: [
    'mapcrate tournament history dG91cm5hbW Finals',
    'mapcrate tournament history dG91cm5hbW Finals 7',
    "mapcrate tournament history dG91cm5hbW Finals --json | jq '.[0].changes'",
  ],
  async run(context) {
    const { words, options, screen } = context
    const [, name = '', number] = words
    const version = number === undefined ? null : readVersion(number, 'history')
    const { client, slug } = await connectPools(context)
    const { id } = roundNamed(await client.getTournament(slug()), name)
    if (version !== null) {
      const found = await client.getDraftVersion(slug(), id, version)
      if (options.has('json')) return screen.json(found)
      return screen.out(versionText(found, screen.paint))
    }
    const versions = await readVersions(client, slug(), id)
    if (options.has('json')) return screen.json(versions)
    const rows = versions.flatMap((each) => {
      const [first = '', ...more] = changeLines(each)
      return [
        [`${each.version}`, moment(each.savedAt), each.savedBy ?? '', first],
        ...more.map((line) => ['', '', '', line]),
      ]
    })
    screen.out(table(['VERSION', 'SAVED (UTC)', 'BY', 'CHANGES'], rows, screen.paint))
  },
}

async function readVersions(client: PoolsClient, slug: string, id: string) {
  const versions: DraftVersion[] = []
  for (let page = 1; ; page += 1) {
    const read = await client.getDraftHistory(slug, id, { page })
    versions.push(...read.versions)
    if (page >= read.pageCount) return versions
  }
}

/** A round that was deleted and restored has a version that changes nothing. */
const changeLines = ({ version, changes }: DraftVersion): string[] => {
  if (changes.length === 0) return [version === 1 ? 'created' : 'the same as the version before']
  return changes.flatMap(draftDifferenceWords).map(englishLine)
}

function versionText(version: WholeDraftVersion, paint: Paint): string {
  const { savedAt, savedBy, changes } = version
  const by = savedBy === undefined ? '' : ` by ${plain(savedBy)}`
  const head = `${paint.bold(plain(version.name))}  version ${version.version}, ${moment(savedAt)} UTC${by}\n`
  const lines = version.version === 1 ? '' : wordLines(changes.flatMap(draftDifferenceWords), paint)
  return `${head}${lines}\n${slotTable(draftOf(version), new Map(), paint)}`
}

export const deletedCommand: UserCommand = {
  details: `List the rounds of a tournament that were deleted in the last 30 days, the last one first. "mapcrate tournament
restore" brings them back. For the staff.`,
  options: [jsonOption],
  words: ['SLUG'],
  examples: ['mapcrate tournament deleted dG91cm5hbW'],
  async run(context) {
    const { options, screen } = context
    const { client, slug } = await connectPools(context)
    const rounds = await client.listDeletedRounds(slug())
    if (options.has('json')) return screen.json(rounds)
    if (rounds.length === 0) return screen.note('There are no deleted rounds.')
    const rows = rounds.map((each) => [
      each.id,
      each.name,
      each.slotCount,
      moment(each.deletedAt),
      each.deletedBy ?? '',
      moment(each.restorableUntil),
    ])
    const heads = ['ID', 'NAME', 'SLOTS', 'DELETED (UTC)', 'BY', 'UNTIL (UTC)']
    screen.out(table(heads, rows, screen.paint))
  },
}

export const restoreCommand: UserCommand = {
  details: `Restore a deleted round, by its name or by the id that "mapcrate tournament deleted" lists, as the last round,
a draft, with its history, candidates and remarks. If its name is taken meanwhile, it gets a number after it. Several
deleted rounds of one name have to be named by their ids. Run again, it restores nothing more. For hosts and poolers.`,
  options: [jsonOption],
  words: ['SLUG', 'ROUND'],
  examples: [
    'mapcrate tournament restore dG91cm5hbW Finals',
    'mapcrate tournament restore dG91cm5hbW b3JkZXIgbX',
  ],
  async run(context) {
    const { words, options, screen } = context
    const [, word = ''] = words
    const { client, slug } = await connectPools(context)
    const deleted = await client.listDeletedRounds(slug())
    const meant = meantBy(deleted, word)
    if (meant.length > 1) {
      const each = meant.map(({ id, deletedAt }) => `${id} (deleted ${moment(deletedAt)} UTC)`)
      throw usageError(
        `"${word}" is the name of ${meant.length} deleted rounds: ${each.join(', ')}; give an id`,
      )
    }
    if (meant.length === 0) {
      // The answer to the first call may have been lost.
      const [there] = meantBy((await client.getTournament(slug())).rounds, word)
      if (there !== undefined) {
        screen.note(`${plain(there.name)} is in the tournament; nothing was to be restored.`)
        return options.has('json') ? screen.json(there) : undefined
      }
    }
    const { id } = namedIn(deleted, word, 'deleted round', 'there is none')
    const round = await client.restoreRound(slug(), id)
    if (options.has('json')) return screen.json(round)
    screen.out(`restored ${plain(round.name)}, ${count(round.slots.length, 'slot')}\n`)
  },
}
