-- The newest of the entries that a feed of changes has forgotten, of those that each reader could know of: only
-- these make a cursor too old for that reader.
create table forgotten_change (
  feed text collate "C" not null, -- the table of the entries
  reader text collate "C" not null, -- an account's id; empty: everybody
  seq bigint not null,
  mark integer not null,
  primary key (feed, reader)
);

-- Of what was forgotten before, it is not known who could know of it.
insert into forgotten_change
select 'pack_change', '', min(seq) - 1, 0 from pack_change having min(seq) > 1;
insert into forgotten_change
select 'tournament_change', '', min(seq) - 1, 0 from tournament_change having min(seq) > 1;
