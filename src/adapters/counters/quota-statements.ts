/** Runs one statement by itself and gives its rows. */
export type Run = <R>(text: string, values: readonly unknown[]) => Promise<readonly R[]>

/**
 * One more for a name in its window: `$1` kind, `$2` service, `$3` name, `$4` window, `$5` the most
 * there can be. One over it stands for "refused" and is not counted further.
 */
export const COUNT = `
  insert into quota as q (kind, service, name, time_window, spent)
  values ($1, $2, $3, $4, 1)
  on conflict (kind, service, name) do update set
    time_window = greatest(q.time_window, excluded.time_window),
    spent = case when excluded.time_window > q.time_window then 1 else least(q.spent + 1, $5) end
  returning spent`

/** How many there are for a name, in this window or in a later one. */
export const LOOK = `
  select spent, writes from quota
  where kind = $1 and service = $2 and name = $3 and time_window >= $4`

/**
 * At most `$3` rows whose window has passed: `$1` minutes, `$2` hours. Gives how many there were. In
 * one go, a crowd of them would outlast the time that a statement is given, and so stay for ever.
 */
export const FORGET = `
  with gone as (
    delete from quota where ctid = any(array(
      select ctid from quota
      where case when kind = 'new_keys' then time_window < $2 else time_window < $1 end
      limit $3
      for update skip locked
    ))
    returning 1
  )
  select count(*)::integer as gone from gone`

/**
 * Spends a request, and a write where `writes` is 1, of each account that `whose` names with its
 * service and window: `$1` and `$2` are the quotas of requests and writes. A count of one over its
 * quota stands for "refused": a refused request leaves the writes alone (D-8).
 *
 * Rows are locked in one order, so that two of these never wait for each other.
 */
const spend = (whose: string): string => `
  insert into quota as q (kind, service, name, time_window, spent, writes)
  select 'requests', service, account_id, time_window, 1, writes from (${whose}) as owner
  order by service, account_id
  on conflict (kind, service, name) do update set
    time_window = greatest(q.time_window, excluded.time_window),
    spent = case
      when excluded.time_window > q.time_window then 1
      else least(q.spent + 1, $1::integer + 1)
    end,
    writes = case
      when excluded.time_window > q.time_window then excluded.writes
      when q.spent >= $1::integer then q.writes
      else least(q.writes + excluded.writes, $2::integer + 1)
    end
  returning service, name as account_id, spent, q.writes`

const ONE =
  '$3::text as service, $4::text as named, $5::bigint as time_window, $6::integer as writes'

/** A request of the account `$4`: `$3` service, `$5` window, `$6` 1 for a write. */
export const SPEND = spend(
  `select service, named as account_id, time_window, writes from (select ${ONE}) as one`,
)

/** The same of the account whose key has the hash `$4`; no row when it is nobody's. */
export const ADMIT = spend(`
  select service, account_id, time_window, one.writes
  from (select ${ONE}) as one join api_key using (service)
  where hash = named`)

/**
 * The same of many accounts, each of them once: all of `$3` to `$6` are arrays. Empty places are
 * null.
 */
export const ADMIT_ALL = `
  with owner as (
    select service, hash, account_id, time_window, writes
    from unnest($3::text[], $4::text[], $5::bigint[], $6::integer[])
      as knock (service, hash, time_window, writes)
    join api_key using (service, hash)
  ), counted as (${spend('select * from owner')})
  select service, hash, account_id, spent, counted.writes
  from counted join owner using (service, account_id)`
