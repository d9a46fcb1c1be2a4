import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../contract/quotas.ts'
import type { LogEntry } from '../../contract/moderation.ts'
import { presentLogEntry } from '../../domain/moderation.ts'
import { readTime } from '../../contract/times.ts'
import { readLogSince } from '../../operations/moderation.ts'
import { refuseWords } from '../arguments.ts'
import { type Arguments, type Command, usageError } from '../program.ts'
import { jsonOption, minute } from './accounts.ts'
import { withPorts } from './with-ports.ts'

const DEFAULT_LIMIT = 50
const MOST = 100_000

export const logCommand: Command = {
  details: `Print the moderation log, the newest first: who hid, showed, pinned, suspended, appointed or deleted what or
whom, when and why. What was done by commands of the operator is in it, too. The name of a player or of a pack
is the one of that time, until the account is deleted.`,
  options: [
    {
      name: 'since',
      takes: 'TIME',
      about: 'from this time on: 2026-11-26, 2026-11-26T18:00:00Z, or 90m, 24h or 7d ago',
    },
    { name: 'limit', takes: 'N', about: `entries at most (default: ${DEFAULT_LIMIT})` },
    jsonOption,
  ],
  examples: ['mapcrate-server log --since 7d', 'mapcrate-server log --limit 1000 --json'],
  async run(call, { env, stdout }) {
    refuseWords(call)
    const limit = readLimit(call)
    const sinceOf = sinceReader(call.options.get('since'))
    const entries = await withPorts(env, 'refuse', async (ports) => {
      const found = await readLogSince(ports, sinceOf(ports.clock.now()), limit)
      return found.map(presentLogEntry)
    })
    if (call.options.has('json')) stdout.write(`${JSON.stringify({ entries }, null, 2)}\n`)
    else if (entries.length === 0) stdout.write('there is nothing in the log\n')
    else for (const entry of entries) stdout.write(`${line(entry)}\n`)
  },
}

function readLimit({ options }: Arguments): number {
  const word = options.get('limit') ?? String(DEFAULT_LIMIT)
  const limit = Number(word)
  if (/^[1-9]\d*$/.test(word) && limit <= MOST) return limit
  throw usageError(`--limit "${word}" is not understood; give a whole number from 1 to ${MOST}`)
}

const units = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS } as const

/** Returns what gives the time by the time now; null: from the beginning. */
function sinceReader(word: string | undefined): (now: number) => number | null {
  if (word === undefined) return () => null
  const [, amount, unit] = /^(\d{1,6})([mhd])$/.exec(word) ?? []
  if (amount !== undefined) return (now) => now - Number(amount) * units[unit as keyof typeof units]
  const time = readTime(/^\d{4}-\d\d-\d\d$/.test(word) ? `${word}T00:00:00Z` : word)
  if (time !== null) return () => time
  throw usageError(
    `--since "${word}" is no time; give a day as 2026-11-26, a time as 2026-11-26T18:00:00Z, or how long ago as 90m, 24h or 7d`,
  )
}

function line({ at, moderator, action, reason, subject, ...what }: LogEntry): string {
  const { slug, packName = '', gameId, username } = what
  const name = subject === 'player' ? (username ?? '') : packName
  const id = subject === 'player' ? gameId : slug
  const place = `${subject ?? 'pack'} ${id}${name === '' ? '' : ` (${name})`}`
  const why = reason === undefined ? '' : `: ${reason}`
  return `${minute(at)}  ${moderator ?? '(operator)'}  ${action} ${place}${why}`
}
