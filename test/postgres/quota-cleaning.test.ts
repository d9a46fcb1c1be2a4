import { expect, test } from 'vitest'
import { createPostgresQuotaStore } from '../../src/adapters/counters/postgres.ts'
import { tempPostgresStore } from '../ports/temp-store.ts'
import { overConnection } from '../support/postgres-setup.ts'
import { until } from '../support/until.ts'

/** More than any one statement may remove: it would not be done in the time that it is given. */
const ROWS = 12_000

test('counters of windows that have passed go portion by portion, past those that somebody holds', async () => {
  const store = await tempPostgresStore()
  const { run } = await store.open()
  await run(
    `insert into quota (kind, service, name, time_window, spent)
     select 'failures', 'packs', 'address ' || n, 100, 1 from generate_series(1, $1::integer) as n`,
    [ROWS],
  )
  const newQuotas = () => createPostgresQuotaStore(run, { clock: 'caller' })
  const old = async (): Promise<string[]> => {
    const rows = await run<{ name: string }>('select name from quota where time_window = $1', [100])
    return rows.map(({ name }) => name)
  }
  await overConnection(store.url, async (other) => {
    await other.query("begin; select from quota where name = 'address 7000' for update")
    await newQuotas().spend('packs', 'ada', false, 200 * 60_000)
    await until(async () => (await old()).length === 1)
    expect(await old()).toEqual(['address 7000'])
    await other.query('rollback')
  })
  await newQuotas().spend('packs', 'ada', false, 200 * 60_000)
  await until(async () => (await old()).length === 0)
  expect(await run('select name from quota where time_window > $1', [100])).toEqual([
    { name: 'ada' },
  ])
  await store.remove()
})
