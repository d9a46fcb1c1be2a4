-- How the last pack of a round was hidden when it was deleted: the next one is hidden, too.
alter table tournament_round add column pack_hidden_at bigint;
alter table tournament_round add column pack_hidden_reason text collate "C";

create function keep_hidden() returns trigger language plpgsql as $$
begin
  update tournament_round
  set pack_hidden_at = old.hidden_at, pack_hidden_reason = old.hidden_reason
  where pack_slug = old.slug;
  return null;
end $$;

-- A trigger, so that no way to delete a pack forgets it.
create trigger keep_hidden after delete on pack
  for each row execute function keep_hidden();
