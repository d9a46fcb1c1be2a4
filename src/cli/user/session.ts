import { usageError } from '../program.ts'
import { askLine, askSecret, readStdin } from './input.ts'
import { plain } from './screen.ts'
import * as service from './service.ts'
import { type CliContext, jsonOption, type UserCommand } from './user-command.ts'

export const loginCommand: UserCommand = {
  details: `Store the address of the site and your API key for the other commands, after checking both. On a
terminal they are asked for; otherwise they are read from stdin, one per line.

They are stored in mapcrate/login.json in $XDG_CONFIG_HOME or the settings folder of your system, in a
file that only you can read. "mapcrate logout" deletes it. MAPCRATE_URL and MAPCRATE_KEY take precedence
over it. The key is never an argument, because other programs and the history of the shell could see it.`,
  examples: ['mapcrate login', 'mapcrate login < address-and-key.txt'],
  async run(context) {
    const { screen, stdin, env } = context
    const credentials = await (stdin.isTTY ? ask(context) : readLines(context))
    const { username } = await service.openService(credentials, context).client.getMe()
    const file = service.credentialsFile(context)
    await service.storeCredentials(file, credentials)
    screen.out(`Logged in to ${credentials.address} as ${plain(username)}; kept in ${file}\n`)
    if (env['MAPCRATE_KEY']) screen.note('MAPCRATE_KEY is set, and goes before it.')
  },
}

async function ask(context: CliContext): Promise<service.Credentials> {
  const known = context.env['MAPCRATE_URL']
  const address = siteAt(known || (await askLine('Address of the site, https://…: ', context)))
  context.screen.note(`Your key is made at ${address}/account. Nothing of it will be shown.`)
  return { address, key: await askSecret('Key: ', context) }
}

/** Address and key, a line each; the address is left out if MAPCRATE_URL is set. */
async function readLines(context: CliContext): Promise<service.Credentials> {
  const text = new TextDecoder().decode(await readStdin(context))
  const lines = text.split(/\s+/).filter((line) => line !== '')
  const address = context.env['MAPCRATE_URL'] || lines.shift()
  const [key, more] = lines
  if (address === undefined || key === undefined || more !== undefined) {
    throw usageError('stdin must hold two lines: the address and the key')
  }
  return { address: siteAt(address), key }
}

/** People often copy the address of the page that the key is made on. */
function siteAt(text: string): string {
  return service.siteOf(service.completeAddress(text).replace(/\/account\/?$/, ''))
}

export const logoutCommand: UserCommand = {
  details: `Delete the stored address and key. The key remains valid; to revoke it, use the /account page of the
site.`,
  examples: ['mapcrate logout'],
  async run(context) {
    const { screen, env } = context
    const file = service.credentialsFile(context)
    const isDeleted = await service.deleteCredentials(file)
    screen.out(isDeleted ? `Logged out; deleted ${file}\n` : 'You were not logged in.\n')
    if (env['MAPCRATE_KEY']) {
      screen.note('MAPCRATE_KEY is set, and other commands continue to use it.')
    }
  },
}

export const meCommand: UserCommand = {
  details: 'Show the owner of the API key and the address of the site.',
  options: [jsonOption],
  examples: ['mapcrate me', 'mapcrate me --json'],
  async run(context) {
    const { options, screen } = context
    const { client, site } = await service.connect(context)
    const user = await client.getMe()
    if (options.has('json')) return screen.json(user)
    screen.out(`${plain(user.username)}, player ${user.gameId}, at ${site}\n`)
  },
}
