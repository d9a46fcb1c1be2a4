-- Which visitor a call was made for: an account or an address.
alter table platform_call
add column requester text collate "C";

-- When the pause that the platform asked for was noted: a clock that ran ahead must not prolong it.
insert into shared_number (name, value)
values ('platform_paused_at', 0);

-- What the site serves, and what visitors add to the cache, is counted as well.
alter table quota
drop constraint quota_kind_check,
add constraint quota_kind_check
check (kind in ('requests', 'failures', 'new_keys', 'site', 'new_beatmaps'));
