-- Which visitor a call was made for: an account or an address.
alter table platform_call add column requester text;

-- When the pause that the platform asked for was noted: a clock that ran ahead must not prolong it.
insert into shared_number (name, value)
values ('platform_paused_at', 0);
