-- What announces that a tournament was deleted stays after it, so that neither table can refer to tournaments.
create table new_tournament_chat (
  tournament text not null primary key,
  due_at integer, -- when the next message is sent; null: none is waiting
  lease_until integer not null default 0, -- nothing is sent before
  lease_token integer not null default 0, -- random; 0 without a lease
  failures integer not null default 0, -- in a row
  failing_since integer, -- null while the last one was no failure
  asked_at integer, -- when a host last had a message sent by hand
  url text -- a secret: the address of a tournament that was deleted; null: it was not
) strict, without rowid;
insert into new_tournament_chat
select *, null, null from tournament_chat;
drop table tournament_chat;
alter table new_tournament_chat rename to tournament_chat;

create index chat_due on tournament_chat (due_at, tournament)
where due_at is not null;

create table new_tournament_message (
  id integer primary key autoincrement, -- in the order of what they announce, of each tournament
  name text not null unique, -- is in the message: copies of it have the same
  tournament text not null,
  round_id text, -- null of a trial and a deletion
  round_name text, -- as it was announced
  kind text not null
    check (kind in ('release', 'change', 'fill', 'links', 'withdrawal', 'trial', 'deletion')),
  at integer not null,
  content text not null, -- JSON: what everybody could read before and after
  parts text, -- JSON: the messages that it is sent as; null until the first attempt
  sent_parts integer not null default 0,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'given-up')),
  attempts integer not null default 0,
  finished_at integer, -- when it was sent or given up
  problem text, -- why the last attempt failed
  status integer, -- of the answer to it, of HTTP
  code integer -- that Discord has given in that answer
) strict;
insert into new_tournament_message
select *, null, null from tournament_message;
drop table tournament_message;
alter table new_tournament_message rename to tournament_message;

create index message_tournament on tournament_message (tournament, id);
create index message_waiting on tournament_message (tournament, id)
where state = 'waiting';

create trigger forget_announcements after delete on tournament begin
  delete from tournament_chat where tournament = old.slug and url is null;
  delete from tournament_message where tournament = old.slug and kind <> 'deletion';
end;
