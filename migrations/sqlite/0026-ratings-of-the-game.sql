-- How many answers in a row have said that the platform has no rating with these mods.
alter table rating add column nones integer not null default 0;

update rating set nones = 1 where verdict is not null;

-- When facts of a pack are to be asked for again that the platform did not have; null when it had all.
alter table pack add column ask_again_at integer;

create index pack_ask_again on pack (ask_again_at)
where ask_again_at is not null;

-- The beatmaps whose ratings are compared each day, as they were when they changed last.
create table canary_rating (
  beatmap_id integer not null,
  ruleset text not null,
  mods text not null, -- in order, joined by commas
  stars real not null,
  primary key (beatmap_id, ruleset, mods)
) strict, without rowid;

-- The changes of these ratings.
create table rating_change (
  id integer primary key,
  at integer not null,
  beatmap_id integer not null,
  ruleset text not null,
  mods text not null,
  stars_before real not null,
  stars_after real not null
) strict;

-- When the ratings are compared next, ms since the epoch.
insert into shared_number (name, value)
values ('canary_due_at', 0);

-- All packs with this id or a lower one are still to be recomputed: of those that were saved before ratings under HD
-- were looked up, all.
insert into shared_number (name, value)
select 'recompute_up_to', coalesce(max(id), 0) from pack;
