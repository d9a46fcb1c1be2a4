import { CliError, usageError } from '../program.ts'
import { hasCode, otherService, refusedKey } from './errors.ts'
import { askLine, askSecret, readStdin } from './input.ts'
import { plain } from './screen.ts'
import * as service from './service.ts'
import { type CliContext, jsonOption, type UserCommand } from './user-command.ts'

export const loginCommand: UserCommand = {
  details: `Store the ADDRESS of the site and your API key for the other commands, after checking both. On a
terminal you are asked for the key, and for the address if it is not given; otherwise they are read from
stdin, one per line.

They are stored in mapcrate/login.json in $XDG_CONFIG_HOME or the settings folder of your system, in a
file that only you can read. "mapcrate logout" deletes it. MAPCRATE_URL and MAPCRATE_KEY take precedence
over it. The key is never an argument, because other programs and the history of the shell could see it.

The commands for tournaments use the tournament-pools service, which has an address and keys of its own: log
in to it by --service pools. The login is stored in mapcrate/pools-login.json; MAPCRATE_POOLS_URL and
MAPCRATE_POOLS_KEY take precedence over it.`,
  options: [service.serviceOption],
  words: ['[ADDRESS]'],
  examples: [
    'mapcrate login https://packs.example',
    'mapcrate login --service pools',
    'mapcrate login < address-and-key.txt',
  ],
  async run(context) {
    const { screen, stdin, env } = context
    const name = service.serviceIn(context)
    const { key } = service.loginOf(name)
    const credentials = await (stdin.isTTY ? ask(context) : readLines(context))
    const { address } = credentials
    const { client } = service.openService(name, credentials, context)
    const { username } = await client.getMe().catch((error: unknown) => {
      if (!hasCode(error, 'not_found') || new URL(address).origin === address) {
        throw refusedKey(error, name)
      }
      const site = new URL(address).origin
      throw new CliError(
        `there is no service at ${address}; give the address of the site alone: ${site}`,
      )
    })
    // Each service answers the first call with a key of its own.
    const list = 'listMyPacks' in client ? client.listMyPacks() : client.listTournaments()
    await list.catch((error: unknown) => {
      throw hasCode(error, 'not_found') ? otherService(address, name) : error
    })
    const file = service.credentialsFile(context, name)
    await service.storeCredentials(file, credentials)
    screen.out(`Logged in to ${address} as ${plain(username)}; kept in ${file}\n`)
    if (env[key]) screen.note(`${key} is set, and goes before it.`)
  },
}

async function ask(context: CliContext): Promise<service.Credentials> {
  const address =
    knownSite(context) ?? siteAt(await askLine('Address of the site, https://…: ', context))
  context.screen.note(`Your key is made at ${address}/account. Nothing of it will be shown.`)
  return { address, key: await askSecret('Key: ', context) }
}

/** The site that the arguments or the environment name. */
function knownSite(context: CliContext): string | null {
  const [word = context.env[service.loginOf(service.serviceIn(context)).url]] = context.words
  return word ? siteAt(word) : null
}

/** Address and key, a line each; the address is left out where it is known. */
async function readLines(context: CliContext): Promise<service.Credentials> {
  const known = knownSite(context)
  const text = new TextDecoder().decode(await readStdin(context))
  const lines = text.split(/\s+/).filter((line) => line !== '')
  const address = known ?? lines.shift()
  const [key, more] = lines
  if (address === undefined || key === undefined || more !== undefined) {
    const wanted = known === null ? 'two lines: the address and the key' : 'one line: the key'
    throw usageError(`stdin must hold ${wanted}`)
  }
  return { address: known ?? siteAt(address), key }
}

/** People often copy the address of the page that the key is made on. */
function siteAt(text: string): string {
  return service.siteOf(service.completeAddress(text).replace(/\/account\/?$/, ''))
}

export const logoutCommand: UserCommand = {
  details: `Delete the stored address and key. The key remains valid; to revoke it, use the /account page of the
site.`,
  options: [service.serviceOption],
  examples: ['mapcrate logout', 'mapcrate logout --service pools'],
  async run(context) {
    const { screen, env } = context
    const name = service.serviceIn(context)
    const { key } = service.loginOf(name)
    const file = service.credentialsFile(context, name)
    const isDeleted = await service.deleteCredentials(file)
    screen.out(isDeleted ? `Logged out; deleted ${file}\n` : 'You were not logged in.\n')
    if (env[key]) screen.note(`${key} is set, and other commands continue to use it.`)
  },
}

export const meCommand: UserCommand = {
  details: 'Show the owner of the API key and the address of the site.',
  options: [service.serviceOption, jsonOption],
  examples: ['mapcrate me', 'mapcrate me --service pools', 'mapcrate me --json'],
  async run(context) {
    const { options, screen } = context
    const name = service.serviceIn(context)
    const { client, site } = await service.connectTo(name, context)
    const user = await client.getMe().catch((error: unknown) => {
      throw refusedKey(error, name)
    })
    if (options.has('json')) return screen.json(user)
    screen.out(`${plain(user.username)}, player ${user.gameId}, at ${site}\n`)
  },
}
