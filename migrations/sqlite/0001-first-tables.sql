-- Times are milliseconds since the epoch, kept as integers.

create table account (
  id text not null primary key,
  game_id integer unique, -- null for the system account alone
  username text,
  created_at integer not null
) strict, without rowid;

-- The system account: it owns the tournament pools.
insert into account (id, game_id, username, created_at)
values ('tournament-pools', null, null, 0);

create table api_key (
  account_id text not null references account (id) on delete cascade,
  service text not null check (service in ('packs', 'pools')),
  hash text not null, -- SHA-256 of the whole key in base64url; the key itself is nowhere
  shown text not null,
  created_at integer not null,
  primary key (account_id, service)
) strict, without rowid;

create unique index api_key_hash on api_key (hash, service);

create table pack (
  id integer primary key autoincrement, -- grows with each new pack: orders packs saved in one millisecond
  slug text not null unique,
  owner_id text not null references account (id),
  name text not null,
  visibility text not null check (visibility in ('private', 'unlisted', 'public')),
  description text,
  slots text not null, -- JSON
  buckets text, -- JSON; null is the default table
  pack_key text not null,
  exports text not null, -- JSON
  hidden_at integer,
  pinned_rank integer,
  stats text, -- JSON; null until computed
  created_at integer not null,
  updated_at integer not null
) strict;

create index pack_owned on pack (owner_id, updated_at, id);

create index pack_public on pack (updated_at, id)
where visibility = 'public' and hidden_at is null;

create index pack_pinned on pack (pinned_rank)
where pinned_rank is not null;

-- The public list, counted in runs of neighbours: a listed pack belongs to the block with the
-- greatest start at or before its own (updated_at, id).
create table public_block (
  first_updated_at integer not null,
  first_id integer not null,
  size integer not null check (size >= 0),
  primary key (first_updated_at, first_id)
) strict, without rowid;

-- The block that every key is at or behind; it is never removed.
insert into public_block (first_updated_at, first_id, size)
values (0, 0, 0);
