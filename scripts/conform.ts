// `npm run conform -- PACKS_URL POOLS_URL PACKS_KEY POOLS_KEY`: tries an installation from outside, by HTTP alone
// and within its quotas, and removes what it has made. `--minutes N` (10), `--requests N`, `--seed N`, `--json`.
// The exit status is 1 where something was wrong or could not be tried, 2 where the command is wrong.
import { readFileSync } from 'node:fs'
import { atMost, readArguments, seedOf, UsageError, wholeNumber } from './arguments.ts'
import { runConformance } from './conform/run.ts'

const USAGE =
  'npm run conform -- PACKS_URL POOLS_URL PACKS_KEY POOLS_KEY [--minutes N] [--requests N] [--seed N] [--json]'
const MINUTES = 10
/** For the removal of what is left, in a minute of its own. */
const CLEAN_UP_MINUTES = 1

const options = {
  minutes: { type: 'string' },
  requests: { type: 'string' },
  seed: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const

const read = () =>
  readArguments(USAGE, options, ({ values, positionals }) => {
    const [packsUrl, poolsUrl, packsKey, poolsKey] = atMost(4, positionals)
    if (packsUrl === undefined || poolsUrl === undefined)
      throw new UsageError('both addresses are needed')
    if (packsKey === undefined || poolsKey === undefined)
      throw new UsageError('both keys are needed')
    const number = (name: 'minutes' | 'requests') =>
      values[name] === undefined ? undefined : wholeNumber(`--${name}`, values[name])
    const requests = number('requests')
    const minutes = number('minutes') ?? (requests === undefined ? MINUTES : undefined)
    const seed = seedOf('--seed', values.seed ?? String(Date.now()))
    return { packsUrl, poolsUrl, packsKey, poolsKey, requests, minutes, seed, json: values.json }
  })

const main = async (): Promise<void> => {
  const { requests = Infinity, minutes, json, ...rest } = read()
  const controller = new AbortController()
  if (minutes !== undefined) {
    const ms = 60_000 * Math.max(minutes - CLEAN_UP_MINUTES, 0.5)
    setTimeout(() => controller.abort(), ms).unref()
  }
  let isInterrupted = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isInterrupted) process.exit(130)
      isInterrupted = true
      console.error('Removing what was made. Once more: leave it and end at once.')
      controller.abort()
    })
  }
  const guide = readFileSync(new URL('../docs/api.md', import.meta.url), 'utf8')
  const report = await runConformance({ ...rest, requests, guide, signal: controller.signal })
  console.log(json ? JSON.stringify(report.json, null, 2) : `seed ${rest.seed}\n\n${report.text}`)
  if (isInterrupted) process.exitCode = 130
  else if (!report.isClean) process.exitCode = 1
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
