-- Who has the workspace of a tournament open: what running processes share, of no use to a backup.
create table tournament_presence (
  id text not null primary key,
  holder text not null, -- the process that serves the stream
  tournament text not null,
  account_id text not null,
  round_id text, -- the one that they look at
  since integer not null,
  seen_at integer not null,
  foreign key (tournament, account_id)
    references tournament_staff (tournament, account_id) on delete cascade
) strict, without rowid;

create index presence_member on tournament_presence (tournament, account_id);
create index presence_holder on tournament_presence (holder);

-- Links by which one account joins the staff; they go when who made them leaves it.
create table tournament_invitation (
  id text not null primary key,
  token_hash text not null unique,
  tournament text not null,
  role text not null check (role in ('host', 'pooler', 'tester', 'referee')),
  created_by text not null,
  created_at integer not null,
  expires_at integer not null,
  foreign key (tournament, created_by)
    references tournament_staff (tournament, account_id) on delete cascade
) strict, without rowid;

create index invitation_maker on tournament_invitation (tournament, created_by);

-- What was moderated; of a tournament, pack_name is its name.
alter table moderation_log add column subject text not null default 'pack'
check (subject in ('pack', 'tournament'));
