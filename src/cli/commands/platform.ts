import { type PlatformReport, PROBE_EACH_MS, probeAt } from '../../domain/platform-state.ts'
import type { Config } from '../../main/config.ts'
import type { RatingsChange } from '../../ports/stats.ts'
import { refuseWords } from '../arguments.ts'
import { type Command, usageError } from '../program.ts'
import { withPorts } from './with-ports.ts'

export const platformCommand: Command = {
  details: `Show how the game platform answers the server: how many of the 50 calls a minute were made and for whom,
whether calls pause, the last failure with its cause and remedy, when the platform last answered, and when its ratings last changed.

While the platform asks to wait, is away or refuses this server, all calls pause but those of people who sign
in: one call a minute finds out whether the platform is back. --resume ends a pause at once, and lets sign-ins be
tried that are held back for a minute because everybody was refused.

--check finds out whether the platform answers as this software expects, with the configured
PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET: 12 calls, or 13 if the sites have two redirect addresses (the
second is made for each), named before they are made, out of the 50 a minute of this installation. What differs
is printed with what it means.
Nothing secret is printed. Exits 0 if all is as expected, 1 if not.`,
  options: [
    { name: 'check', about: 'compare what the platform answers with what is expected' },
    { name: 'json', about: 'print JSON' },
    { name: 'resume', about: 'let the server make calls again at once' },
  ],
  examples: [
    'mapcrate-server platform',
    'mapcrate-server platform --resume',
    'mapcrate-server platform --check',
  ],
  async run(call, io) {
    refuseWords(call)
    const { env, stdout } = io
    if (call.options.has('check')) {
      if (call.options.has('resume')) throw usageError('give --check or --resume, not both')
      const { checkPlatform } = await import('./platform-check.ts')
      return checkPlatform(io, call.options.has('json'))
    }
    await withPorts(env, 'refuse', async ({ callBudget, clock, ratingWatch }, config) => {
      if (call.options.has('resume')) {
        const wasPaused = await callBudget.resume(clock.now())
        if (!call.options.has('json')) {
          stdout.write(
            wasPaused
              ? 'the pause is over: the server makes calls again\n'
              : 'there was no pause; sign-ins that are held back are tried again, too\n',
          )
          return
        }
      }
      const report = await callBudget.report(clock.now())
      const state = { report, url: urlOf(config), ratings: await ratingWatch.lastChange() }
      stdout.write(
        call.options.has('json') ? `${JSON.stringify(asJson(state), null, 2)}\n` : asText(state),
      )
    })
  },
}

const urlOf = ({ platform }: Config): string | null => platform?.url ?? null

type State = {
  readonly report: PlatformReport
  /** null: a stand-in. */
  readonly url: string | null
  readonly ratings: RatingsChange | null
}

function asText({ report, url, ratings }: State): string {
  const { taken, left, lastFailure, lastSuccessAt, now } = report
  const made = taken.background + taken.visitor + taken['sign-in']
  const lines: readonly (readonly [string, string])[] = [
    ['game platform', url ?? 'a stand-in with made-up values, which runs with the server'],
    [
      'calls',
      `${made} in the last minute: ${taken.background} for stats, ${taken.visitor} for visitors, ` +
        `${taken['sign-in']} for sign-in; ${left} left of 50`,
    ],
    ['pause', pauseText(report)],
    ...(report.tokensStoppedAt === null
      ? []
      : [['tokens', `none until ${timeText(report.tokensStoppedAt + PROBE_EACH_MS)}`] as const]),
    [
      'last failure',
      lastFailure === null
        ? 'none'
        : `${timeText(lastFailure.at)} (${agoText(lastFailure.at, now)}), ${lastFailure.trouble}: ${lastFailure.reason}`,
    ],
    [
      'last answer',
      lastSuccessAt === null
        ? 'none yet'
        : `${timeText(lastSuccessAt)} (${agoText(lastSuccessAt, now)})`,
    ],
    [
      'last change of ratings',
      ratings === null
        ? 'none seen'
        : `${timeText(ratings.at)} (${agoText(ratings.at, now)}); recompute --status shows what is left to do`,
    ],
  ]
  return lines.map(([name, text]) => `${name.padEnd(22)}  ${text}\n`).join('')
}

function pauseText({ pause, now }: PlatformReport): string {
  if (pause === null) return 'none'
  const { since, askedUntil, trouble, reason } = pause
  const asked =
    askedUntil === null ? '' : `; the platform asked to wait until ${timeText(askedUntil)}`
  const next = probeAt(pause, now)
  const probe = next > now ? `after ${timeText(next)}` : 'as soon as one is needed'
  return `since ${timeText(since)} (${agoText(since, now)}), ${trouble}: ${reason}${asked}; the next call is made ${probe}`
}

function asJson({ report, url, ratings }: State) {
  const { pause, tokensStoppedAt, lastFailure, lastSuccessAt, taken, left, now } = report
  return {
    url,
    calls: { background: taken.background, visitor: taken.visitor, signIn: taken['sign-in'], left },
    pause: pause && {
      since: timeText(pause.since),
      trouble: pause.trouble,
      reason: pause.reason,
      askedUntil: pause.askedUntil && timeText(pause.askedUntil),
      nextCallAfter: timeText(probeAt(pause, now)),
    },
    noTokensUntil: tokensStoppedAt && timeText(tokensStoppedAt + PROBE_EACH_MS),
    lastFailure: lastFailure && { ...lastFailure, at: timeText(lastFailure.at) },
    lastAnswerAt: lastSuccessAt && timeText(lastSuccessAt),
    ratingsChangedAt: ratings && timeText(ratings.at),
  }
}

const timeText = (time: number): string => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z')

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

function agoText(time: number, now: number): string {
  const ms = Math.max(0, now - time)
  const [unit, length] = units.find((each) => ms >= each[1]) ?? units[3]
  const count = Math.floor(ms / length)
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`
}
