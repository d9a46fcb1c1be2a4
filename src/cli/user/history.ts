import type { PacksClient } from '../../client/packs.ts'
import { MAX_VERSION } from '../../contract/bounds.ts'
import type { PackVersion, WholeVersion } from '../../contract/history.ts'
import { comparePacks, type PackContent } from '../../pool/comparison.ts'
import { englishLine, englishWords } from '../../pool/english-differences.ts'
import { CliError, usageError } from '../program.ts'
import { insistOnConsent, insistOnTerminal } from './input.ts'
import { collect } from './listing.ts'
import { contentOf, differenceLines, savedLine } from './pack-text.ts'
import { table } from './screen.ts'
import { connect } from './service.ts'
import { jsonOption, type UserCommand, yesOption } from './user-command.ts'

export const historyCommand: UserCommand = {
  details: `List the versions of a pack, newest first: when each was saved, by whom, and what it changed. The newest
100 versions are kept. You can read the history of your own packs, and of packs whose owners have made it
public. --public only changes who can read the history of a pack of yours: "on" for everyone who can read
the pack, except versions that were private or hidden; "off" for you alone.`,
  options: [
    {
      name: 'public',
      takes: 'SWITCH',
      choices: ['on', 'off'],
      about: 'on or off: whether others can read it',
    },
    jsonOption,
  ],
  words: ['SLUG'],
  examples: [
    'mapcrate history q7Jm2_xT0a',
    'mapcrate history q7Jm2_xT0a --public on',
    "mapcrate history q7Jm2_xT0a --json | jq -r '.[0].packKey'",
  ],
  async run(context) {
    const { options, screen } = context
    const { client, slug } = await connect(context)
    const isPublic = options.get('public')
    if (isPublic !== undefined) {
      await client.setHistoryPublic(slug(), isPublic === 'on')
      if (options.has('json')) {
        return screen.json({ slug: slug(), historyPublic: isPublic === 'on' })
      }
      const who = isPublic === 'on' ? 'everyone who can read the pack' : 'you alone'
      return screen.out(`the history of ${slug()} can be read by ${who}\n`)
    }
    const versions = await collect(client.iterateHistory(slug()))
    if (options.has('json')) return screen.json(versions)
    const rows = versions.flatMap((each) => {
      const [first = '', ...more] = changeWords(each)
      const { version, savedBy, visibility } = each
      return [
        [`${version}`, moment(each.savedAt), savedBy, visibility, first],
        ...more.map((words) => ['', '', '', '', words]),
      ]
    })
    screen.out(table(['VERSION', 'SAVED (UTC)', 'BY', 'VISIBILITY', 'CHANGES'], rows, screen.paint))
  },
}

const MAX_LISTED = 10
const MAX_LENGTH = 100

function changeWords({ version, changes }: PackVersion): string[] {
  if (version === 1) return ['created']
  const words = changes.map((each) => {
    const letters = Array.from(englishLine(englishWords(each)))
    return letters.length > MAX_LENGTH
      ? `${letters.slice(0, MAX_LENGTH).join('')}…`
      : letters.join('')
  })
  const more = words.length - MAX_LISTED
  return more > 0 ? [...words.slice(0, MAX_LISTED), `and ${more} more`] : words
}

/** To the minute, in UTC. */
export function moment(at: string): string {
  return at.slice(0, 16).replace('T', ' ')
}

export const diffCommand: UserCommand = {
  details: `Show what has changed in a pack: from version A to version B, from version A to the pack as it is now, or,
without versions, by the newest one. "mapcrate history" lists the versions. The exit status is 0, whether
there are differences or not.`,
  options: [jsonOption],
  words: ['SLUG', '[A]', '[B]'],
  examples: [
    'mapcrate diff q7Jm2_xT0a',
    'mapcrate diff q7Jm2_xT0a 3',
    "mapcrate diff q7Jm2_xT0a 3 5 --json | jq '.changes | length'",
  ],
  async run(context) {
    const { options, screen } = context
    const numbers = context.words.slice(1).map((word) => readVersion(word, 'mapcrate history'))
    const { client, slug } = await connect(context)
    const [before, after] = await readSides(client, slug(), numbers)
    const changes = comparePacks(before.content, after.content)
    if (options.has('json')) {
      return screen.json({ from: before.version, to: after.version, changes })
    }
    screen.note(`From ${before.name} to ${after.name}:`)
    if (changes.length === 0) screen.note('There are no differences.')
    screen.out(differenceLines(changes, screen.paint, before.content.slots))
  },
}

/** @param lister the command that lists the versions. */
export function readVersion(text: string, lister: string): number {
  const version = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0
  if (version > 0 && version <= MAX_VERSION) return version
  throw usageError(`"${text}" is no version; give a number that ${lister} lists`)
}

type Side = {
  /** null for the pack as it is now. */
  readonly version: number | null
  readonly name: string
  readonly content: PackContent
}

async function readSides(
  client: PacksClient,
  slug: string,
  numbers: readonly number[],
): Promise<readonly [before: Side, after: Side]> {
  const [a, b] = numbers.length === 0 ? await newestTwo(client, slug) : numbers
  const before = sideOf(await client.getVersion(slug, a!))
  if (b !== undefined) return [before, sideOf(await client.getVersion(slug, b))]
  const pack = await client.getPack(slug)
  return [before, { version: null, name: 'the pack as it is now', content: pack }]
}

async function newestTwo(client: PacksClient, slug: string): Promise<readonly [number, number]> {
  const { versions } = await client.getHistory(slug)
  const [after, before] = versions
  if (after === undefined || before === undefined) {
    throw new CliError('there is only one version; there is nothing to compare it with')
  }
  return [before.version, after.version]
}

function sideOf(version: WholeVersion): Side {
  return { version: version.version, name: nameOf(version), content: version }
}

function nameOf({ version, savedAt }: WholeVersion): string {
  return `version ${version} (${moment(savedAt)} UTC)`
}

export const restoreCommand: UserCommand = {
  details: `Save a version of one of your packs again, with all that it had; the visibility alone stays as it is now.
The differences are shown first, and saved after confirmation. Nothing is lost: the pack as it is now
remains a version. Nothing is saved if the pack is saved by someone else at the same time.`,
  options: [yesOption],
  words: ['SLUG', 'VERSION'],
  examples: ['mapcrate restore q7Jm2_xT0a 3', 'mapcrate restore q7Jm2_xT0a 3 --yes'],
  async run(context) {
    const { options, screen, words } = context
    const number = readVersion(words[1] ?? '', 'mapcrate history')
    if (!options.has('yes')) insistOnTerminal(context)
    const { client, site, slug } = await connect(context)
    const before = await client.getPack(slug())
    const version = await client.getVersion(before.slug, number)
    const after = contentOf({ ...version, visibility: before.visibility })
    const changes = comparePacks(before, after)
    if (changes.length === 0) return screen.note(`The pack is as it was in version ${number}.`)
    screen.out(differenceLines(changes, screen.paint, before.slots))
    await insistOnConsent(`Restore ${nameOf(version)}?`, 'nothing was restored', context)
    screen.out(savedLine(site, await client.replacePack(slug(), after, { ifMatch: before })))
  },
}
