-- Edits of tournaments, and codes of sign-ins that came to nothing, are counted as well.
alter table quota
drop constraint quota_kind_check,
add constraint quota_kind_check
check (
  kind in ('requests', 'failures', 'new_keys', 'site', 'edits', 'new_beatmaps', 'failed_codes')
);
