import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect, onTestFinished, test } from 'vitest'
import { killCyclesOnPostgres } from '../../bench/kill-cycles-postgres.ts'
import { restartCycles } from '../../bench/postgres-restarts.ts'
import { startCluster } from '../support/postgres-cluster.ts'
import { takeDatabase } from '../support/postgres-databases.ts'

// The long versions, with their figures, are `npm run kill-cycles -- --engine postgres`.
const ANSWER_MS = 5_000

test('nothing acknowledged is lost or doubled when one of two processes is killed under writes', async () => {
  const database = await takeDatabase()
  const faults: string[] = []
  const say = (fault: string) => void faults.push(fault)
  const count = await killCyclesOnPostgres(database.url, 3, undefined, say)
  expect(faults).toEqual([])
  expect(count.acknowledged).toBeGreaterThan(0)
  expect(count.interrupted).toBeGreaterThan(0)
  expect(count.lost).toBe(0)
  await database.giveBack()
})

test('nor when PostgreSQL crashes: all are answered within five seconds, and service resumes by itself', async () => {
  const cluster = await startCluster()
  onTestFinished(() => cluster.stop())
  const faults: string[] = []
  const say = (fault: string) => void faults.push(fault)
  const delay = monitorEventLoopDelay()
  delay.enable()
  const count = await restartCycles(cluster, 2, undefined, say)
  delay.disable()
  expect(faults).toEqual([])
  expect(count).toMatchObject({ lost: 0, unanswered: 0 })
  expect(count.failed).toBeGreaterThan(0)
  // What holds up this process, which asks and answers, is no waiting for the store.
  expect(count.slowestMs - delay.max / 1e6).toBeLessThan(ANSWER_MS)
})
