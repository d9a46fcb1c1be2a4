-- Of a member who is limited to rounds: when what they see of the tournament last changed; null for all others.
alter table tournament_staff add column seen_at bigint;

update tournament_staff
set seen_at = (select updated_at from tournament where slug = tournament_staff.tournament)
where rounds is not null;
