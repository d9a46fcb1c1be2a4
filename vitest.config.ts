import { defineConfig } from 'vitest/config'

const timeouts = {
  testTimeout: 30_000,
  hookTimeout: 30_000,
  // What a page shows a moment later is waited for, on a busy machine, too.
  expect: { poll: { timeout: 10_000, interval: 50 } },
}

/** What can only be tried on PostgreSQL. */
const postgresOnly = ['test/postgres/*.test.ts', 'test/ports/postgres-*.test.ts']

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...timeouts,
          name: 'sqlite',
          include: ['test/**/*.test.ts'],
          exclude: postgresOnly,
          provide: { engine: 'sqlite' },
        },
      },
      {
        test: {
          ...timeouts,
          name: 'postgres',
          include: [
            ...postgresOnly,
            'test/api/*.test.ts',
            'test/client/{operations,pacing,retries,iterate-packs}.test.ts',
            'test/stats/*.test.ts',
            'test/site/session*.test.ts',
            'test/site/{sign-in,published-assets}.test.ts',
            'test/hostile/{clock-steps,shares,site-gone,site-races,site-order}.test.ts',
          ],
          globalSetup: 'test/support/postgres-setup.ts',
          provide: { engine: 'postgres' },
        },
      },
    ],
  },
})
