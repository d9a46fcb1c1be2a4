import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Mutex } from '../../src/adapters/storage/engine.ts'
import { CommitGroups } from '../../src/adapters/storage/sqlite/commits.ts'
import {
  type CommitGroup,
  SqliteConnection,
  AcquiredConnection,
} from '../../src/adapters/storage/sqlite/connection.ts'

describe('transactions that share a commit', () => {
  let database: DatabaseSync
  let connection: SqliteConnection
  let groups: CommitGroups
  let mutex: Mutex

  beforeEach(() => {
    database = new DatabaseSync(':memory:')
    database.exec(`
      create table owner (id integer primary key);
      create table pack (owner references owner deferrable initially deferred);
      insert into owner values (1);
    `)
    connection = new SqliteConnection(database)
    mutex = new Mutex()
    groups = new CommitGroups(connection, mutex)
  })

  afterEach(() => database.close())

  const begin = async (): Promise<{ acquired: AcquiredConnection; group: CommitGroup }> => {
    const acquired = new AcquiredConnection(connection, Infinity, await mutex.acquire())
    await groups.begin(acquired)
    if (acquired.group === null) throw new Error('not in a group')
    return { acquired, group: acquired.group }
  }

  const owners = () => database.prepare('select owner from pack').all()

  it('are in the store together, none before', async () => {
    const first = await begin()
    await first.acquired.run('insert into pack values (1)')
    let acknowledged = false
    const committing = groups.commit(first.acquired, first.group).then(() => (acknowledged = true))
    const second = await begin()
    expect(second.group).toBe(first.group)
    expect(acknowledged).toBe(false)
    await second.acquired.run('insert into pack values (1)')
    await Promise.all([committing, groups.commit(second.acquired, second.group)])
    expect(database.isTransaction).toBe(false)
    expect(owners()).toHaveLength(2)
  })

  it('end with their group: the next write begins another', async () => {
    const first = await begin()
    await groups.commit(first.acquired, first.group)
    const second = await begin()
    expect(second.group).not.toBe(first.group)
    await groups.commit(second.acquired, second.group)
  })

  it('do no harm to later ones when they learn that their commit has failed', async () => {
    const failed = await begin()
    await failed.acquired.run('insert into pack values (404)')
    await expect(groups.commit(failed.acquired, failed.group)).rejects.toThrow(/FOREIGN KEY/)
    const later = await begin()
    await later.acquired.run('insert into pack values (1)')
    await groups.rollback(failed.acquired, failed.group)
    await groups.commit(later.acquired, later.group)
    expect(owners()).toEqual([{ owner: 1 }])
  })

  it('are all refused when the engine has undone them by itself', async () => {
    const first = await begin()
    await first.acquired.run('insert into pack values (1)')
    const committing = groups.commit(first.acquired, first.group)
    const refused = expect(committing).rejects.toThrow(/undid those that shared its commit/)
    const second = await begin()
    // What SQLite does when the disk is full.
    database.exec('rollback')
    await groups.rollback(second.acquired, second.group)
    await refused
    const later = await begin()
    await groups.commit(later.acquired, later.group)
    expect(owners()).toEqual([])
  })
})
