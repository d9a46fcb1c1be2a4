import { TaggedCaches } from '../caches.ts'
import type { CacheTag, RunStatement } from '../engine.ts'

// Triggers of the database note what each transaction touches in a table, so that commits of every process, also of the
// version before, are told. Before something is taken from memory, the rows of it are read that were not visible to the
// last look: exact, in whatever order transactions commit. What admits a request brings them along.

/** What a look returns: the lifetime of the notes, how far it has seen, and what was touched since; null: cannot be told. */
export type Touched = readonly [mark: string, seen: string, tags: readonly CacheTag[] | null]

/** Another one after each start of the server as well: restored from a copy, it may have lost what was seen. */
const MARK = `mark || ' ' || extract(epoch from pg_postmaster_start_time())`

/** The last look, for the next one; nulls before the first. */
type Seen = readonly [mark: string | null, snapshot: string | null]

/** Reads a `Touched`; null when the notes are lost. Of `mark` and `snapshot`, the parameters of a `Seen`. */
function readTouched(mark: string, snapshot: string): string {
  return `(
    select json_build_array(${MARK}, pg_current_snapshot()::text, case
      when ${MARK} = ${mark}::text and pg_snapshot_xmin(${snapshot}::pg_snapshot) >= forgotten then (
        select coalesce(json_agg(tag), '[]') from touched cross join unnest(tags) as tag
        where tag is not null and xid >= pg_snapshot_xmin(${snapshot}::pg_snapshot)
          and not pg_visible_in_snapshot(xid, ${snapshot}::pg_snapshot))
      end)
    from touched_since)`
}

const SELECT_TOUCHED = `select ${readTouched('$1', '$2')} as touched`
const BEGIN = `insert into touched_since (mark) values (gen_random_uuid()::text) on conflict do nothing`

/** Notes are kept at least as long; who was away longer drops everything. */
const KEPT_MS = 60_000
/** So few that a statement never takes long. */
const FORGOTTEN_AT_ONCE = 10_000

/** Forgets what was committed before the snapshot of `$1` and `$2`, at most `$3` rows; returns how many there were. */
const FORGET = `
  with bound as (
    update touched_since set forgotten = greatest(forgotten, pg_snapshot_xmin($2::pg_snapshot))
    where ${MARK} = $1 returning forgotten
  ), gone as (
    delete from touched where ctid = any(array(
      select ctid from touched where xid < (select forgotten from bound) limit $3
      for update skip locked))
    returning 1
  )
  select count(*)::integer as gone from gone`

export class PostgresCaches extends TaggedCaches {
  readonly #run: RunStatement
  #seen: Seen = [null, null]
  #isCurrent = false
  #looking: Promise<void> | null = null
  /** What may be forgotten when it is old enough. */
  #kept: { readonly seen: Seen; readonly at: number } | null = null

  constructor(run: RunStatement) {
    super()
    this.#run = run
  }

  /** What a statement selects besides, for `note`; its parameters are those of `seen`. */
  readonly query = readTouched

  get seen(): Seen {
    return this.#seen
  }

  /**
   * Drops what a look has found. What is asked in the same turn as its answer, before the event loop goes on, has waited
   * for it: only to that may memory answer.
   */
  note(touched: Touched | null): void {
    const [mark, snapshot, tags] = touched ?? [null, null, null]
    if (tags === null || mark !== this.#seen[0]) this.touchAll()
    else this.touch(tags)
    this.#seen = [mark, snapshot]
    this.canKeep = touched !== null
    if (touched === null) return void this.#run(BEGIN, []).catch(() => {})
    this.#isCurrent = true
    process.nextTick(() => {
      this.#isCurrent = false
    })
    this.#forgetSometimes()
  }

  protected override look(isKept: boolean): Promise<void> | undefined {
    if (this.#isCurrent || (!isKept && this.canKeep)) return undefined
    // All who ask in one turn of the event loop share a look, which begins after they have asked.
    this.#looking ??= this.#lookAtEndOfTurn()
    return this.#looking
  }

  async #lookAtEndOfTurn(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    this.#looking = null
    const [row] = await this.#run<{ touched: Touched | null }>(SELECT_TOUCHED, this.#seen)
    this.note(row?.touched ?? null)
  }

  /** No request waits until they are gone, and another process does it as well. */
  #forgetSometimes(): void {
    const at = performance.now()
    const before = this.#kept
    if (before !== null && at - before.at < KEPT_MS) return
    this.#kept = { seen: this.#seen, at }
    if (before !== null) this.#forget(before.seen).catch(() => {})
  }

  async #forget(seen: Seen): Promise<void> {
    for (let gone = FORGOTTEN_AT_ONCE; gone === FORGOTTEN_AT_ONCE;) {
      const [row] = await this.#run<{ gone: number }>(FORGET, [...seen, FORGOTTEN_AT_ONCE])
      gone = row?.gone ?? 0
    }
  }
}
