/** Runs one statement by itself and gives its rows. */
export type Run = <R>(text: string, values: readonly unknown[]) => Promise<readonly R[]>

/**
 * The time that windows are counted by, ms since the epoch: the database's clock, which all processes
 * share (D-53), unless the parameter gives another one.
 */
const clock = (parameter: string): string => `
  select coalesce(
    ${parameter}::bigint,
    floor(extract(epoch from clock_timestamp()) * 1000)::bigint
  ) as now`

/**
 * Whether a counter `q` is of the present. A clock that went back into the window before leaves it
 * as it is; further ahead it was counted by a clock that has been put right since.
 */
const isPresent = (window: string): string => `q.time_window between ${window} and ${window} + 1`

const resetMs = (windowMs: string): string =>
  `((q.time_window + 1) * ${windowMs} - (select now from clock))::integer as "resetMs"`

/**
 * One more for a name in its window: `$1` kind, `$2` service, `$3` name, `$4` ms of a window, `$5`
 * the most there can be, `$6` the time or null. One over it stands for "refused" and is not counted
 * further.
 */
export const COUNT = `
  with clock as (${clock('$6')})
  insert into quota as q (kind, service, name, time_window, spent)
  select $1::text, $2::text, $3::text, now / $4::integer, 1 from clock
  on conflict (kind, service, name) do update set
    time_window = case
      when ${isPresent('excluded.time_window')} then q.time_window else excluded.time_window
    end,
    spent = case
      when ${isPresent('excluded.time_window')} then least(q.spent + 1, $5::integer) else 1
    end
  returning spent, ${resetMs('$4::integer')}`

/** How many there are for a name: `$1` kind, `$2` service, `$3` name, `$4` ms of a window, `$5` the time or null. */
export const LOOK = `
  with clock as (${clock('$5')})
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
export const SETTLE = `
  with clock as (${clock('$1')}), spending as (
    select * from unnest($2::text[], $3::text[], $4::text[], $5::integer[], $6::integer[])
      as spending (kind, service, name, window_ms, spent)
  ), settled as (
    insert into quota as q (kind, service, name, time_window, spent)
    select kind, service, name, now / window_ms, spent from spending, clock
    order by kind, service, name
    on conflict (kind, service, name) do update set
      time_window = case
        when ${isPresent('excluded.time_window')} then q.time_window else excluded.time_window
      end,
      spent = case
        when ${isPresent('excluded.time_window')} then q.spent + excluded.spent
        else excluded.spent
      end
    returning kind, service, name, spent, time_window
  )
  select kind, service, name, settled.spent,
    ((time_window + 1) * window_ms - now)::integer as "resetMs"
  from settled join spending using (kind, service, name), clock`

/**
 * At most `$1` rows that mean nothing any more: `$2` the time or null. Gives how many there were. In
 * one go, a crowd of them would outlast the time that a statement is given, and so stay for ever.
 */
export const FORGET = `
  with clock as (${clock('$2')}), gone as (
    delete from quota where ctid = any(array(
      select ctid from quota, clock
      where case
        when kind in ('new_keys', 'new_beatmaps')
          then time_window not between now / 3600000 - 1 and now / 3600000 + 1
        else time_window not between now / 60000 - 2 and now / 60000 + 1
      end
      limit $1
      for update of quota skip locked
    ))
    returning 1
  )
  select count(*)::integer as gone from gone`

/**
 * Spends a request, and a write where `writes` is 1, of each account that `whose` names with its
 * service: `$1` and `$2` are the quotas of requests and writes, `$3` the time or null. A count of one
 * over its quota stands for "refused": a refused request leaves the writes alone (D-8).
 *
 * Rows are locked in one order, so that two of these never wait for each other.
 */
const spend = (whose: string): string => `
  insert into quota as q (kind, service, name, time_window, spent, writes)
  select 'requests', service, account_id, now / 60000, 1, writes from (${whose}) as owner, clock
  order by service, account_id
  on conflict (kind, service, name) do update set
    time_window = case
      when ${isPresent('excluded.time_window')} then q.time_window else excluded.time_window
    end,
    spent = case
      when ${isPresent('excluded.time_window')} then least(q.spent + 1, $1::integer + 1) else 1
    end,
    writes = case
      when not ${isPresent('excluded.time_window')} then excluded.writes
      when q.spent >= $1::integer then q.writes
      else least(q.writes + excluded.writes, $2::integer + 1)
    end
  returning service, name as account_id, spent, q.writes, ${resetMs('60000')}`

const ONE = '$4::text as service, $5::text as named, $6::integer as writes'

/** A request of the account `$5`: `$4` service, `$6` 1 for a write. */
export const SPEND = `with clock as (${clock('$3')}) ${spend(
  `select service, named as account_id, writes from (select ${ONE}) as one`,
)}`

/** The same of the account whose key has the hash `$5`; no row when it is nobody's. */
export const ADMIT = `with clock as (${clock('$3')}) ${spend(`
  select service, account_id, one.writes
  from (select ${ONE}) as one join api_key using (service)
  where hash = named`)}`

/**
 * The same of many accounts, each of them once: all of `$4` to `$6` are arrays. Empty places are
 * null.
 */
export const ADMIT_ALL = `
  with clock as (${clock('$3')}), owner as (
    select service, hash, account_id, writes
    from unnest($4::text[], $5::text[], $6::integer[]) as knock (service, hash, writes)
    join api_key using (service, hash)
  ), counted as (${spend('select * from owner')})
  select service, hash, account_id, spent, counted.writes, "resetMs"
  from counted join owner using (service, account_id)`
