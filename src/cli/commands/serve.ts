import type { Command } from '../command.ts'
import { readNothing } from '../read-arguments.ts'

export const serveCommand: Command = {
  name: 'serve',
  takes: '',
  details: `Runs the packs service and the tournament-pools service until SIGTERM or SIGINT, as npm start
does. Addresses go to stdout, log lines (JSON) to stderr. The environment configures it; see
docs/configuration.md.`,
  example: 'serve',
  async run(args) {
    readNothing(args)
    // The other commands start faster without the web server in memory.
    const { serve } = await import('../../main/serve.ts')
    await serve()
  },
}
