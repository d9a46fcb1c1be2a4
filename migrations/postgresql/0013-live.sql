-- Who has the workspace of a tournament open: unlogged, because a crash closes them all.
create unlogged table tournament_presence (
  id text collate "C" not null primary key,
  holder text collate "C" not null, -- the process that serves the stream
  tournament text collate "C" not null,
  account_id text collate "C" not null,
  round_id text collate "C", -- the one that they look at
  since bigint not null,
  seen_at bigint not null,
  foreign key (tournament, account_id)
    references tournament_staff (tournament, account_id) on delete cascade
);

create index presence_member on tournament_presence (tournament, account_id);
create index presence_holder on tournament_presence (holder);

-- Links by which one account joins the staff; they go when who made them leaves it.
create table tournament_invitation (
  id text collate "C" not null primary key,
  token_hash text collate "C" not null unique,
  tournament text collate "C" not null,
  role text collate "C" not null check (role in ('host', 'pooler', 'tester', 'referee')),
  created_by text collate "C" not null,
  created_at bigint not null,
  expires_at bigint not null,
  foreign key (tournament, created_by)
    references tournament_staff (tournament, account_id) on delete cascade
);

create index invitation_maker on tournament_invitation (tournament, created_by);

-- What was moderated; of a tournament, pack_name is its name.
alter table moderation_log add column subject text collate "C" not null default 'pack'
check (subject in ('pack', 'tournament'));
