import { allRoles, type Role, roles } from '../../main/roles.ts'
import { type Command, Misuse } from '../command.ts'
import { readNothing, takeOption } from '../read-arguments.ts'

const readRoles = (text: string): ReadonlySet<Role> =>
  new Set(
    text.split(',').map((word) => {
      const role = roles.find((known) => known === word.trim())
      if (role !== undefined) return role
      throw new Misuse(`--role "${word}" is not known; give some of ${roles.join(', ')}`)
    }),
  )

export const serveCommand: Command = {
  name: 'serve',
  takes: '[--role ROLE,…]',
  details: `Runs the packs service, the tournament-pools service and their sites until SIGTERM or SIGINT, as
npm start does. Addresses go to stdout, log lines (JSON) to stderr. The environment configures it; see
docs/configuration.md. Where several processes share a database, --role says what this one does, as one or
more of these, separated by commas: api, the packs service's API, and site, the website with the search
index, both on PORT; pools, the tournament-pools service with its account page; worker, which computes
stats and builds the search index, and listens nowhere. At least one process must be a worker.`,
  example: 'serve',
  async run(args) {
    const { value, rest } = takeOption(args, 'role')
    readNothing(rest)
    const chosen = value === undefined ? allRoles : readRoles(value)
    // The other commands start faster without the web server in memory.
    const { serve } = await import('../../main/serve.ts')
    await serve(chosen)
  },
}
