-- Changes of what the public list and the search index show, appended by the writes that made them.
-- Until one is counted in public_block and in the index_version, it counts beside them.
create table public_change (
  id integer primary key,
  seq integer unique, -- the index_version with this change; null until it is counted: those are found by it, too
  slug text not null,
  pack_id integer not null,
  from_updated_at integer, -- the pack's place in the list before; null when it was not in it
  to_updated_at integer, -- and since
  mark integer not null, -- random
  mark_before text -- of the first that were counted at once: the mark of the index_version before them
) strict;
