-- A tournament's facts. Its drafts are in tables that nothing about packs reads.
create table tournament (
  slug text not null primary key,
  name text not null,
  short_name text,
  description text,
  ruleset text not null,
  year integer,
  rank_min integer,
  rank_max integer,
  link text,
  visibility text not null check (visibility in ('private', 'public')),
  announce_rounds integer not null check (announce_rounds in (0, 1)),
  hidden_at integer,
  hidden_reason text,
  created_at integer not null,
  updated_at integer not null,
  public_at integer not null, -- when what strangers see last changed
  mark integer not null -- random, new with each change of the tournament
) strict, without rowid;

create index tournament_public on tournament (public_at, slug)
where visibility = 'public' and hidden_at is null;

create table tournament_round (
  tournament text not null references tournament (slug) on delete cascade,
  id text not null,
  position integer not null, -- from 0
  name text not null,
  best_of integer,
  bans integer,
  pack_name text, -- null: the default name
  targets text, -- JSON
  slots text not null, -- JSON
  buckets text, -- JSON; null is the default table
  release_at integer, -- null when nothing is scheduled
  pack_slug text, -- the pack may be gone
  released text, -- JSON: what was released last; null without a pack
  version integer not null,
  created_at integer not null,
  updated_at integer not null,
  primary key (tournament, id),
  check ((pack_slug is null) = (released is null))
) strict, without rowid;

create index round_due on tournament_round (release_at, tournament, id)
where release_at is not null;

create unique index round_pack on tournament_round (pack_slug)
where pack_slug is not null;

create table tournament_staff (
  tournament text not null references tournament (slug) on delete cascade,
  account_id text not null references account (id) on delete cascade,
  role text not null check (role in ('host', 'pooler', 'tester', 'referee')),
  since integer not null,
  primary key (tournament, account_id)
) strict, without rowid;

create index staff_account on tournament_staff (account_id, role);

-- The newest 100 states of each draft, the present one included.
create table round_version (
  tournament text not null,
  round_id text not null,
  version integer not null,
  saved_at integer not null,
  saved_by text references account (id) on delete set null,
  content text not null, -- JSON
  primary key (tournament, round_id, version),
  foreign key (tournament, round_id) references tournament_round (tournament, id) on delete cascade
) strict, without rowid;

create index round_version_saver on round_version (saved_by)
where saved_by is not null;
