-- A scheduled release that takes slots without a beatmap as they are planned.
alter table tournament_round add column release_incomplete smallint not null default 0
check (release_incomplete in (0, 1));

-- 1: a slot that was released without a beatmap has one in the draft, which is to be released.
alter table tournament_round add column fill_due smallint check (fill_due = 1);

create index round_fill_due on tournament_round (tournament, id)
where fill_due is not null;

-- JSON: the release that was withdrawn last, whose slug the next one takes; null while there is a pack.
alter table tournament_round add column withdrawn text collate "C";

-- A deleted round is kept with all that was said of it, until it is restored or its time is up.
alter table tournament_round add column deleted_at bigint;
alter table tournament_round add column deleted_by text collate "C" references account (id) on delete set null;

create index round_deleted on tournament_round (deleted_at, tournament, id)
where deleted_at is not null;

create index round_deleter on tournament_round (deleted_by)
where deleted_by is not null;

-- The ids of the rounds that a member of the staff is limited to, as JSON; null: all, later ones too.
alter table tournament_staff add column rounds text collate "C";
alter table tournament_invitation add column rounds text collate "C";

-- The slug of the tournament that this one was made from.
alter table tournament add column copied_from text collate "C";

-- What changes after a release everybody can read.
update pack set history_public = 1
where slug in (select pack_slug from tournament_round where pack_slug is not null);
