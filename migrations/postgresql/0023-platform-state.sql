-- How the game platform has answered, shared by all processes: one row, as JSON.
create table platform_state (
  id integer primary key check (id = 1),
  state text not null collate "C"
);
