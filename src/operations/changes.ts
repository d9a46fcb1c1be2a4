import { CHANGE_DAYS, MAX_CHANGES } from '../contract/bounds.ts'
import { AppError, goneMessage, refusal } from '../contract/errors.ts'
import { DAY_MS } from '../contract/quotas.ts'
import type { FeedEntry } from '../domain/changes.ts'
import { type Awaitable, BoundedMap, SerialFlight } from '../domain/loading.ts'
import type { Feed } from '../ports/changes.ts'
import type { Ports } from '../ports/ports.ts'
import { type After, PollLoop } from './poll-loop.ts'

/** How often the store is read while somebody waits. */
const POLL_INTERVAL_MS = 200
/** So often it is asked whether those who wait would still be admitted: each time that the store is read the fifth time. */
const POLLS_PER_ADMISSION = 5
/** Entries in memory, the newest ones: readers that keep up cost no query of their own. */
const BUFFER_SIZE = 2_000
const PORTION = MAX_CHANGES + 1
/** After so long, a change makes the cursors before it too old. */
const KEPT_MS = CHANGE_DAYS * DAY_MS
/** Readers of whom this process knows that they need not be told of anything up to some entry. */
const UP_TO_DATE = 10_000

type ChangeRequest = {
  readonly accountId: string
  /** null: begins now. */
  readonly after: string | null
  /** How long to wait for a change. */
  readonly waitMs: number
  /** Calls back when the client is gone. */
  readonly whenClosed: (work: () => void) => void
  /** Throws an `AppError` if the request would no longer be admitted. */
  readonly readmit: () => Awaitable<void>
}

/** A request that waits. */
type Waiting = Pick<ChangeRequest, 'readmit'> & {
  readonly wake: () => void
  /** Ends the wait, whether or not something has come. */
  readonly giveUp: () => void
}

/** What a request has found so far. */
type Reader<Change> = {
  readonly accountId: string
  readonly changes: Change[]
  /** Where the answer says that it continues: at what was sent, or the last change that it holds (D-74). */
  cursor: string
  /** How far the request has read. */
  position: string
  /** There is one more change than an answer holds. */
  isFull: boolean
}

export type FeedParts<Entry extends FeedEntry, Change> = {
  readonly feed: Pick<Feed<Entry>, 'read' | 'readLast' | 'readFor' | 'endFor'>
  /** An entry as the account may know it; null if it may not. */
  readonly changeFor: (entry: Entry, accountId: string) => Change | null
  readonly clock: Ports['clock']
}

/** A feed of changes for all readers of this process, with its newest entries in memory (D-73, D-89). */
export class ChangeHub<Entry extends FeedEntry, Change> {
  readonly #feed: FeedParts<Entry, Change>['feed']
  readonly #changeFor: FeedParts<Entry, Change>['changeFor']
  readonly #clock: Ports['clock']
  readonly #after: After
  readonly #polls = new SerialFlight()
  readonly #waiting = new Set<Waiting>()
  readonly #loop: PollLoop
  /** Up to where there is nothing for an account after a cursor of its own, which may be far back. */
  readonly #upTo = new BoundedMap<string, string>({ maxEntries: UP_TO_DATE })
  #isStopped = false
  #pollCount = 0
  /** The newest entries, and the cursors of the one before them and of the last; null before the first poll. */
  #buffer: { entries: readonly Entry[]; before: string; newest: string } | null = null

  constructor({ feed, changeFor, clock }: FeedParts<Entry, Change>, after: After) {
    this.#feed = feed
    this.#changeFor = changeFor
    this.#clock = clock
    this.#after = after
    this.#loop = new PollLoop(after, {
      everyMs: POLL_INTERVAL_MS,
      isNeeded: () => this.#waiting.size > 0,
      poll: async () => {
        await this.#refresh()
        this.#pollCount += 1
        if (this.#pollCount % POLLS_PER_ADMISSION === 0) await this.#dismiss()
      },
    })
  }

  /**
   * The changes after a cursor that the account may know, oldest first: everything that was confirmed
   * before the call; if that is nothing, what comes while it waits and is admitted. `waitedMs` is for how long it has
   * waited, by the clock, which may not have moved; undefined if it has not.
   * Throws `bad_request` for a cursor that was not received here, and `gone` where one of them is too old.
   * What the account may not know moves neither cursor nor outcome (D-74).
   */
  async read({ accountId, after, waitMs, whenClosed, readmit }: ChangeRequest) {
    let isOver = waitMs === 0
    let wake = (): void => {}
    const giveUp = (): void => {
      isOver = true
      wake()
    }
    const cancel = isOver ? giveUp : this.#after(waitMs, giveUp)
    whenClosed(giveUp)
    try {
      await this.#refresh()
      const reader = this.#newReader(accountId, after ?? (await this.#endFor(accountId)))
      for (let waitedMs: number | undefined; ;) {
        await this.#catchUp(reader)
        const { changes, cursor, isFull } = reader
        if (changes.length > 0 || isOver || this.#isStopped) {
          return { page: { changes, cursor, more: isFull }, waitedMs }
        }
        // In the turn in which the wait begins: no entry comes in between.
        if (reader.position !== this.#newest) continue
        const begun = this.#clock.now()
        await this.#untilWoken({ giveUp, readmit }, (resolve) => (wake = resolve))
        waitedMs = (waitedMs ?? 0) + Math.max(0, this.#clock.now() - begun)
      }
    } finally {
      cancel()
    }
  }

  /** Answers all who wait; later requests do not wait. */
  stop(): void {
    this.#isStopped = true
    this.#wake()
  }

  get #newest(): string {
    if (this.#buffer === null) throw new Error('The feed of changes was not read')
    return this.#buffer.newest
  }

  /** Where the feed ends for the account. */
  async #endFor(accountId: string): Promise<string> {
    const isEnd = (entry: Entry): boolean => this.#changeFor(entry, accountId) !== null
    return this.#buffer?.entries.findLast(isEnd)?.cursor ?? this.#feed.endFor(accountId)
  }

  #newReader(accountId: string, cursor: string): Reader<Change> {
    const position = this.#upTo.get(`${accountId} ${cursor}`) ?? cursor
    return { accountId, cursor, position, changes: [], isFull: false }
  }

  /** Reads on until the reader is where the feed ends here, or its answer is complete. */
  async #catchUp(reader: Reader<Change>): Promise<void> {
    const since = this.#clock.now() - KEPT_MS
    while (reader.position !== this.#newest && !reader.isFull) {
      const buffered = this.#bufferedAfter(reader.position)
      if (
        buffered === null ||
        (reader.changes.length === 0 && this.#isOld(reader, buffered, since))
      ) {
        await this.#passStored(reader, since)
        // The store may be ahead of the memory.
        await this.#refresh()
      } else this.#pass(reader, buffered)
    }
    if (reader.changes.length === 0 && reader.position !== reader.cursor) {
      this.#upTo.set(`${reader.accountId} ${reader.cursor}`, reader.position)
    }
  }

  /** Takes up entries, up to the first change that the answer has no room for. */
  #pass(reader: Reader<Change>, entries: readonly Entry[]): void {
    for (const entry of entries) {
      const change = this.#changeFor(entry, reader.accountId)
      if (change !== null && reader.changes.length === MAX_CHANGES) {
        reader.isFull = true
        return
      }
      if (change !== null) {
        reader.changes.push(change)
        reader.cursor = entry.cursor
      }
      reader.position = entry.cursor
    }
  }

  #bufferedAfter(position: string): readonly Entry[] | null {
    if (this.#buffer === null) return null
    const { entries, before } = this.#buffer
    if (position === before) return entries
    const at = entries.findLastIndex(({ cursor }) => cursor === position)
    return at < 0 ? null : entries.slice(at + 1)
  }

  /** Is the first change of these from before a time? Whether it is gone is for the store to say. */
  #isOld({ accountId }: Reader<Change>, entries: readonly Entry[], since: number): boolean {
    const first = entries.find((entry) => this.#changeFor(entry, accountId) !== null)
    return first !== undefined && first.at < since
  }

  /** Takes up what the store has for the reader. */
  async #passStored(reader: Reader<Change>, since: number): Promise<void> {
    const { accountId, position, cursor } = reader
    const portion = await this.#feed.readFor(accountId, position, PORTION, since)
    if (portion.outcome !== 'read' && position !== cursor) {
      // Commits were lost, or the change is old: the reader's own cursor says which.
      this.#upTo.delete(`${accountId} ${cursor}`)
      reader.position = cursor
      return
    }
    if (portion.outcome === 'gone') throw new AppError('gone', goneMessage(portion.oldest))
    if (portion.outcome !== 'read') {
      throw refusal(portion.outcome === 'future' ? 'cursorFromLater' : 'cursor')
    }
    this.#pass(reader, portion.entries)
    if (portion.entries.length < PORTION) reader.position = portion.newest
  }

  /** Reads what has come; the read begins after this call, and concurrent calls share it. */
  #refresh(): Promise<void> {
    return this.#polls.run('', '', () => this.#poll())
  }

  async #poll(): Promise<void> {
    const buffer = this.#buffer
    const portion = buffer && (await this.#feed.read(buffer.newest, BUFFER_SIZE))
    if (portion?.outcome === 'read' && portion.entries.length < BUFFER_SIZE) {
      if (portion.entries.length === 0) return
      const all = [...this.#buffer!.entries, ...portion.entries]
      const before = all.at(-BUFFER_SIZE - 1)?.cursor ?? this.#buffer!.before
      this.#buffer = { entries: all.slice(-BUFFER_SIZE), before, newest: portion.newest }
    } else {
      // Begins anew: there was no reader for long, or commits were lost.
      this.#buffer = await this.#feed.readLast(BUFFER_SIZE)
    }
    this.#wake()
  }

  /** Ends the wait of those who would not be admitted any more: their key has ended (spec 5). */
  async #dismiss(): Promise<void> {
    const dismissOne = async ({ readmit, giveUp }: Waiting): Promise<void> => {
      try {
        await readmit()
      } catch (error) {
        // A store that fails for a while says nothing of a key.
        if (error instanceof AppError) giveUp()
      }
    }
    await Promise.all(Array.from(this.#waiting, dismissOne))
  }

  /** Resolves when the feed has changed here, when the process begins to end, or at the given function. */
  #untilWoken(request: Omit<Waiting, 'wake'>, onWait: (wake: () => void) => void): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(waiting)
        resolve()
      }
      const waiting = { ...request, wake }
      this.#waiting.add(waiting)
      onWait(wake)
      this.#loop.start()
    })
  }

  #wake(): void {
    for (const { wake } of this.#waiting) wake()
  }
}
