import { CliError } from '../program.ts'
import { askLine, askSecret, readStdin } from './input.ts'
import { plain } from './screen.ts'
import {
  completeAddress,
  connect,
  type Credentials,
  credentialsFile,
  forgetCredentials,
  keepCredentials,
  openService,
  siteOf,
} from './service.ts'
import { jsonOption, type CliContext, type UserCommand } from './user-command.ts'

/** What is copied is often the address of the page that the key is made on. */
const siteAddress = (text: string): string => completeAddress(text).replace(/\/account\/?$/, '')

/** Address and key, a line each; the address may stand in MAPCRATE_URL. */
const readLines = async (around: CliContext): Promise<Credentials> => {
  const text = new TextDecoder().decode(await readStdin(around))
  const lines = text.split(/\s+/).filter((line) => line !== '')
  const address = around.env['MAPCRATE_URL'] || lines.shift()
  const [key, more] = lines
  if (address === undefined || key === undefined || more !== undefined) {
    throw new CliError('stdin must hold two lines: the address and the key', 'misuse')
  }
  return { address: siteAddress(address), key }
}

const ask = async (around: CliContext): Promise<Credentials> => {
  const known = around.env['MAPCRATE_URL']
  const address = known || (await askLine('Address of the site, https://…: ', around))
  const site = siteOf(siteAddress(address))
  around.screen.note(`Your key is made at ${site}/account. Nothing of it will be shown.`)
  return { address: site, key: await askSecret('Key: ', around) }
}

export const loginCommand: UserCommand = {
  name: 'login',
  details: `Asks for the address of the site and for your API key, tries both, and keeps them for all other
commands, in a file that you alone can read (login.json below $XDG_CONFIG_HOME/mapcrate, or where your
system keeps settings). mapcrate logout deletes it. From a pipe it reads the two as lines.

The key is never taken from the command line, where other programs and the shell's history would have
it. Elsewhere, in scripts for example, set MAPCRATE_URL and MAPCRATE_KEY: they go before what is kept.`,
  options: [],
  words: [],
  example: 'login',
  moreExamples: ['mapcrate login < address-and-key.txt'],
  async run(_call, around) {
    const given = await (around.stdin.isTTY ? ask(around) : readLines(around))
    const credentials = { address: siteOf(given.address), key: given.key }
    const { username } = await openService(credentials, around).client.getMe()
    await keepCredentials(around, credentials)
    const file = credentialsFile(around)
    around.screen.out(
      `Logged in to ${credentials.address} as ${plain(username)}; kept in ${file}\n`,
    )
    if (around.env['MAPCRATE_KEY']) around.screen.note('MAPCRATE_KEY is set, and goes before it.')
  },
}

export const logoutCommand: UserCommand = {
  name: 'logout',
  details: `Deletes the address and the key that login has kept on this machine. The key itself stays valid:
to end it everywhere, revoke it on the /account page of the site.`,
  options: [],
  words: [],
  example: 'logout',
  async run(_call, around) {
    const file = await forgetCredentials(around)
    around.screen.out(file === null ? 'You were not logged in.\n' : `Logged out; deleted ${file}\n`)
    if (around.env['MAPCRATE_KEY']) {
      around.screen.note('MAPCRATE_KEY is set, and other commands go on using it.')
    }
  },
}

export const meCommand: UserCommand = {
  name: 'me',
  details: 'Says who owns the key, and where.',
  options: [jsonOption],
  words: [],
  example: 'me',
  moreExamples: ['mapcrate me --json'],
  async run(call, around) {
    const { client, site } = await connect(around)
    const user = await client.getMe()
    if (call.has('json')) return around.screen.json(user)
    around.screen.out(`${plain(user.username)}, player ${user.gameId}, at ${site}\n`)
  },
}
