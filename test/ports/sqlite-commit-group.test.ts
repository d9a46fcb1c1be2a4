import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type AcquiredConnection,
  type CommitGroup,
  SqliteDriver,
} from '../../src/adapters/storage/sqlite/engine.ts'

describe('transactions that share a commit', () => {
  let database: DatabaseSync
  let driver: SqliteDriver

  beforeEach(() => {
    database = new DatabaseSync(':memory:')
    database.exec(`
      create table owner (id integer primary key);
      create table pack (owner references owner deferrable initially deferred);
      insert into owner values (1);
    `)
    driver = new SqliteDriver(database, Infinity, {})
  })

  afterEach(() => database.close())

  const begin = async (): Promise<{ acquired: AcquiredConnection; group: CommitGroup }> => {
    const acquired = await driver.acquireConnection()
    await driver.beginTransaction(acquired, {})
    if (acquired.group === null) throw new Error('not in a group')
    return { acquired, group: acquired.group }
  }

  const owners = () => database.prepare('select owner from pack').all()

  it('are in the store together, none before', async () => {
    const first = await begin()
    await first.acquired.run('insert into pack values (1)')
    let acknowledged = false
    const committing = driver.commitTransaction(first.acquired).then(() => (acknowledged = true))
    const second = await begin()
    expect(second.group).toBe(first.group)
    expect(acknowledged).toBe(false)
    await second.acquired.run('insert into pack values (1)')
    await Promise.all([committing, driver.commitTransaction(second.acquired)])
    expect(database.isTransaction).toBe(false)
    expect(owners()).toHaveLength(2)
  })

  it('fail alone, the first and those after it', async () => {
    const first = await begin()
    await first.acquired.run('insert into pack values (1)')
    await driver.rollbackTransaction(first.acquired)
    expect(database.isTransaction).toBe(false)
    const second = await begin()
    await second.acquired.run('insert into pack values (1)')
    const committing = driver.commitTransaction(second.acquired)
    const third = await begin()
    expect(third.group).toBe(second.group)
    await third.acquired.run('insert into pack values (1), (1)')
    await driver.rollbackTransaction(third.acquired)
    await committing
    expect(owners()).toHaveLength(1)
  })

  it('fail with those that are only to fail as the disk does', async () => {
    const first = await begin()
    await first.acquired.run('insert into pack values (1)')
    const refused = expect(driver.commitTransaction(first.acquired)).rejects.toThrow(/shared its/)
    const second = await driver.acquireConnection()
    await driver.beginTransaction(second, {}, false)
    expect(second.group).toBe(first.group)
    await second.run('insert into pack values (1)')
    await driver.rollbackTransaction(second)
    await refused
    expect(owners()).toEqual([])
    const later = await begin()
    await later.acquired.run('insert into pack values (1)')
    await driver.commitTransaction(later.acquired)
    expect(owners()).toHaveLength(1)
  })

  it('end with their group: the next write begins another', async () => {
    const first = await begin()
    await driver.commitTransaction(first.acquired)
    const second = await begin()
    expect(second.group).not.toBe(first.group)
    await driver.commitTransaction(second.acquired)
  })

  it('do no harm to later ones when they learn that their commit has failed', async () => {
    const failed = await begin()
    await failed.acquired.run('insert into pack values (404)')
    await expect(driver.commitTransaction(failed.acquired)).rejects.toThrow(/FOREIGN KEY/)
    const later = await begin()
    await later.acquired.run('insert into pack values (1)')
    await driver.rollbackTransaction(failed.acquired)
    await driver.commitTransaction(later.acquired)
    expect(owners()).toEqual([{ owner: 1 }])
  })

  it('are all refused when the engine has undone them by itself', async () => {
    const first = await begin()
    await first.acquired.run('insert into pack values (1)')
    const committing = driver.commitTransaction(first.acquired)
    const refused = expect(committing).rejects.toThrow(/undid those that shared its commit/)
    const second = await begin()
    // What SQLite does when the disk is full.
    database.exec('rollback')
    await driver.rollbackTransaction(second.acquired)
    await refused
    const later = await begin()
    await driver.commitTransaction(later.acquired)
    expect(owners()).toEqual([])
  })
})
