import type { Line } from '../engine.ts'
import type { CommitGroup, SqliteConnection, SqliteTurn } from './connection.ts'

/**
 * Commits what is written in one go of the event loop together, because waiting for the disk costs
 * more than all else. Each transaction is a savepoint: it fails alone, and is acknowledged only
 * when all are on the disk.
 */
export class CommitGroups {
  readonly #connection: SqliteConnection
  readonly #line: Line
  readonly #checkFiles: () => void
  #open: CommitGroup | null = null

  /** @param checkFiles throws when what is committed would be lost. */
  constructor(connection: SqliteConnection, line: Line, checkFiles: () => void = () => {}) {
    this.#connection = connection
    this.#line = line
    this.#checkFiles = checkFiles
  }

  /** Begins a transaction within the open group; the first of a group takes the write lock. */
  async begin(turn: SqliteTurn): Promise<void> {
    turn.group = this.#open ?? (await this.#openGroup(turn))
    this.#connection.run('savepoint member')
  }

  async commit(turn: SqliteTurn, group: CommitGroup): Promise<void> {
    this.#connection.run('release member')
    group.hasWritten = true
    turn.end()
    await group.ended
  }

  async rollback(turn: SqliteTurn, group: CommitGroup): Promise<void> {
    // Behind a commit that failed there is nothing left to undo, and others may be at work.
    if (group !== this.#open) return
    try {
      this.#connection.run('rollback to member')
      this.#connection.run('release member')
    } catch (cause) {
      // On a full disk SQLite has undone the whole group by itself.
      this.#undo(
        group,
        new Error('A write failed and undid those that shared its commit', { cause }),
      )
    }
    turn.end()
    // What went wrong may rest on what the others wrote: wait until that is true.
    await group.ended.catch(() => {})
  }

  async #openGroup(turn: SqliteTurn): Promise<CommitGroup> {
    // A failing disk can make even a rollback fail; who comes next puts that right.
    this.#connection.rollback()
    await turn.run('begin immediate')
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    promise.catch(() => {})
    const settle = (failure?: unknown) => (failure === undefined ? resolve() : reject(failure))
    const group = { ended: promise, settle, hasWritten: false }
    this.#open = group
    setImmediate(() => void this.#end(group))
    return group
  }

  async #end(group: CommitGroup): Promise<void> {
    const leave = await this.#line.enter()
    if (group === this.#open) {
      try {
        if (group.hasWritten) this.#checkFiles()
        this.#connection.run(group.hasWritten ? 'commit' : 'rollback')
        // Nothing is acknowledged that went into files which were taken away in that moment.
        if (group.hasWritten) this.#checkFiles()
        this.#open = null
        group.settle()
      } catch (error) {
        this.#undo(group, error)
      }
    }
    leave()
  }

  #undo(group: CommitGroup, reason: unknown): void {
    this.#open = null
    group.settle(reason)
    try {
      this.#connection.rollback()
    } catch {
      // `#openGroup` tries again.
    }
  }
}
