-- The packs' own rows are the queue of stats work.
alter table pack add column stats_due_at integer; -- null when there is nothing to do
alter table pack add column stats_lease_until integer not null default 0; -- 0 while nobody holds it
alter table pack add column stats_attempts integer not null default 0;

update pack set stats_due_at = updated_at;

create index pack_stats_due on pack (stats_due_at)
where stats_due_at is not null and stats_lease_until = 0;

create index pack_stats_held on pack (stats_lease_until)
where stats_lease_until > 0;

-- The search index reads public packs, newest created first.
create index pack_public_created on pack (created_at, slug)
where visibility = 'public' and hidden_at is null;

-- Single numbers that all processes share.
create table shared_number (
  name text not null primary key,
  value integer not null
) strict, without rowid;

insert into shared_number (name, value)
values ('index_version', 1), ('platform_paused_until', 0);

-- What the platform has said.
create table beatmap (
  id integer not null primary key,
  known_at integer not null,
  details text -- JSON; null when the beatmap is gone
) strict;

create table rating (
  beatmap_id integer not null,
  ruleset text not null,
  mods text not null, -- in order, joined by commas
  known_at integer not null,
  stars real, -- null when there are none: see verdict
  verdict text check (verdict in ('refused', 'gone')),
  primary key (beatmap_id, ruleset, mods),
  check ((stars is null) <> (verdict is null))
) strict, without rowid;

-- Calls to the platform within the last minute.
create table platform_call (
  id integer primary key autoincrement,
  at integer not null,
  caller text not null check (caller in ('background', 'visitor'))
) strict;
