-- How the last pack of a round was hidden when it was deleted: the next one is hidden, too.
alter table tournament_round add column pack_hidden_at integer;
alter table tournament_round add column pack_hidden_reason text;

-- A trigger, so that no way to delete a pack forgets it.
create trigger keep_hidden after delete on pack begin
  update tournament_round
  set pack_hidden_at = old.hidden_at, pack_hidden_reason = old.hidden_reason
  where pack_slug = old.slug;
end;
