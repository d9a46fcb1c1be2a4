import type { Mutex } from '../engine.ts'
import type { CommitGroup, SqliteConnection, AcquiredConnection } from './connection.ts'

/**
 * Commits what is written in one go of the event loop together, because waiting for the disk costs
 * more than all else. Each transaction is a savepoint: it fails alone, and is acknowledged only
 * when all are on the disk.
 */
export class CommitGroups {
  readonly #connection: SqliteConnection
  readonly #mutex: Mutex
  readonly #checkFiles: () => void
  #open: CommitGroup | null = null

  /** @param checkFiles throws when what is committed would be lost. */
  constructor(connection: SqliteConnection, mutex: Mutex, checkFiles: () => void = () => {}) {
    this.#connection = connection
    this.#mutex = mutex
    this.#checkFiles = checkFiles
  }

  /** Begins a transaction within the open group; the first of a group takes the write lock. */
  async begin(acquired: AcquiredConnection): Promise<void> {
    acquired.group = this.#open ?? (await this.#openGroup(acquired))
    this.#connection.run('savepoint member')
  }

  async commit(acquired: AcquiredConnection, group: CommitGroup): Promise<void> {
    this.#connection.run('release member')
    group.hasWritten = true
    acquired.release()
    await group.ended
  }

  async rollback(acquired: AcquiredConnection, group: CommitGroup): Promise<void> {
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
    acquired.release()
    // What went wrong may rest on what the others wrote: wait until that is true.
    await group.ended.catch(() => {})
  }

  async #openGroup(acquired: AcquiredConnection): Promise<CommitGroup> {
    // A failing disk can make even a rollback fail; who comes next puts that right.
    this.#connection.rollback()
    await acquired.run('begin immediate')
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    promise.catch(() => {})
    const finish = (failure?: unknown) => (failure === undefined ? resolve() : reject(failure))
    const group = { ended: promise, finish, hasWritten: false }
    this.#open = group
    setImmediate(() => void this.#end(group))
    return group
  }

  async #end(group: CommitGroup): Promise<void> {
    const release = await this.#mutex.acquire()
    if (group === this.#open) {
      try {
        if (group.hasWritten) this.#checkFiles()
        this.#connection.run(group.hasWritten ? 'commit' : 'rollback')
        // Nothing is acknowledged that went into files which were taken away in that moment.
        if (group.hasWritten) this.#checkFiles()
        this.#open = null
        group.finish()
      } catch (error) {
        this.#undo(group, error)
      }
    }
    release()
  }

  #undo(group: CommitGroup, reason: unknown): void {
    this.#open = null
    group.finish(reason)
    try {
      this.#connection.rollback()
    } catch {
      // `#openGroup` tries again.
    }
  }
}
