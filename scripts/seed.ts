// Fills the store that DATABASE_URL or DATA_DIR names with made-up public packs.
import { progressLine } from '../src/cli/progress-line.ts'
import { systemClock } from '../src/adapters/system.ts'
import { loadConfig } from '../src/main/config.ts'
import { describeError } from '../src/main/startup-error.ts'
import { storePlaceOf } from '../src/main/wire.ts'
import { atMost, readArguments, UsageError, wholeNumber } from './arguments.ts'
import { checkLists } from './seed/check-lists.ts'
import { fillStore, MOST_PACKS, MOST_PACKS_AN_ACCOUNT, type Wish } from './seed/fill-store.ts'
import { openBulkStore } from './seed/open-bulk-store.ts'

const BAR_WIDTH = 30
const USUAL_PACKS_AN_ACCOUNT = 10

const USAGE = 'npm run seed -- --packs N [--accounts M]'

const readWish = (): Wish =>
  readArguments(
    USAGE,
    { packs: { type: 'string' }, accounts: { type: 'string' } },
    ({ values, positionals }) => {
      atMost(0, positionals)
      if (values.packs === undefined) throw new UsageError('--packs says how many, and is missing')
      const packs = wholeNumber('--packs', values.packs, 1, MOST_PACKS)
      const usual = String(Math.ceil(packs / USUAL_PACKS_AN_ACCOUNT))
      const least = Math.ceil(packs / MOST_PACKS_AN_ACCOUNT)
      const accounts = wholeNumber('--accounts', values.accounts ?? usual, least, MOST_PACKS)
      return { packs, accounts }
    },
  )

const run = async (): Promise<void> => {
  const wish = readWish()
  const config = loadConfig()
  const store = await openBulkStore(config)
  const line = progressLine(process.stderr)
  const begun = performance.now()
  let before: number | null = null
  try {
    await fillStore(store, wish, systemClock.now(), (packs) => {
      before ??= packs
      const filled = Math.floor((BAR_WIDTH * packs) / wish.packs)
      const rate = Math.round((packs - before) / ((performance.now() - begun) / 1000))
      const bar = '█'.repeat(filled).padEnd(BAR_WIDTH, '░')
      line.show(`${bar} ${packs} of ${wish.packs} packs, ${rate}/s`)
    })
    line.show('counting the public list …')
    const packs = await checkLists(store)
    line.end()
    const seconds = ((performance.now() - begun) / 1000).toFixed(0)
    process.stdout.write(
      `${packs} packs of ${wish.accounts} accounts in ${storePlaceOf(config)}, after ${seconds} s\n`,
    )
  } finally {
    line.end()
    await store.close()
  }
}

try {
  await run()
} catch (error) {
  process.stderr.write(`seed: ${describeError(error)}\n`)
  process.exitCode = 1
}
