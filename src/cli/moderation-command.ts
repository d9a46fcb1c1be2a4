import { asOperator, type Moderating } from '../domain/moderating.ts'
import type { SavedPack } from '../domain/saved-pack.ts'
import type { Ports } from '../main/wire.ts'
import type { Command } from './command.ts'
import { readSlug, takeOption } from './read-arguments.ts'
import { withPorts } from './with-ports.ts'

/** A command that changes one pack as a moderator and says what it did. */
export const moderationCommand = (
  words: Pick<Command, 'name' | 'details'> & { readonly done: string },
  moderate: (ports: Ports, slug: string, by: Moderating) => Promise<SavedPack>,
): Command => ({
  name: words.name,
  takes: '[--reason TEXT] SLUG',
  details: `${words.details}
The moderation log keeps it, with the reason if one is given.`,
  example: `${words.name} --reason "asked for by its owner" q7Jm2_xT0a`,
  async run(args) {
    const { value: reason, rest } = takeOption(args, 'reason')
    const slug = readSlug(rest)
    const by = asOperator(reason)
    const pack = await withPorts('refuse', (ports) => moderate(ports, slug, by))
    process.stdout.write(`${words.done} ${slug} (${pack.name})\n`)
  },
})
