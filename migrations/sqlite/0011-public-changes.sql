-- Changes of what the public list and the search index show, appended by the writes that made them.
-- Until one is counted in public_block and in the index_version, it counts beside them.
create table public_change (
  id integer primary key,
  seq integer unique, -- the index_version with this change; null until it is counted
  slug text not null,
  pack_id integer not null,
  from_updated_at integer, -- the pack's place in the list before; null when it was not in it
  to_updated_at integer, -- and since
  mark integer not null, -- random
  mark_after text -- the mark of the index_version, where it was counted up to this change
) strict;

create index public_change_pending on public_change (id) where seq is null;
