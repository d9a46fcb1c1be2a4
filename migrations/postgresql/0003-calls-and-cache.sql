-- Calls of those who sign in are counted by themselves. Who runs an older version counts them, too.
alter table platform_call
drop constraint platform_call_caller_check,
add constraint platform_call_caller_check check (caller in ('background', 'visitor', 'sign-in'));

-- By these the oldest are found when what nobody has asked for in a long time is forgotten.
create index beatmap_known on beatmap (known_at);
create index beatmap_gone on beatmap (known_at) where details is null;
create index rating_known on rating (known_at);
create index rating_gone on rating (known_at) where stars is null;
