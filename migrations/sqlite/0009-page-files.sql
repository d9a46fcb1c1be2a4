-- The built files of the pages that each running version serves, for the processes of another version.
-- Derived: each process writes its own at its start.
create table page_file (
  path text not null primary key, -- assets/browse-x1Y2z3.js: the name changes with the content
  bytes blob not null,
  size integer not null,
  published_at integer not null
) strict;
