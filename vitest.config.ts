import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { compileTexts } from './scripts/compile-texts.mjs'
import { LongestFirst } from './test/support/longest-first.ts'
import { keepCompiledCode, useFolderInMemory } from './test/support/folder-in-memory.ts'

const shared = {
  setupFiles: [
    'test/support/same-draws.ts',
    'test/support/needs-assertions.ts',
    'test/support/any-row-order.ts',
  ],
  // Of what never comes. A machine may be so busy that everything takes ten times as long.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 30_000, interval: 50 } },
}

/** What can only be tried on PostgreSQL. */
const postgresOnly = ['test/postgres/*.test.ts', 'test/ports/postgres-*.test.ts']

useFolderInMemory()
keepCompiledCode()
await compileTexts()

export default defineConfig({
  test: {
    // Much of what a test does is waiting: for a page, a process, a disk.
    maxWorkers: availableParallelism() + 2,
    // No test changes what a module keeps: a worker loads the house once, not once for each file.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          ...shared,
          name: 'sqlite',
          include: ['test/**/*.test.ts'],
          exclude: postgresOnly,
          provide: { engine: 'sqlite' },
        },
      },
      {
        extends: true,
        test: {
          ...shared,
          name: 'postgres',
          include: [
            ...postgresOnly,
            'test/{api,ports/stores}/*.test.ts',
            'test/history/*.test.ts',
            'test/operations/{releases,tournaments}.test.ts',
            'test/client/{operations,pacing,retries,iterate-packs}.test.ts',
            'test/main/exported-metrics.test.ts',
            'test/stats/*.test.ts',
            'test/site/session*.test.ts',
            'test/site/{sign-in,published-assets,history-page,tournament-pages,atom}.test.ts',
            'test/hostile/{clock-steps,shares,site-gone,site-races,site-order}.test.ts',
            'test/hostile/{tournament-leaks,tournament-races,shared-round,drafts,search-queries}.test.ts',
          ],
          globalSetup: 'test/support/postgres-setup.ts',
          provide: { engine: 'postgres' },
        },
      },
    ],
  },
})
