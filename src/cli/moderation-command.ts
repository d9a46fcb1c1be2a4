import type { SavedPack } from '../domain/saved-pack.ts'
import type { Ports } from '../main/wire.ts'
import type { Command } from './command.ts'
import { readSlug } from './read-arguments.ts'
import { withPorts } from './with-ports.ts'

/** A command that changes one pack as a moderator and says what it did. */
export const moderationCommand = (
  words: Pick<Command, 'name' | 'details'> & { readonly done: string },
  moderate: (ports: Ports, slug: string) => Promise<SavedPack>,
): Command => ({
  name: words.name,
  takes: 'SLUG',
  details: words.details,
  example: `${words.name} q7Jm2_xT0a`,
  async run(args) {
    const slug = readSlug(args)
    const pack = await withPorts('refuse', (ports) => moderate(ports, slug))
    process.stdout.write(`${words.done} ${slug} (${pack.name})\n`)
  },
})
