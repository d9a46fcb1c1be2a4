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
 * Spends a request and, with `$4` = 1, a write of the account that `whose` names: `$1` service,
 * `$3` window, `$5` and `$6` the quotas of requests and writes. A count of one over its quota stands
 * for "refused": a refused request leaves the writes alone (D-8).
 */
const spend = (whose: string): string => `
  insert into quota as q (kind, service, name, time_window, spent, writes)
  select 'requests', $1, account_id, $3::bigint, 1, $4::integer from (${whose}) as owner
  on conflict (kind, service, name) do update set
    time_window = greatest(q.time_window, excluded.time_window),
    spent = case
      when excluded.time_window > q.time_window then 1
      else least(q.spent + 1, $5::integer + 1)
    end,
    writes = case
      when excluded.time_window > q.time_window then excluded.writes
      when q.spent >= $5::integer then q.writes
      else least(q.writes + excluded.writes, $6::integer + 1)
    end
  returning name as account_id, spent, writes`

/** Whose key has the hash `$2`, and one of their requests spent, in one step. */
export const ADMIT = spend('select account_id from api_key where hash = $2 and service = $1')

/** A request of the account `$2`. */
export const SPEND = spend('select $2::text as account_id')
