-- From now on, search_near holds only words that a public pack has. The number counts how often some were removed;
-- its mark is where the last process that does so has left the search. Left by another one, it is rebuilt.
insert into shared_number (name, value) values ('search_forgotten', 0);
