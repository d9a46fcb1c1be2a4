-- Calls of those who sign in are counted by themselves. The check cannot be changed in place.
create table new_platform_call (
  id integer primary key autoincrement,
  at integer not null,
  caller text not null check (caller in ('background', 'visitor', 'sign-in'))
) strict;

insert into new_platform_call (id, at, caller)
select id, at, caller from platform_call;

drop table platform_call;

alter table new_platform_call rename to platform_call;

-- By these the oldest are found when what nobody has asked for in a long time is forgotten.
create index beatmap_known on beatmap (known_at);
create index beatmap_gone on beatmap (known_at) where details is null;
create index rating_known on rating (known_at);
create index rating_gone on rating (known_at) where stars is null;
