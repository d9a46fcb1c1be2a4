-- Where something was said; `mark` changes whenever something is.
create table round_discussion (
  tournament text collate "C" not null,
  round_id text collate "C" not null,
  mark integer not null,
  primary key (tournament, round_id),
  foreign key (tournament, round_id) references tournament_round (tournament, id) on delete cascade
);

-- Beatmaps that are proposed for slots.
create table candidate (
  tournament text collate "C" not null,
  round_id text collate "C" not null,
  id text collate "C" not null,
  number integer not null, -- in the order of the proposals
  mod text collate "C",
  slot_index integer not null,
  beatmap_id integer not null,
  note text collate "C",
  proposed_by text collate "C" references account (id) on delete set null,
  created_at bigint not null,
  primary key (tournament, round_id, id),
  foreign key (tournament, round_id) references tournament_round (tournament, id) on delete cascade
);

-- The same beatmap once for a slot; for slots without a bucket, too.
create unique index candidate_slot on candidate
  (tournament, round_id, slot_index, beatmap_id, coalesce(mod, ''));

create index candidate_account on candidate (proposed_by)
where proposed_by is not null;

-- Votes go with who leaves the staff.
create table candidate_vote (
  tournament text collate "C" not null,
  round_id text collate "C" not null,
  candidate text collate "C" not null,
  account_id text collate "C" not null,
  vote smallint not null check (vote in (-1, 1)),
  primary key (tournament, round_id, candidate, account_id),
  foreign key (tournament, round_id, candidate)
    references candidate (tournament, round_id, id) on delete cascade,
  foreign key (tournament, account_id)
    references tournament_staff (tournament, account_id) on delete cascade
);

create index vote_member on candidate_vote (account_id, tournament);

-- What is said of slots, and of rounds.
create table remark (
  tournament text collate "C" not null,
  round_id text collate "C" not null,
  id text collate "C" not null,
  number integer not null, -- in the order in which they were added
  mod text collate "C",
  slot_index integer, -- null: on the round as a whole
  text text collate "C" not null,
  written_by text collate "C" references account (id) on delete set null,
  is_settled smallint not null check (is_settled in (0, 1)),
  settled_by text collate "C" references account (id) on delete set null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (tournament, round_id, id),
  foreign key (tournament, round_id) references tournament_round (tournament, id) on delete cascade
);

create index remark_writer on remark (written_by)
where written_by is not null;

create index remark_settler on remark (settled_by)
where settled_by is not null;
