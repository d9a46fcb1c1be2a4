import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { openSqliteStores } from '../../src/adapters/storage/sqlite/open.ts'
import { freshFolder } from '../support/processes.ts'
import { onSqlite } from '../support/test-stores.ts'
import { seedSuite } from './seed.suite.ts'

seedSuite('SQLite', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'mapcrate-seed-'))
  const file = join(dataDir, 'mapcrate.db')
  return {
    dataDir,
    databaseUrl: null,
    open: async () => onSqlite(file, await openSqliteStores(file)),
    remove: () => rm(dataDir, { recursive: true, force: true }),
  }
})

/** `npm run seed`, without npm. */
const seed = (
  dataDir: string,
  ...args: string[]
): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    const script = fileURLToPath(new URL('../../scripts/seed.ts', import.meta.url))
    const options = { env: { PATH: process.env['PATH'], DATA_DIR: dataDir } }
    execFile(process.execPath, [script, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    })
  })

describe('npm run seed', () => {
  it('fills the store that is configured, and shows how far it has come', async () => {
    const folder = await freshFolder()
    const { code, stdout, stderr } = await seed(folder, '--packs', '200')
    expect(stderr).toMatch(/^█+ 200 of 200 packs, \d+\/s\n/)
    expect(stdout).toMatch(/^200 packs of 20 accounts in .*mapcrate\.db, after \d+ s\n$/)
    expect(code).toBe(0)
  })

  it('says what to give it instead', async () => {
    const folder = await freshFolder()
    const cases = [
      [[], '--packs says how many, and is missing'],
      [['--packs', '0'], '--packs is "0"; give a whole number from 1 to 3000000'],
      [['--packs', '1e3'], '--packs is "1e3"; give'],
      [['--packs', '21', '--accounts', '1'], '--accounts is "1"; give a whole number from 2 to'],
      [['--pakcs', '21'], "Unknown option '--pakcs'"],
    ] as const
    const ends = await Promise.all(cases.map(([args]) => seed(folder, ...args)))
    for (const [at, end] of ends.entries()) {
      expect(end).toMatchObject({ code: 2, stdout: '' })
      expect(end.stderr).toContain(cases[at]?.[1])
    }
  })
})
