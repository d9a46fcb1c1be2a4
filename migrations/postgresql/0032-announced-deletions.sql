-- What announces that a tournament was deleted stays after it, so that neither table can refer to tournaments.
alter table tournament_chat drop constraint tournament_chat_tournament_fkey;
alter table tournament_chat add column asked_at bigint; -- when a host last had a message sent by hand
alter table tournament_chat add column url text collate "C"; -- a secret: the address of a tournament that was deleted; null: it was not

alter table tournament_message drop constraint tournament_message_tournament_fkey;
alter table tournament_message drop constraint tournament_message_kind_check;
alter table tournament_message add constraint tournament_message_kind_check
check (kind in ('release', 'change', 'fill', 'links', 'withdrawal', 'trial', 'deletion'));
alter table tournament_message add column status integer; -- of the answer to the last attempt, of HTTP
alter table tournament_message add column code integer; -- that Discord has given in that answer

create function forget_announcements() returns trigger language plpgsql as $$
begin
  delete from tournament_chat where tournament = old.slug and url is null;
  delete from tournament_message where tournament = old.slug and kind <> 'deletion';
  return null;
end
$$;
create trigger forget_announcements after delete on tournament for each row
execute function forget_announcements();
