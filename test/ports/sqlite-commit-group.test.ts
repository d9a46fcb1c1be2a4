import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Line } from '../../src/adapters/storage/engine.ts'
import { CommitGroups } from '../../src/adapters/storage/sqlite/commits.ts'
import {
  type CommitGroup,
  SqliteConnection,
  SqliteTurn,
} from '../../src/adapters/storage/sqlite/connection.ts'

describe('transactions that share a commit', () => {
  let database: DatabaseSync
  let connection: SqliteConnection
  let groups: CommitGroups
  let line: Line

  beforeEach(() => {
    database = new DatabaseSync(':memory:')
    database.exec(`
      create table owner (id integer primary key);
      create table pack (owner references owner deferrable initially deferred);
      insert into owner values (1);
    `)
    connection = new SqliteConnection(database)
    line = new Line()
    groups = new CommitGroups(connection, line)
  })

  afterEach(() => database.close())

  const begin = async (): Promise<{ turn: SqliteTurn; group: CommitGroup }> => {
    const turn = new SqliteTurn(connection, Infinity, await line.enter())
    await groups.begin(turn)
    if (turn.group === null) throw new Error('not in a group')
    return { turn, group: turn.group }
  }

  const owners = () => database.prepare('select owner from pack').all()

  it('are in the store together, none before', async () => {
    const first = await begin()
    await first.turn.run('insert into pack values (1)')
    let acknowledged = false
    const committing = groups.commit(first.turn, first.group).then(() => (acknowledged = true))
    const second = await begin()
    expect(second.group).toBe(first.group)
    expect(acknowledged).toBe(false)
    await second.turn.run('insert into pack values (1)')
    await Promise.all([committing, groups.commit(second.turn, second.group)])
    expect(database.isTransaction).toBe(false)
    expect(owners()).toHaveLength(2)
  })

  it('end with their group: the next write begins another', async () => {
    const first = await begin()
    await groups.commit(first.turn, first.group)
    const second = await begin()
    expect(second.group).not.toBe(first.group)
    await groups.commit(second.turn, second.group)
  })

  it('do no harm to later ones when they learn that their commit has failed', async () => {
    const failed = await begin()
    await failed.turn.run('insert into pack values (404)')
    await expect(groups.commit(failed.turn, failed.group)).rejects.toThrow(/FOREIGN KEY/)
    const later = await begin()
    await later.turn.run('insert into pack values (1)')
    await groups.rollback(failed.turn, failed.group)
    await groups.commit(later.turn, later.group)
    expect(owners()).toEqual([{ owner: 1 }])
  })

  it('are all refused when the engine has undone them by itself', async () => {
    const first = await begin()
    await first.turn.run('insert into pack values (1)')
    const committing = groups.commit(first.turn, first.group)
    const refused = expect(committing).rejects.toThrow(/undid those that shared its commit/)
    const second = await begin()
    // What SQLite does when the disk is full.
    database.exec('rollback')
    await groups.rollback(second.turn, second.group)
    await refused
    const later = await begin()
    await groups.commit(later.turn, later.group)
    expect(owners()).toEqual([])
  })
})
