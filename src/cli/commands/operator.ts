import { setTimeout as pause } from 'node:timers/promises'
import { timestamp } from '../../domain/quotas.ts'
import {
  checkNotice,
  checkReadOnlyReason,
  setNotice,
  setReadOnly,
} from '../../operations/operator.ts'
import type { Ports } from '../../main/wire.ts'
import { onlyWord, readBy } from '../arguments.ts'
import { CliError, type Command, usageError } from '../program.ts'
import { reasonOption } from './moderation.ts'
import { minute } from './accounts.ts'
import { withPorts } from './with-ports.ts'

export const noticeCommand: Command = {
  details: `Show a notice above every page of both sites, in place of the one before, until it is cleared: in running
servers within two seconds, and after each restart. It is one line of plain text with at most 300 characters,
of which emoji count as two; an address in it is no link. No answer of the API holds it. Without TEXT, print the
notice that is shown.`,
  options: [{ name: 'clear', about: 'end the notice' }],
  words: ['[TEXT]'],
  examples: [
    'mapcrate-server notice "Saturday from 20:00 to 21:00 UTC, the sites are down for an upgrade."',
    'mapcrate-server notice --clear',
  ],
  async run(call, { env, stdout }) {
    const isCleared = call.options.has('clear')
    if (isCleared && call.words.length > 0) throw usageError('give TEXT or --clear, not both')
    const text = call.words.length > 0 ? readBy(() => checkNotice(onlyWord(call, 'TEXT'))) : null
    await withPorts(env, 'refuse', async (ports) => {
      if (text === null && !isCleared) {
        stdout.write(await shownNotice(ports))
        return
      }
      const { notice, before } = await setNotice(ports, text)
      if (notice !== null) stdout.write(`shown on all pages from now on: ${notice.text}\n`)
      else stdout.write(before ? `cleared: ${before.text}\n` : 'there was no notice\n')
    })
  },
}

async function shownNotice({ operatorState }: Ports): Promise<string> {
  const { notice } = await operatorState.readState()
  if (notice === null) return 'there is no notice\n'
  return `since ${minute(timestamp(notice.since))} UTC: ${notice.text}\n`
}

/** Every process looks once a second; a statement may take two. */
const FOLLOWED_MS = 3_000

export const readOnlyCommand: Command = {
  details: `Let nothing be changed for a while, or everything again: before a move or a repair of the store, for example. While
it is on, every write of both APIs and of both sites is answered 503 with the reason and Retry-After, editors keep
what is not saved, all pages say so, and releases that are due wait; they are made when it ends. Reading, signing in
and out, stats and the commands of the operator work. What you give holds in every running server when the command ends,
after three seconds, and after each restart. A write that came before that may end up to a few seconds later. Without on or
off, print which it is.`,
  options: [{ ...reasonOption, about: 'reason for those who want to save something' }],
  words: ['[on|off]'],
  examples: [
    'mapcrate-server read-only on --reason "We are moving to another machine until 21:00 UTC."',
    'mapcrate-server read-only off',
  ],
  async run(call, { env, stdout }) {
    const isAsked = call.words.length === 0
    const word = isAsked ? null : onlyWord(call, 'on or off')
    const given = call.options.get('reason')
    if (word !== null && word !== 'on' && word !== 'off') {
      throw usageError(`"${word}" is not known; give on or off`)
    }
    if (given !== undefined && word !== 'on') throw usageError('--reason is for on alone')
    const reason = given === undefined ? given : readBy(() => checkReadOnlyReason(given))
    await withPorts(env, 'refuse', async (ports) => {
      if (word === null) {
        stdout.write(await shownMode(ports))
        return
      }
      const before = await setReadOnly(ports, word === 'on' ? { reason } : null)
      if (word === 'off' && before === null) {
        stdout.write('it was not read-only\n')
        return
      }
      await pause(FOLLOWED_MS)
      if (word === 'off') {
        stdout.write('everything can be changed again\n')
        return
      }
      const { readOnly } = await ports.operatorState.readState()
      if (readOnly === null) throw new CliError('somebody has ended it meanwhile; run it again')
      stdout.write(
        before
          ? `it was read-only already; ${reasonNow(before.reason, readOnly.reason)}\n`
          : 'nothing can be changed any more\n',
      )
    })
  },
}

/** What the call has made of the reason. */
function reasonNow(before: string | null, now: string | null): string {
  if (before === now) return now === null ? 'there is still no reason' : 'the reason is the same'
  return now === null ? 'there is no reason any more' : 'the reason is this one now'
}

async function shownMode({ operatorState }: Ports): Promise<string> {
  const { readOnly } = await operatorState.readState()
  if (readOnly === null) return 'off\n'
  const { since, reason } = readOnly
  return `on since ${minute(timestamp(since))} UTC${reason === null ? '' : `: ${reason}`}\n`
}
