import {
  FAILED_CODES_WINDOW_MS,
  FAILURES_PER_MINUTE,
  HOUR_MS,
  MINUTE_MS,
  NEW_KEYS_PER_HOUR,
  REQUESTS_PER_MINUTE,
  WRITES_PER_MINUTE,
} from '../../contract/quotas.ts'
import type { ServiceName } from '../../contract/services.ts'
import { batch } from '../../domain/loading.ts'
import type { Admission, Count, QuotaStore, Spent } from '../../ports/quotas.ts'
import { type Settled, ShareCounter, shareWindowsMs } from './memory.ts'

type Run = <R>(text: string, values: readonly unknown[]) => Promise<readonly R[]>

const windowsMs = { requests: MINUTE_MS, failures: MINUTE_MS, new_keys: HOUR_MS } as const

const FORGET_EACH_MS = 10 * MINUTE_MS
/** So few that a statement never takes long. */
const FORGOTTEN_AT_ONCE = 5_000

/**
 * Quotas counted in a table that all processes share, by the database's clock or the caller's (D-53).
 * Each call takes at most one statement, and one row holds everything about a name: exact under
 * concurrent calls.
 */
export function createPostgresQuotaStore(
  run: Run,
  {
    clock = 'database',
    caches = null,
  }: { readonly clock?: 'database' | 'caller'; readonly caches?: Carried } = {},
): QuotaStore {
  const timeOf = (now: number): number | null => (clock === 'caller' ? now : null)
  const admit = createAdmit(run, caches)
  let forgotAt: number | null = null

  /** Rows of windows that have passed mean nothing any more; no request waits until they are gone. */
  function forgetSometimes(now: number): void {
    if (forgotAt !== null && Math.abs(now - forgotAt) < FORGET_EACH_MS) return
    forgotAt = now
    // Another process does it as well; if not, the next time.
    forget(now).catch(() => {})
  }

  async function forget(now: number): Promise<void> {
    for (let gone = FORGOTTEN_AT_ONCE; gone === FORGOTTEN_AT_ONCE;) {
      const [row] = await run<{ gone: number }>(FORGET, [FORGOTTEN_AT_ONCE, timeOf(now)])
      gone = row?.gone ?? 0
    }
  }

  type Counter = readonly [kind: keyof typeof windowsMs, service: ServiceName, name: string]

  async function count(counter: Counter, quota: number, now: number): Promise<Count> {
    const values = [...counter, windowsMs[counter[0]], quota + 1, timeOf(now)]
    return counted(await run<Count>(COUNT, values))
  }

  async function look(counter: Counter, now: number): Promise<CountRow> {
    return counted(
      await run<CountRow>(SELECT_COUNTER, [...counter, windowsMs[counter[0]], timeOf(now)]),
    )
  }

  const shares = new ShareCounter((spendings, now) =>
    run<Settled>(SETTLE, [
      timeOf(now),
      spendings.map(({ kind }) => kind),
      spendings.map(({ service }) => service),
      spendings.map(({ name }) => name),
      spendings.map(({ kind }) => shareWindowsMs[kind]),
      spendings.map(({ spent }) => spent),
    ]),
  )

  return {
    admit(service, keyHash, isWrite, now) {
      forgetSometimes(now)
      return admit({ service, name: keyHash, isWrite, now: timeOf(now) })
    },

    async spend(service, accountId, isWrite, now) {
      forgetSometimes(now)
      const attempt = { service, name: accountId, isWrite, now: timeOf(now) }
      return toAdmission(counted(await run<SpentRow>(SPEND, valuesOf(attempt))), isWrite)
    },

    async spent(service, accountId, now) {
      const { resetMs, ...row } = await look(['requests', service, accountId], now)
      return { ...capped(row), resetMs }
    },

    countNewKey: (service, accountId, now) =>
      count(['new_keys', service, accountId], NEW_KEYS_PER_HOUR, now),

    async uncountNewKey(service, accountId, now) {
      const counter = ['new_keys', service, accountId, windowsMs.new_keys]
      await run(UNCOUNT, [...counter, NEW_KEYS_PER_HOUR, timeOf(now)])
    },

    async newKeys(service, accountId, now) {
      const { spent, resetMs } = await look(['new_keys', service, accountId], now)
      return { count: Math.min(spent, NEW_KEYS_PER_HOUR), resetMs }
    },

    countFailure: (service, address, now) =>
      count(['failures', service, address], FAILURES_PER_MINUTE, now),

    async failures(service, address, now) {
      const { spent, resetMs } = await look(['failures', service, address], now)
      return { count: spent, resetMs }
    },

    spendShare(share, cost, limit, now) {
      forgetSometimes(now)
      return shares.spend(share, cost, limit, now)
    },
  }
}

type CountRow = { readonly spent: number; readonly writes: number; readonly resetMs: number }

function counted<R>([row]: readonly R[]): R {
  if (row === undefined) throw new Error('The database has not counted')
  return row
}

/** Of a key's hash, or of an account; `now` is null for the time of the database's clock. */
type Attempt = Key & { readonly isWrite: boolean; readonly now: number | null }

type Key = { readonly service: ServiceName; readonly name: string }

/** Caches whose look goes along with each admission, so that what is asked next is answered from memory. */
type Carried = {
  readonly query: (mark: string, snapshot: string) => string
  /** The parameters of the query. */
  readonly seen: readonly [mark: string | null, snapshot: string | null]
  note(found: unknown): void
} | null

type SpentRow = CountRow & { readonly account_id: string; readonly touched?: unknown }

const QUOTAS = [REQUESTS_PER_MINUTE, WRITES_PER_MINUTE] as const
const MAX_BATCH = 16

/** Counts requests by the hash of their key; those that arrive together in one statement. */
function createAdmit(run: Run, caches: Carried): (attempt: Attempt) => Promise<Admission | null> {
  const besides = caches === null ? '' : `, ${caches.query('$7', '$8')} as touched`
  const [one, many] = [admit(besides), admitMany(besides)]
  return batch(
    (attempts: readonly Attempt[]): Promise<Admission | null>[] => {
      // One statement counts a key once: a key that comes twice is counted by one more.
      const firsts = attempts.filter(
        (attempt, at) =>
          attempt.now === attempts[0]?.now &&
          attempts.findIndex((each) => isOfKey(each, attempt)) === at,
      )
      const rows = firsts.length > 1 ? admitAll(run, many, firsts, caches) : null
      return attempts.map(async (attempt) => {
        if (rows === null || !firsts.includes(attempt)) return admitOne(run, one, attempt, caches)
        const row = (await rows).find((each) => isOfKey(each, attempt))
        return row === undefined ? null : toAdmission(row, attempt.isWrite)
      })
    },
    MAX_BATCH,
    setImmediate,
  )
}

function isOfKey(a: Key, b: Key): boolean {
  return a.name === b.name && a.service === b.service
}

async function admitAll(
  run: Run,
  statement: string,
  attempts: readonly Attempt[],
  caches: Carried,
): Promise<readonly (SpentRow & Key)[]> {
  // Always as many: PostgreSQL plans for a number of places, and anew for each that is smaller.
  const places = Array.from({ length: MAX_BATCH }, (_, at) => attempts[at])
  const rows = await run<SpentRow & Key>(statement, [
    ...QUOTAS,
    attempts[0]?.now ?? null,
    places.map((attempt) => attempt?.service ?? null),
    places.map((attempt) => attempt?.name ?? null),
    places.map((attempt) => attempt && Number(attempt.isWrite)),
    ...(caches?.seen ?? []),
  ])
  noteTouched(caches, rows)
  return rows
}

async function admitOne(
  run: Run,
  statement: string,
  attempt: Attempt,
  caches: Carried,
): Promise<Admission | null> {
  const values = [...valuesOf(attempt), ...(caches?.seen ?? [])]
  const rows = await run<SpentRow>(statement, values)
  noteTouched(caches, rows)
  return rows[0] === undefined ? null : toAdmission(rows[0], attempt.isWrite)
}

function noteTouched(caches: Carried, [row]: readonly SpentRow[]): void {
  if (row !== undefined) caches?.note(row.touched ?? null)
}

function valuesOf({ service, name, isWrite, now }: Attempt): readonly unknown[] {
  return [...QUOTAS, now, service, name, Number(isWrite)]
}

function toAdmission(row: SpentRow, isWrite: boolean): Admission {
  const refusedWrite = isWrite && row.writes > WRITES_PER_MINUTE
  return {
    accountId: row.account_id,
    spent: capped(row),
    resetMs: row.resetMs,
    refused: row.spent > REQUESTS_PER_MINUTE ? 'requests' : refusedWrite ? 'writes' : null,
  }
}

/** A count of one over its quota is reported as the quota. */
function capped({ spent, writes }: Omit<CountRow, 'resetMs'>): Spent {
  return {
    requests: Math.min(spent, REQUESTS_PER_MINUTE),
    writes: Math.min(writes, WRITES_PER_MINUTE),
  }
}

/** The time that windows are counted by: the parameter's, or, if null, the database's (D-53). */
function withClock(parameter: string): string {
  return `with clock as (
    select coalesce(
      ${parameter}::bigint, floor(extract(epoch from clock_timestamp()) * 1000)::bigint
    ) as now
  )`
}

/**
 * Whether a counter `q` is of the present. A clock that went back into the window before leaves it
 * as it is; further ahead it was counted by a clock that has been put right since.
 */
function isPresent(window: string): string {
  return `q.time_window between ${window} and ${window} + 1`
}

const IS_PRESENT = isPresent('excluded.time_window')

/** Where there is a counter, it becomes `spent`; one that is not of the present begins anew. */
function onConflict(spent: string): string {
  return `on conflict (kind, service, name) do update set
    time_window = case when ${IS_PRESENT} then q.time_window else excluded.time_window end,
    spent = case when ${IS_PRESENT} then ${spent} else greatest(excluded.spent, 0) end`
}

function resetMs(windowMs: string): string {
  return `((q.time_window + 1) * ${windowMs} - (select now from clock))::integer as "resetMs"`
}

/**
 * One more for a name in its window: `$1` kind, `$2` service, `$3` name, `$4` ms of a window, `$5`
 * the most there can be, `$6` the time or null. One over the quota means "refused" and is not counted
 * further.
 */
const COUNT = `
  ${withClock('$6')}
  insert into quota as q (kind, service, name, time_window, spent)
  select $1::text, $2::text, $3::text, now / $4::integer, 1 from clock
  ${onConflict('least(q.spent + 1, $5::integer)')}
  returning spent as count, ${resetMs('$4::integer')}`

/** One less, with the parameters of `COUNT`, but `$5` the quota: what was refused beyond it is not counted. */
const UNCOUNT = `
  ${withClock('$6')}
  update quota as q set spent = greatest(least(q.spent, $5::integer) - 1, 0) from clock
  where kind = $1 and service = $2 and name = $3 and ${isPresent('now / $4::integer')}`

/** How many there are: `$1` kind, `$2` service, `$3` name, `$4` ms of a window, `$5` the time or null. */
const SELECT_COUNTER = `
  ${withClock('$5')}
  select
    coalesce(q.spent, 0) as spent,
    coalesce(q.writes, 0) as writes,
    ((coalesce(q.time_window, now / $4::integer) + 1) * $4::integer - now)::integer as "resetMs"
  from clock left join quota as q
    on kind = $1 and service = $2 and name = $3 and ${isPresent('now / $4::integer')}`

/**
 * Adds to what was spent of many shares, each of them once: `$1` the time or null; arrays of kinds,
 * services, names, ms of a window, and points. Rows are locked in one order.
 */
const SETTLE = `
  ${withClock('$1')}, spending as (
    select * from unnest($2::text[], $3::text[], $4::text[], $5::integer[], $6::integer[])
      as spending (kind, service, name, window_ms, spent)
  ), settled as (
    insert into quota as q (kind, service, name, time_window, spent)
    select kind, service, name, now / window_ms, spent from spending, clock
    order by kind, service, name
    ${onConflict('greatest(q.spent + excluded.spent, 0)')}
    returning kind, service, name, spent, time_window
  )
  select kind, service, name, settled.spent,
    ((time_window + 1) * window_ms - now)::integer as "resetMs"
  from settled join spending using (kind, service, name), clock`

/**
 * At most `$1` rows that mean nothing any more: `$2` the time or null. Returns how many there were.
 * All at once could outlast the time that a statement is given, and so stay for ever.
 */
const FORGET = `
  ${withClock('$2')}, gone as (
    delete from quota where ctid = any(array(
      select ctid from quota, clock
      where case
        when kind in ('new_keys', 'new_beatmaps')
          then time_window not between now / 3600000 - 1 and now / 3600000 + 1
        when kind = 'failed_codes'
          then time_window not between now / ${FAILED_CODES_WINDOW_MS} - 1 and now / ${FAILED_CODES_WINDOW_MS} + 1
        else time_window not between now / 60000 - 2 and now / 60000 + 1
      end
      limit $1
      for update of quota skip locked
    ))
    returning 1
  )
  select count(*)::integer as gone from gone`

/**
 * Spends a request, and a write where `writes` is 1, of each account that `owners` names with its
 * service: `$1` and `$2` are the quotas of requests and writes, `$3` the time or null. A count of one
 * over its quota means "refused": a refused request leaves the writes alone (D-8).
 *
 * Rows are locked in one order, so that two of these never wait for each other.
 */
function spendOf(owners: string, besides = ''): string {
  return `
  insert into quota as q (kind, service, name, time_window, spent, writes)
  select 'requests', service, account_id, now / 60000, 1, writes from (${owners}) as owner, clock
  order by service, account_id
  ${onConflict('least(q.spent + 1, $1::integer + 1)')},
    writes = case
      when not ${IS_PRESENT} then excluded.writes
      when q.spent >= $1::integer then q.writes
      else least(q.writes + excluded.writes, $2::integer + 1)
    end
  returning service, name as account_id, spent, q.writes, ${resetMs('60000')}${besides}`
}

const ONE = '(select $4::text as service, $5::text as named, $6::integer as writes) as one'

/** A request of the account `$5`: `$4` service, `$6` 1 for a write. */
const SPEND = `${withClock('$3')} ${spendOf(`select service, named as account_id, writes from ${ONE}`)}`

/** The same of the account whose key has the hash `$5`; no row when there is no such key. */
const admit = (besides: string): string =>
  `${withClock('$3')} ${spendOf(
    `
  select service, account_id, one.writes from ${ONE} join api_key using (service)
  where hash = named`,
    besides,
  )}`

/** The same of many accounts, each once: `$4` to `$6` are arrays, whose empty places are null. */
const admitMany = (besides: string): string => `
  ${withClock('$3')}, owner as (
    select service, hash, account_id, writes
    from unnest($4::text[], $5::text[], $6::integer[]) as attempt (service, hash, writes)
    join api_key using (service, hash)
  ), counted as (${spendOf('select * from owner')})
  select service, hash as name, account_id, spent, counted.writes, "resetMs"${besides}
  from counted join owner using (service, account_id)`
