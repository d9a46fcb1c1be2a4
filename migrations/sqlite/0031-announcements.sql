-- Where a tournament announces its releases, and what is to be sent there.
alter table tournament add column discord_url text; -- a secret: anyone who knows it can write to the channel
alter table tournament add column discord_off text check (discord_off in ('gone', 'failing')); -- why nothing is sent

-- How sending to the address of a tournament goes on; a row from the first message on.
create table tournament_chat (
  tournament text not null primary key references tournament (slug) on delete cascade,
  due_at integer, -- when the next message is sent; null: none is waiting
  lease_until integer not null default 0, -- nothing is sent before
  lease_token integer not null default 0, -- random; 0 without a lease
  failures integer not null default 0, -- in a row
  failing_since integer -- null while the last one was no failure
) strict, without rowid;

create index chat_due on tournament_chat (due_at, tournament)
where due_at is not null;

-- Messages that are waiting, and the last ones that were sent or given up.
create table tournament_message (
  id integer primary key autoincrement, -- in the order of what they announce, of each tournament
  name text not null unique, -- is in the message: copies of it have the same
  tournament text not null references tournament (slug) on delete cascade,
  round_id text, -- null of a trial
  round_name text, -- as it was announced
  kind text not null check (kind in ('release', 'change', 'fill', 'withdrawal', 'trial')),
  at integer not null,
  content text not null, -- JSON: what everybody could read before and after
  parts text, -- JSON: the messages that it is sent as; null until the first attempt
  sent_parts integer not null default 0,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'given-up')),
  attempts integer not null default 0,
  finished_at integer, -- when it was sent or given up
  problem text -- why the last attempt failed
) strict;

create index message_tournament on tournament_message (tournament, id);
create index message_waiting on tournament_message (tournament, id)
where state = 'waiting';
