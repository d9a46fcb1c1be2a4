-- By what public packs are found, and where beatmaps are used: derived from the packs by the worker.
create table search_pack (
  pack_id bigint primary key, -- the pack may be hidden or gone: readers look
  updated_at bigint not null, -- of the pack, when it was taken over
  beatmaps text collate "C" not null, -- JSON: the ids of its beatmaps, each once
  maps integer not null,
  stars double precision, -- average; null when not known, as the ranges are
  length_min integer,
  length_max integer,
  bpm_min integer,
  bpm_max integer,
  mods integer, -- one bit for each; null without stats, as rulesets
  rulesets integer,
  -- `w` anywhere, `n_w` in the name, `t_w` in name, owner or description, `p_w_w` next to each other,
  -- `b_1` beatmaps, `s_1` sets.
  words tsvector not null
);

-- Out of the rows: what matches is found in the index, and then only rows are read.
alter table search_pack alter column words set storage external;
alter table search_pack set (toast_tuple_target = 128);

create index search_words on search_pack using gin (words) with (fastupdate = off);

-- Every word that is in a pack, or was, by what is left of it without one of its letters.
create table search_near (
  variant text collate "C" not null,
  word text collate "C" not null,
  primary key (variant, word)
);

create table beatmap_use (
  beatmap_id integer not null,
  updated_at bigint not null, -- as in search_pack
  pack_id bigint not null,
  place integer not null, -- of the slot in the pack, from 0
  mod text collate "C" not null,
  slot_index integer not null,
  primary key (beatmap_id, updated_at, pack_id, place)
);

-- The change of the public list that was taken over last, and the pack up to which a rebuild has come;
-- -1 when none is under way. The first one begins here.
insert into shared_number (name, value)
select 'search_seq', value from shared_number where name = 'index_version';
insert into shared_number (name, value) values ('search_walk', 0);

-- Owners are found by their names.
create index account_name on account (lower(username));
