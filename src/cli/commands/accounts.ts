import { checkUsername } from '../../domain/accounts.ts'
import { deleteAccountOf, describePlayer, type PlayerFacts } from '../../operations/accounts.ts'
import { timestamp } from '../../domain/quotas.ts'
import { gameIdOption, readBy, readGameId, refuseWords, required } from '../arguments.ts'
import {
  type Arguments,
  CliError,
  type Command,
  type CommandOption,
  usageError,
} from '../program.ts'
import { operatorOf, reasonOption } from './moderation.ts'
import { withPorts } from './with-ports.ts'

export const jsonOption: CommandOption = { name: 'json', about: 'print JSON, for programs' }

export const moderatorsCommand: Command = {
  details: `List the moderators of the site, the newest first: id on the game platform, name, since when, and when the
newest of their sessions began that is still kept. One who has never signed in has no name yet.`,
  options: [jsonOption],
  examples: ['mapcrate-server moderators'],
  async run(call, { env, stdout }) {
    refuseWords(call)
    const found = await withPorts(env, 'refuse', ({ accounts }) => accounts.listModerators())
    const moderators = found.map(({ gameId, username, since, signedInAt }) => ({
      gameId,
      username,
      since: timestamp(since),
      signedInAt: signedInAt === null ? null : timestamp(signedInAt),
    }))
    if (call.options.has('json')) {
      stdout.write(`${JSON.stringify({ moderators }, null, 2)}\n`)
      return
    }
    if (moderators.length === 0) stdout.write('there are no moderators\n')
    for (const { gameId, username, since, signedInAt } of moderators) {
      const signIn = signedInAt === null ? 'no session' : `signed in ${minute(signedInAt)}`
      stdout.write(`${gameId}  ${username ?? '(no name yet)'}, since ${minute(since)}, ${signIn}\n`)
    }
  },
}

const anyIdOption: CommandOption = { name: 'game-id', takes: 'N', about: gameIdOption.about }
const usernameOption: CommandOption = {
  name: 'username',
  takes: 'NAME',
  about: 'name of the player, in any case, in place of the id',
}

export const accountCommand: Command = {
  details: `Show what is stored of a player: account, role, suspension, when API keys were made and used, sessions, and
the packs and tournaments by visibility. Of keys and sessions, nothing is shown that opens anything; of packs
and tournaments, private ones are listed by their names, too. Nothing is changed.`,
  options: [anyIdOption, usernameOption, jsonOption],
  examples: ['mapcrate-server account --game-id 4711', 'mapcrate-server account --username Ada'],
  async run(call, { env, stdout }) {
    refuseWords(call)
    const who = readWho(call)
    const facts = await withPorts(env, 'refuse', (ports) => describePlayer(ports, who))
    if (facts === null) {
      throw new CliError(
        'gameId' in who
          ? `nothing is known of a player with the game id ${who.gameId}; check the id`
          : `no player with the name "${who.username}" has an account here; check the name, or give --game-id`,
      )
    }
    stdout.write(call.options.has('json') ? `${JSON.stringify(facts, null, 2)}\n` : sheet(facts))
  },
}

function readWho(call: Arguments) {
  const [hasId, hasName] = [call.options.has('game-id'), call.options.has('username')]
  if (hasId && hasName) throw usageError('give --game-id or --username, not both')
  if (!hasId && !hasName) throw usageError('give --game-id or --username')
  return hasId ? { gameId: readGameId(call) } : readUsername(call)
}

const readUsername = (call: Arguments) => ({
  username: readBy(() => checkUsername(required(call, 'username'))),
})

export const deleteAccountCommand: Command = {
  details: `Delete the account of a player who has asked for it, as they could on the account page: packs, API keys,
sessions, places on staffs and the moderator role are gone for good, as are tournaments without another host;
released packs of those stay. The player can sign in again, to a new account; suspend keeps them away. Keys and
sessions end at once in every running process. Without --yes, nothing is deleted: the command shows what would
be, and fails. The moderation log notes the deletion with the id alone, and keeps what --reason says: name
nobody in it.`,
  options: [
    gameIdOption,
    { name: 'yes', about: 'delete it, without showing it first' },
    reasonOption,
  ],
  examples: ['mapcrate-server delete-account --game-id 4711 --yes'],
  async run(call, { env, stdout }) {
    refuseWords(call)
    const [gameId, by] = [readGameId(call), operatorOf(call)]
    await withPorts(env, 'refuse', async (ports) => {
      const facts = await describePlayer(ports, { gameId })
      if (facts === null || facts.account === null) {
        throw new CliError(`no player with the game id ${gameId} has an account here; check the id`)
      }
      const summary = losses(facts)
      if (!call.options.has('yes')) {
        stdout.write(sheet(facts))
        throw new CliError(`nothing was deleted; with --yes, this is: ${summary}`)
      }
      await deleteAccountOf(ports, gameId, by)
      stdout.write(`deleted ${playerText(facts)}: ${summary}\n`)
    })
  },
}

const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`

function losses({ packs, tournaments, keys, sessions, isModerator }: PlayerFacts): string {
  const hosted = tournaments.filter(({ isOnlyHost }) => isOnlyHost).length
  const keyCount = [keys.packs, keys.pools].filter((key) => key !== null).length
  const shared = tournaments.filter(({ role, isOnlyHost }) => role === 'host' && !isOnlyHost).length
  const places = count(tournaments.length - hosted - shared, 'place')
  return [
    count(packs.length, 'pack'),
    `${count(hosted, 'tournament')} without another host`,
    ...(shared === 0 ? [] : [`${count(shared, 'place')} as a host beside others`]),
    `${places} on other staffs`,
    count(keyCount, 'API key'),
    count(sessions.length, 'session'),
    ...(isModerator ? ['the moderator role'] : []),
  ].join(', ')
}

const playerText = ({ gameId, username }: PlayerFacts): string =>
  `player ${gameId}${username === null ? '' : ` (${username})`}`

/** To the minute, UTC: `2026-11-26 18:05`. */
export const minute = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 16)}`

function sheet(facts: PlayerFacts): string {
  const { account, isModerator, suspension, keys, sessions, packs, tournaments } = facts
  const row = (name: string, value: string) => `  ${name.padEnd(12)}${value}\n`
  const keyText = (key: PlayerFacts['keys']['packs']) =>
    key === null
      ? 'none'
      : `made ${minute(key.createdAt)}, ${key.lastUsedOn === null ? 'never used' : `last used ${key.lastUsedOn}`}`
  const suspended =
    suspension === null
      ? 'no'
      : `since ${minute(suspension.since)}, by ${suspension.by ?? 'the operator'}: ${suspension.reason}`
  const devices = sessions.map(
    ({ service, device, createdAt, lastSeenAt }) =>
      `    ${service}, ${device ?? 'unknown browser'}, since ${minute(createdAt)}, seen ${minute(lastSeenAt)}\n`,
  )
  return [
    `${playerText(facts)}\n`,
    row('account', account ? `${account.id}, since ${minute(account.createdAt)}` : 'none yet'),
    row('moderator', isModerator ? 'yes' : 'no'),
    row('suspended', suspended),
    row('packs key', keyText(keys.packs)),
    row('pools key', keyText(keys.pools)),
    row('sessions', String(sessions.length)),
    ...devices,
    row('packs', byVisibility(packs)),
    ...packs.map(({ slug, name, visibility, isHidden }) =>
      listed(slug, name, [visibility, ...(isHidden ? ['hidden'] : [])]),
    ),
    row('tournaments', byVisibility(tournaments)),
    ...tournaments.map(({ slug, name, visibility, isHidden, isOnlyHost, role }) =>
      listed(slug, name, [
        visibility,
        ...(isHidden ? ['hidden'] : []),
        isOnlyHost ? 'only host' : role,
      ]),
    ),
  ].join('')
}

const listed = (slug: string, name: string, words: readonly string[]): string =>
  `    ${slug}  ${name} (${words.join(', ')})\n`

function byVisibility(all: PlayerFacts['packs'] | PlayerFacts['tournaments']): string {
  const kinds = ['public', 'unlisted', 'private'] as const
  const parts = kinds.flatMap((kind) => {
    const number = all.filter(({ visibility }) => visibility === kind).length
    return number === 0 ? [] : [`${number} ${kind}`]
  })
  const hidden = all.filter(({ isHidden }) => isHidden).length
  const note = hidden === 0 ? '' : `; ${hidden} hidden`
  return all.length === 0 ? '0' : `${all.length}: ${parts.join(', ')}${note}`
}
