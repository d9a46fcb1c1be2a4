import type { PacksClient } from '../../client/packs.ts'
import { CURSOR_PATTERN } from '../../contract/bounds.ts'
import type { PackChange } from '../../contract/changes.ts'
import { usageError } from '../program.ts'
import { hasCode } from './errors.ts'
import { connect } from './service.ts'
import { type CliContext, jsonOption, type UserCommand } from './user-command.ts'

export const changesCommand: UserCommand = {
  details: `Print what happens to public packs and to your own, a line for each change: time, kind (created, changed,
hidden, shown or deleted), slug and cursor. --after continues after the change with that cursor; changes are
kept for 30 days. Without --after, changes begin now. The cursor to continue from is printed to stderr.

With --follow, wait for more changes until Ctrl+C; failures of the network and restarts of the service are
waited out, and no change is lost. With --json, print one line of JSON per change; without --follow, one
document with "changes" and "cursor".`,
  options: [
    { name: 'after', takes: 'CURSOR', about: 'continue after this change' },
    { name: 'follow', about: 'wait for more changes' },
    jsonOption,
  ],
  examples: [
    'mapcrate changes --follow',
    'mapcrate changes --follow --after Zm9vYmFyYmF6cXV4Y29ycw --json >> changes.jsonl',
    'cursor=$(mapcrate changes --json | jq -r .cursor)',
  ],
  async run(context) {
    const { options, screen } = context
    const after = readCursor(options.get('after'))
    const { client } = await connect(context)
    if (options.has('follow')) return follow(client, after, context)
    const found = await readAll(client, after)
    if (options.has('json')) return screen.json(found)
    printChanges(found.changes, context)
    noteCursor(found.cursor, context)
  },
}

function readCursor(text: string | undefined): string | undefined {
  if (text === undefined || new RegExp(CURSOR_PATTERN).test(text)) return text
  throw usageError(`--after "${text}" is no cursor; give one that mapcrate changes has printed`)
}

async function readAll(client: PacksClient, start: string | undefined) {
  const changes: PackChange[] = []
  for (let after = start; ;) {
    const page = await client.getChanges({ after })
    changes.push(...page.changes)
    if (!page.more) return { changes, cursor: page.cursor }
    after = page.cursor
  }
}

async function follow(client: PacksClient, start: string | undefined, context: CliContext) {
  // Known before the first change comes: a program that is stopped before it can continue, too.
  let after = start ?? (await client.getChanges()).cursor
  context.endUnread()
  context.screen.note('Waiting for changes; press Ctrl+C to stop.')
  try {
    for await (const change of client.followChanges({ after })) {
      printChanges([change], context)
      after = change.cursor
    }
  } catch (error) {
    if (!hasCode(error, 'gone')) noteCursor(after, context)
    // Ctrl+C is the regular end.
    if (!context.signal.aborted) throw error
  }
}

function printChanges(changes: readonly PackChange[], { options, screen }: CliContext): void {
  const lines = changes.map((change) => {
    if (options.has('json')) return `${JSON.stringify(change)}\n`
    const { at, kind, slug, cursor } = change
    return `${at}  ${kind.padEnd(LONGEST_KIND)}  ${slug}  ${cursor}\n`
  })
  screen.out(lines.join(''))
}

const LONGEST_KIND = 7

function noteCursor(cursor: string, { options, screen }: CliContext): void {
  const given = [...options.keys()].filter((name) => name !== 'after').map((name) => ` --${name}`)
  screen.note(`To continue: mapcrate changes${given.join('')} --after ${cursor}`)
}
