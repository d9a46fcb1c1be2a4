alter table pack add column history_public integer not null default 0 check (history_public in (0, 1));
-- The number of the state that the row holds; those before it are in pack_version.
alter table pack add column version integer not null default 1;
alter table pack add column version_at integer; -- when that state was saved; null: updated_at
alter table pack add column version_hidden integer not null default 0 check (version_hidden in (0, 1)); -- saved while hidden

update pack set version_hidden = 1 where hidden_at <= updated_at;

-- The states of packs that later saves have replaced.
create table pack_version (
  pack_id integer not null references pack (id) on delete cascade,
  version integer not null,
  saved_at integer not null,
  visibility text not null check (visibility in ('private', 'unlisted', 'public')),
  is_hidden integer not null check (is_hidden in (0, 1)), -- the pack was hidden when it was saved
  description text,
  pack_key text not null,
  primary key (pack_id, version)
) strict, without rowid;

-- A trigger, so that a save with a version is one statement as well. The newest 100 are kept.
create trigger keep_version after update of version on pack when old.version <> new.version begin
  insert into pack_version (pack_id, version, saved_at, visibility, is_hidden, description, pack_key)
  values (old.id, old.version, coalesce(old.version_at, old.updated_at), old.visibility,
    old.version_hidden, old.description, old.pack_key);
  delete from pack_version where pack_id = old.id and version <= new.version - 100;
end;

-- What has happened to packs, for those who follow changes.
create table pack_change (
  id integer primary key,
  seq integer unique, -- its place in the order of commits; null until it is known
  mark integer not null, -- random: the same place after lost commits has another
  at integer not null,
  kind text not null check (kind in ('created', 'changed', 'hidden', 'shown', 'deleted')), -- for the owner
  slug text not null,
  owner_id text, -- null when the account is gone
  was_listed integer not null check (was_listed in (0, 1)), -- public and not hidden, before
  is_listed integer not null check (is_listed in (0, 1)) -- and since
) strict;

-- The key that cursors are sealed with.
insert into shared_number (name, value, mark) values ('change_cursor', 0, lower(hex(randomblob(16))));
