-- What has happened to tournaments, for those who follow changes.
create table tournament_change (
  id integer primary key,
  seq integer unique, -- its place in the order of commits; null until it is known
  mark integer not null, -- random: the same place after lost commits has another
  at integer not null,
  kind text not null,
  tournament text not null,
  round_id text,
  pack_slug text,
  readers text -- the ids of the accounts that may know of it, each between spaces; null for everybody
) strict;

-- The key that cursors are sealed with.
insert into shared_number (name, value, mark)
values ('tournament_change_cursor', 0, lower(hex(randomblob(16))));
