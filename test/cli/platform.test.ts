import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSqliteStores } from '../../src/adapters/storage/sqlite/open.ts'
import { freshFolder, makeKey, runCli } from '../support/processes.ts'

const reason = 'POST /oauth/token answered 401: no such application; check PLATFORM_CLIENT_ID'

/** A store whose platform has refused a call, and its budget. */
const openFolder = async () => {
  const folder = await freshFolder()
  await mkdir(folder, { recursive: true })
  await makeKey(folder)
  const stores = await openSqliteStores(join(folder, 'mapcrate.db'))
  onTestFinished(() => stores.care.close())
  return { folder, budget: stores.callBudget, ratingWatch: stores.ratingWatch }
}

const failure = { call: 'POST /oauth/token', trouble: 'set-up', reason } as const
const stops = (askedUntil: number | null) => ({ calls: 'all', askedUntil }) as const

test('platform: before any call there is nothing to tell (D-92)', async () => {
  const { folder } = await openFolder()
  const { code, stdout } = await runCli(folder, ['platform'])
  expect(stdout).toMatch(/^game platform +a stand-in/)
  expect(stdout).toMatch(/^calls +0 in the last minute: .*; 50 left of 50$/m)
  expect(stdout).toMatch(/^pause +none$/m)
  expect(stdout).toMatch(/^last failure +none$/m)
  expect(stdout).toMatch(/^last answer +none yet$/m)
  expect(stdout).toMatch(/^last change of ratings +none seen$/m)
  expect(code).toBe(0)
})

test('platform: who has asked, the pause, cause and remedy, and the last answer (D-92)', async () => {
  const { folder, budget } = await openFolder()
  const now = Date.now()
  await budget.take('background', now)
  await budget.take('address 192.0.2.1', now)
  await budget.take('sign-in 192.0.2.2', now, 2)
  await budget.succeed('background', now - 7_200_000)
  await budget.fail(failure, now - 180_000, stops(now + 3_600_000))
  const { code, stdout } = await runCli(folder, ['platform'])
  expect(stdout).toMatch(
    /^calls +4 in the last minute: 1 for stats, 1 for visitors, 2 for sign-in; 46 left of 50$/m,
  )
  expect(stdout).toMatch(/^pause +since 20\S+Z \(3 minutes ago\), set-up: POST \/oauth\/token ans/m)
  expect(stdout).toMatch(/; the platform asked to wait until 20\S+Z; the next call is made as soon/)
  expect(stdout).toContain(`, set-up: ${reason}\n`)
  expect(stdout).toMatch(/^last answer +20\S+Z \(2 hours ago\)$/m)
  expect(stdout).not.toContain('192.0.2')
  expect(code).toBe(0)
})

test('platform --json: the same for programs', async () => {
  const { folder, budget, ratingWatch } = await openFolder()
  const now = Math.floor(Date.now() / 1_000) * 1_000
  const at = (time: number) => new Date(time).toISOString().replace('.000Z', 'Z')
  await budget.succeed('background', now - 1_000)
  const key = { beatmapId: 75, ruleset: 'base', mods: ['DT'] } as const
  await ratingWatch.finish([], [{ key, before: 3.61, after: 3.7 }], now - 3_000, now)
  await budget.fail(failure, now, stops(null))
  await budget.fail({ ...failure, trouble: 'throttled' }, now, {
    calls: 'tokens',
    askedUntil: null,
  })
  const { code, stdout } = await runCli(folder, ['platform', '--json'])
  expect(JSON.parse(stdout)).toEqual({
    url: null,
    calls: { background: 0, visitor: 0, signIn: 0, left: 50 },
    pause: {
      since: at(now),
      trouble: 'set-up',
      reason,
      askedUntil: null,
      nextCallAfter: at(now + 60_000),
    },
    noTokensUntil: at(now + 60_000),
    lastFailure: { ...failure, trouble: 'throttled', at: at(now) },
    lastAnswerAt: at(now - 1_000),
    ratingsChangedAt: at(now - 3_000),
  })
  expect(code).toBe(0)
})

test('platform --resume: ends a pause at once, for every process', async () => {
  const { folder, budget } = await openFolder()
  await budget.fail(failure, Date.now(), stops(Date.now() + 3_600_000))
  expect((await budget.take('background', Date.now())).granted).toBe(false)
  const resumed = await runCli(folder, ['platform', '--resume'])
  expect(resumed.stdout).toBe('the pause is over: the server makes calls again\n')
  expect(resumed.code).toBe(0)
  expect(await budget.take('background', Date.now())).toMatchObject({ granted: true })
  const again = await runCli(folder, ['platform', '--resume'])
  expect(again.stdout).toBe(
    'there was no pause; sign-ins that are held back are tried again, too\n',
  )
  const json = await runCli(folder, ['platform', '--resume', '--json'])
  expect(JSON.parse(json.stdout)).toMatchObject({ pause: null, lastFailure: { reason } })
})

test('platform: what it cannot do is said', async () => {
  const folder = await freshFolder()
  const missing = await runCli(folder, ['platform'])
  expect(missing.code).toBe(1)
  expect(missing.stderr).toContain('there is no store')
  expect((await runCli(folder, ['platform', 'now'])).code).toBe(2)
})
