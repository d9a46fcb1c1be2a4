-- A tournament's facts. Its drafts are in tables that nothing about packs reads.
create table tournament (
  slug text collate "C" not null primary key,
  name text collate "C" not null,
  short_name text collate "C",
  description text collate "C",
  ruleset text collate "C" not null,
  year integer,
  rank_min integer,
  rank_max integer,
  link text collate "C",
  visibility text collate "C" not null check (visibility in ('private', 'public')),
  announce_rounds smallint not null check (announce_rounds in (0, 1)),
  hidden_at bigint,
  hidden_reason text collate "C",
  created_at bigint not null,
  updated_at bigint not null,
  public_at bigint not null, -- when what strangers see last changed
  mark bigint not null -- random, new with each change of the tournament
);

create index tournament_public on tournament (public_at, slug)
where visibility = 'public' and hidden_at is null;

create table tournament_round (
  tournament text collate "C" not null references tournament (slug) on delete cascade,
  id text collate "C" not null,
  position integer not null, -- from 0
  name text collate "C" not null,
  best_of integer,
  bans integer,
  pack_name text collate "C", -- null: the default name
  targets text collate "C", -- JSON
  slots text collate "C" not null, -- JSON
  buckets text collate "C", -- JSON; null is the default table
  release_at bigint, -- null when nothing is scheduled
  pack_slug text collate "C", -- the pack may be gone
  released text collate "C", -- JSON: what was released last; null without a pack
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (tournament, id),
  check ((pack_slug is null) = (released is null))
);

create index round_due on tournament_round (release_at, tournament, id)
where release_at is not null;

create unique index round_pack on tournament_round (pack_slug)
where pack_slug is not null;

create table tournament_staff (
  tournament text collate "C" not null references tournament (slug) on delete cascade,
  account_id text collate "C" not null references account (id) on delete cascade,
  role text collate "C" not null check (role in ('host', 'pooler', 'tester', 'referee')),
  since bigint not null,
  primary key (tournament, account_id)
);

create index staff_account on tournament_staff (account_id, role);

-- The newest 100 states of each draft, the present one included.
create table round_version (
  tournament text collate "C" not null,
  round_id text collate "C" not null,
  version integer not null,
  saved_at bigint not null,
  saved_by text collate "C" references account (id) on delete set null,
  content text collate "C" not null, -- JSON
  primary key (tournament, round_id, version),
  foreign key (tournament, round_id) references tournament_round (tournament, id) on delete cascade
);

create index round_version_saver on round_version (saved_by)
where saved_by is not null;
