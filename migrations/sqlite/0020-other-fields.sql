-- What owners decide of packs, and hosts of rounds, that has no column of its own, as JSON; null for none.
alter table pack add column other_fields text;
alter table pack_version add column other_fields text;
alter table tournament_round add column other_fields text;

drop trigger keep_version;
create trigger keep_version after update of version on pack when old.version <> new.version begin
  insert into pack_version
    (pack_id, version, saved_at, visibility, is_hidden, description, other_fields, pack_key)
  values (old.id, old.version, coalesce(old.version_at, old.updated_at), old.visibility,
    old.version_hidden, old.description, old.other_fields, old.pack_key);
  delete from pack_version where pack_id = old.id and version <= new.version - 100;
end;
