-- The words of each pack in search_pack, separated by spaces: search_words does not give them back.
create table search_pack_words (
  pack_id integer primary key,
  words text not null
) strict;

-- From now on, search_near holds only words that a public pack has. The number counts how often some were removed;
-- its mark is where the last process that does so has left the search. Left by another one, it is rebuilt.
insert into shared_number (name, value) values ('search_forgotten', 0);
