import { MAX_CHANGES } from '../contract/bounds.ts'
import { AppError, goneMessage, refusal } from '../contract/errors.ts'
import { DAY_MS } from '../contract/quotas.ts'
import type { FeedEntry } from '../domain/changes.ts'
import { SerialFlight } from '../domain/loading.ts'
import type { Feed } from '../ports/changes.ts'
import type { Ports } from '../ports/ports.ts'
import { type After, PollLoop } from './poll-loop.ts'

/** How often the store is read while somebody waits. */
const POLL_MS = 200
/** Entries in memory, the newest ones: readers that keep up cost no query of their own. */
const HELD = 2_000
/** Entries that one request passes over at most; then its cursor moves, though it has seen none. */
const PASSED = 2_000
const PORTION = 500
/** The cursor of a reader that sees nothing moves after so long, before it is too old to be served. */
const STALE_MS = DAY_MS

export type ChangeRequest = {
  readonly accountId: string
  /** null: begins now. */
  readonly after: string | null
  /** How long to wait for a change. */
  readonly waitMs: number
  /** Calls back when the client is gone. */
  readonly whenClosed: (work: () => void) => void
}

/** What a request has found so far. */
type Reader<Change> = {
  readonly accountId: string
  readonly changes: Change[]
  /** Where the answer says that it continues. */
  cursor: string
  /** How far the request has read. */
  position: string
  passed: number
  /** When the first entry that was passed over was made; null before it. */
  passedSince: number | null
  /** There is one more change than an answer holds. */
  isFull: boolean
}

export type FeedParts<Entry extends FeedEntry, Change> = {
  readonly feed: Pick<Feed<Entry>, 'read' | 'readLast'>
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
  readonly #waiting = new Set<() => void>()
  readonly #loop: PollLoop
  #isStopped = false
  /** The newest entries, and the cursors of the one before them and of the last; null before the first poll. */
  #held: { entries: readonly Entry[]; before: string; newest: string } | null = null

  constructor({ feed, changeFor, clock }: FeedParts<Entry, Change>, after: After) {
    this.#feed = feed
    this.#changeFor = changeFor
    this.#clock = clock
    this.#after = after
    this.#loop = new PollLoop(after, {
      everyMs: POLL_MS,
      isNeeded: () => this.#waiting.size > 0,
      poll: () => this.#refresh(),
    })
  }

  /**
   * The changes after a cursor that the account may know, oldest first: everything that was confirmed
   * before the call; if that is nothing, what comes while it waits. `waitedMs` is for how long it has.
   * Throws `bad_request` for a cursor that was not received here, and `gone` for one that is too old.
   */
  async read({ accountId, after, waitMs, whenClosed }: ChangeRequest) {
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
      const reader = newReader<Change>(accountId, after ?? this.#endFor(accountId))
      for (let waitedMs = 0; ;) {
        await this.#catchUp(reader)
        const isAnswered = reader.changes.length > 0 || reader.passed >= PASSED
        if (isAnswered || isOver || this.#isStopped) return { page: this.#pageOf(reader), waitedMs }
        // In the turn in which the wait begins: no entry comes in between.
        if (reader.position !== this.#newest) continue
        const begun = this.#clock.now()
        await this.#untilWoken((resolve) => (wake = resolve))
        waitedMs += Math.max(0, this.#clock.now() - begun)
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
    if (this.#held === null) throw new Error('The feed of changes was not read')
    return this.#held.newest
  }

  /** Where the feed ends for the account: what it may not know moves that a day later, and no sooner. */
  #endFor(accountId: string): string {
    const since = this.#clock.now() - STALE_MS
    const isEnd = (entry: Entry): boolean =>
      entry.at < since || this.#changeFor(entry, accountId) !== null
    return this.#held?.entries.findLast(isEnd)?.cursor ?? this.#held?.before ?? this.#newest
  }

  /** Reads on until the reader is where the feed ends here, or its answer is complete. */
  async #catchUp(reader: Reader<Change>): Promise<void> {
    while (reader.position !== this.#newest && !reader.isFull && reader.passed < PASSED) {
      const held = this.#heldAfter(reader.position)
      if (held === null) {
        this.#pass(reader, await this.#readStore(reader.position))
        // The store may be ahead of the memory.
        await this.#refresh()
      } else this.#pass(reader, held)
    }
  }

  /** Takes up entries, up to the first change that the answer has no room for. */
  #pass(reader: Reader<Change>, entries: readonly Entry[]): void {
    reader.passedSince ??= entries[0]?.at ?? null
    for (const entry of entries) {
      if (reader.passed >= PASSED) return
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
      reader.passed += 1
    }
  }

  #pageOf(reader: Reader<Change>) {
    const { changes, position, passed, passedSince, isFull } = reader
    const isCut = !isFull && passed >= PASSED
    const isStale = passedSince !== null && passedSince < this.#clock.now() - STALE_MS
    const moves = isCut || (changes.length === 0 && isStale)
    return {
      changes,
      cursor: moves ? position : reader.cursor,
      more: isFull || (isCut && position !== this.#newest),
    }
  }

  #heldAfter(position: string): readonly Entry[] | null {
    if (this.#held === null) return null
    const { entries, before } = this.#held
    if (position === before) return entries
    const at = entries.findLastIndex(({ cursor }) => cursor === position)
    return at < 0 ? null : entries.slice(at + 1)
  }

  async #readStore(position: string): Promise<readonly Entry[]> {
    const portion = await this.#feed.read(position, PORTION)
    if (portion.outcome === 'read') {
      this.#holdEarlier(position, portion.entries)
      return portion.entries
    }
    if (portion.outcome === 'gone') throw new AppError('gone', goneMessage(portion.oldest))
    throw refusal(portion.outcome === 'future' ? 'cursorFromLater' : 'cursor')
  }

  /** Entries that lead to the held ones are held, too: after a restart, others will ask for them. */
  #holdEarlier(position: string, earlier: readonly Entry[]): void {
    if (this.#held === null || earlier.at(-1)?.cursor !== this.#held.before) return
    const entries = [...earlier, ...this.#held.entries]
    if (entries.length <= HELD) this.#held = { ...this.#held, entries, before: position }
  }

  /** Reads what has come; the read begins after this call, and concurrent calls share it. */
  #refresh(): Promise<void> {
    return this.#polls.run('', '', () => this.#poll())
  }

  async #poll(): Promise<void> {
    const held = this.#held
    const portion = held && (await this.#feed.read(held.newest, HELD))
    if (portion?.outcome === 'read' && portion.entries.length < HELD) {
      if (portion.entries.length === 0) return
      const all = [...this.#held!.entries, ...portion.entries]
      const before = all.at(-HELD - 1)?.cursor ?? this.#held!.before
      this.#held = { entries: all.slice(-HELD), before, newest: portion.newest }
    } else {
      // Begins anew: there was no reader for long, or commits were lost.
      this.#held = await this.#feed.readLast(HELD)
    }
    this.#wake()
  }

  /** Resolves when the feed has changed here, when the process begins to end, or at the given function. */
  #untilWoken(onWait: (wake: () => void) => void): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake)
        resolve()
      }
      this.#waiting.add(wake)
      onWait(wake)
      this.#loop.start()
    })
  }

  #wake(): void {
    for (const wake of this.#waiting) wake()
  }
}

function newReader<Change>(accountId: string, cursor: string): Reader<Change> {
  const found = { changes: [], passed: 0, passedSince: null, isFull: false }
  return { accountId, cursor, position: cursor, ...found }
}
