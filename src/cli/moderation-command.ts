import { asOperator, type Moderating } from '../domain/moderation.ts'
import type { Ports } from '../main/wire.ts'
import type { Moderated } from '../operations/apply-verdict.ts'
import type { Command } from './command.ts'
import { readSlug, takeOption } from './read-arguments.ts'
import { withPorts } from './with-ports.ts'

/** What a moderation command says of the pack that it was called for. */
type Outcome = {
  /** After a change: `pinned`. */
  readonly done: string
  /** When the pack already was so: `was pinned already`. */
  readonly unchanged: string
  /** Whether the pack was so before. */
  readonly wasSo: (before: Moderated['before']) => boolean
}

/** A command that changes one pack as a moderator and reports what it changed, or that it changed nothing. */
export const moderationCommand = (
  words: Pick<Command, 'name' | 'details'> & Outcome,
  moderate: (ports: Ports, slug: string, by: Moderating) => Promise<Moderated>,
): Command => ({
  name: words.name,
  takes: '[--reason TEXT] SLUG',
  details: `${words.details}
The moderation log records the change, with the reason if one is given. SLUG may also be the address of
the pack's page.`,
  example: `${words.name} --reason "asked for by its owner" q7Jm2_xT0a`,
  async run(args) {
    const { value: reason, rest } = takeOption(args, 'reason')
    const slug = readSlug(rest)
    const by = asOperator(reason)
    const pack = await withPorts('refuse', (ports) => moderate(ports, slug, by))
    process.stdout.write(`${report(words, pack)}\n`)
  },
})

function report({ done, unchanged, wasSo }: Outcome, pack: Moderated): string {
  const { before, slug, name } = pack
  if (!wasSo(before)) {
    const isPinLost = before.pinnedRank !== null && pack.hiddenAt !== null
    return `${done} ${slug} (${name})${isPinLost ? ', which is no longer pinned' : ''}`
  }
  const isReasonNew = before.hiddenReason !== pack.hiddenReason
  return `${slug} (${name}) ${unchanged}; ${isReasonNew ? 'only the reason was changed' : 'nothing was changed'}`
}
