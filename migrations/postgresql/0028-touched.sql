-- What each transaction touches of what processes keep in memory. Unlogged: after a crash, or on another server that
-- takes over, both tables are empty, which says that what was touched is not known.
create unlogged table touched (
  xid xid8 not null default pg_current_xact_id(),
  tags text[] not null -- as src/adapters/storage/caches.ts makes them; nulls are none
);

create index touched_xid on touched (xid);

create unlogged table touched_since (
  only_one boolean not null primary key default true check (only_one),
  mark text collate "C" not null, -- random, new after a loss
  forgotten xid8 not null default '0' -- the touches of smaller ones may be gone
);

insert into touched_since (mark) values (gen_random_uuid()::text);

-- Made from src/adapters/storage/caches.ts; a test compares.
create function touch_pack_0_insert() returns trigger language plpgsql as $$
begin
  insert into touched (tags) values (array['pack ' || new.slug, 'owner ' || new.owner_id, case when new.visibility = 'public' and new.hidden_at is null then 'list' end, case when new.pinned_rank is not null then 'pins' end, case when new.owner_id = 'tournament-pools' then (
        select 'tournament ' || tournament from tournament_round where pack_slug = new.slug) end]);
  return null;
end
$$;
create trigger touch_pack_0_insert after insert on pack for each row
execute function touch_pack_0_insert();

create function touch_pack_0_delete() returns trigger language plpgsql as $$
begin
  insert into touched (tags) values (array['pack ' || old.slug, 'owner ' || old.owner_id, case when old.visibility = 'public' and old.hidden_at is null then 'list' end, case when old.pinned_rank is not null then 'pins' end, case when old.owner_id = 'tournament-pools' then (
        select 'tournament ' || tournament from tournament_round where pack_slug = old.slug) end]);
  return null;
end
$$;
create trigger touch_pack_0_delete after delete on pack for each row
execute function touch_pack_0_delete();

create function touch_pack_0_update() returns trigger language plpgsql as $$
begin
  insert into touched (tags) values (array['pack ' || old.slug, 'owner ' || old.owner_id, case when old.visibility = 'public' and old.hidden_at is null then 'list' end, case when old.pinned_rank is not null then 'pins' end, case when old.owner_id = 'tournament-pools' then (
        select 'tournament ' || tournament from tournament_round where pack_slug = old.slug) end, 'pack ' || new.slug, 'owner ' || new.owner_id, case when new.visibility = 'public' and new.hidden_at is null then 'list' end, case when new.pinned_rank is not null then 'pins' end, case when new.owner_id = 'tournament-pools' then (
        select 'tournament ' || tournament from tournament_round where pack_slug = new.slug) end]);
  return null;
end
$$;
create trigger touch_pack_0_update after update of slug, owner_id, name, visibility, description, other_fields, slots, buckets, pack_key, content_hash, exports, hidden_at, hidden_reason, pinned_rank, stats, history_public, version, version_at, version_hidden, updated_at on pack for each row when ((old.slug, old.owner_id, old.name, old.visibility, old.description, old.other_fields, old.slots, old.buckets, old.pack_key, old.content_hash, old.exports, old.hidden_at, old.hidden_reason, old.pinned_rank, old.stats, old.history_public, old.version, old.version_at, old.version_hidden, old.updated_at) is distinct from (new.slug, new.owner_id, new.name, new.visibility, new.description, new.other_fields, new.slots, new.buckets, new.pack_key, new.content_hash, new.exports, new.hidden_at, new.hidden_reason, new.pinned_rank, new.stats, new.history_public, new.version, new.version_at, new.version_hidden, new.updated_at))
execute function touch_pack_0_update();

create function touch_pack_1_delete() returns trigger language plpgsql as $$
begin
  insert into touched (tags) select array_agg(distinct tag) from (
    select unnest(array['use ' || value]) from search_pack, json_array_elements_text(search_pack.beatmaps::json) as each (value) where pack_id = old.id
  ) as touching (tag) having count(tag) > 0;
  return null;
end
$$;
create trigger touch_pack_1_delete after delete on pack for each row
execute function touch_pack_1_delete();

create function touch_pack_1_update() returns trigger language plpgsql as $$
begin
  insert into touched (tags) select array_agg(distinct tag) from (
    select unnest(array['use ' || value]) from search_pack, json_array_elements_text(search_pack.beatmaps::json) as each (value) where pack_id = old.id union all select unnest(array['use ' || value]) from search_pack, json_array_elements_text(search_pack.beatmaps::json) as each (value) where pack_id = new.id
  ) as touching (tag) having count(tag) > 0;
  return null;
end
$$;
create trigger touch_pack_1_update after update of slug, owner_id, name, visibility, hidden_at, updated_at on pack for each row when ((old.slug, old.owner_id, old.name, old.visibility, old.hidden_at, old.updated_at) is distinct from (new.slug, new.owner_id, new.name, new.visibility, new.hidden_at, new.updated_at))
execute function touch_pack_1_update();

create function touch_beatmap_use_0_insert() returns trigger language plpgsql as $$
begin
  insert into touched (tags) select array_agg(distinct tag) from (
    select unnest(array['use ' || changed.beatmap_id]) from changed
  ) as touching (tag) having count(tag) > 0;
  return null;
end
$$;
create trigger touch_beatmap_use_0_insert after insert on beatmap_use referencing new table as changed for each statement
execute function touch_beatmap_use_0_insert();

create function touch_beatmap_use_0_delete() returns trigger language plpgsql as $$
begin
  insert into touched (tags) select array_agg(distinct tag) from (
    select unnest(array['use ' || changed.beatmap_id]) from changed
  ) as touching (tag) having count(tag) > 0;
  return null;
end
$$;
create trigger touch_beatmap_use_0_delete after delete on beatmap_use referencing old table as changed for each statement
execute function touch_beatmap_use_0_delete();

create function touch_beatmap_use_0_update() returns trigger language plpgsql as $$
begin
  insert into touched (tags) values (array['use ' || old.beatmap_id, 'use ' || new.beatmap_id]);
  return null;
end
$$;
create trigger touch_beatmap_use_0_update after update of beatmap_id, pack_id, mod, slot_index on beatmap_use for each row when ((old.beatmap_id, old.pack_id, old.mod, old.slot_index) is distinct from (new.beatmap_id, new.pack_id, new.mod, new.slot_index))
execute function touch_beatmap_use_0_update();

create function touch_account_0_insert() returns trigger language plpgsql as $$
begin
  insert into touched (tags) values (array['names', 'account ' || new.id]);
  return null;
end
$$;
create trigger touch_account_0_insert after insert on account for each row
execute function touch_account_0_insert();

create function touch_account_0_delete() returns trigger language plpgsql as $$
begin
  insert into touched (tags) values (array['names', 'account ' || old.id]);
  return null;
end
$$;
create trigger touch_account_0_delete after delete on account for each row
execute function touch_account_0_delete();

create function touch_account_0_update() returns trigger language plpgsql as $$
begin
  insert into touched (tags) values (array['names', 'account ' || old.id, 'account ' || new.id]);
  return null;
end
$$;
create trigger touch_account_0_update after update of game_id, username on account for each row when ((old.game_id, old.username) is distinct from (new.game_id, new.username))
execute function touch_account_0_update();

create function touch_moderator_0_insert() returns trigger language plpgsql as $$
begin
  insert into touched (tags) values (array['moderators']);
  return null;
end
$$;
create trigger touch_moderator_0_insert after insert on moderator for each row
execute function touch_moderator_0_insert();

create function touch_moderator_0_delete() returns trigger language plpgsql as $$
begin
  insert into touched (tags) values (array['moderators']);
  return null;
end
$$;
create trigger touch_moderator_0_delete after delete on moderator for each row
execute function touch_moderator_0_delete();

create function touch_api_key_0_insert() returns trigger language plpgsql as $$
begin
  insert into touched (tags) values (array['key ' || new.hash]);
  return null;
end
$$;
create trigger touch_api_key_0_insert after insert on api_key for each row
execute function touch_api_key_0_insert();

create function touch_api_key_0_delete() returns trigger language plpgsql as $$
begin
  insert into touched (tags) values (array['key ' || old.hash]);
  return null;
end
$$;
create trigger touch_api_key_0_delete after delete on api_key for each row
execute function touch_api_key_0_delete();

create function touch_api_key_0_update() returns trigger language plpgsql as $$
begin
  insert into touched (tags) values (array['key ' || old.hash, 'key ' || new.hash]);
  return null;
end
$$;
create trigger touch_api_key_0_update after update of account_id, service, hash on api_key for each row when ((old.account_id, old.service, old.hash) is distinct from (new.account_id, new.service, new.hash))
execute function touch_api_key_0_update();

create function touch_session_0_insert() returns trigger language plpgsql as $$
begin
  insert into touched (tags) values (array['session ' || new.hash]);
  return null;
end
$$;
create trigger touch_session_0_insert after insert on session for each row
execute function touch_session_0_insert();

create function touch_session_0_delete() returns trigger language plpgsql as $$
begin
  insert into touched (tags) values (array['session ' || old.hash]);
  return null;
end
$$;
create trigger touch_session_0_delete after delete on session for each row
execute function touch_session_0_delete();

create function touch_session_0_update() returns trigger language plpgsql as $$
begin
  insert into touched (tags) values (array['session ' || old.hash, 'session ' || new.hash]);
  return null;
end
$$;
create trigger touch_session_0_update after update of hash, account_id, service, csrf, created_at, last_seen_at on session for each row when ((old.hash, old.account_id, old.service, old.csrf, old.created_at, old.last_seen_at) is distinct from (new.hash, new.account_id, new.service, new.csrf, new.created_at, new.last_seen_at))
execute function touch_session_0_update();

create function touch_tournament_0_insert() returns trigger language plpgsql as $$
begin
  insert into touched (tags) values (array['tournament ' || new.slug]);
  return null;
end
$$;
create trigger touch_tournament_0_insert after insert on tournament for each row
execute function touch_tournament_0_insert();

create function touch_tournament_0_delete() returns trigger language plpgsql as $$
begin
  insert into touched (tags) values (array['tournament ' || old.slug]);
  return null;
end
$$;
create trigger touch_tournament_0_delete after delete on tournament for each row
execute function touch_tournament_0_delete();

create function touch_tournament_0_update() returns trigger language plpgsql as $$
begin
  insert into touched (tags) values (array['tournament ' || old.slug, 'tournament ' || new.slug]);
  return null;
end
$$;
create trigger touch_tournament_0_update after update of mark on tournament for each row when ((old.mark) is distinct from (new.mark))
execute function touch_tournament_0_update();

create function touch_tournament_1_insert() returns trigger language plpgsql as $$
begin
  insert into touched (tags) values (array['tournaments']);
  return null;
end
$$;
create trigger touch_tournament_1_insert after insert on tournament for each row
execute function touch_tournament_1_insert();

create function touch_tournament_1_delete() returns trigger language plpgsql as $$
begin
  insert into touched (tags) values (array['tournaments']);
  return null;
end
$$;
create trigger touch_tournament_1_delete after delete on tournament for each row
execute function touch_tournament_1_delete();

create function touch_tournament_1_update() returns trigger language plpgsql as $$
begin
  insert into touched (tags) values (array['tournaments']);
  return null;
end
$$;
create trigger touch_tournament_1_update after update of slug, name, short_name, description, ruleset, year, rank_min, rank_max, link, visibility, announce_rounds, copied_from, hidden_at, hidden_reason, created_at, public_at on tournament for each row when ((old.slug, old.name, old.short_name, old.description, old.ruleset, old.year, old.rank_min, old.rank_max, old.link, old.visibility, old.announce_rounds, old.copied_from, old.hidden_at, old.hidden_reason, old.created_at, old.public_at) is distinct from (new.slug, new.name, new.short_name, new.description, new.ruleset, new.year, new.rank_min, new.rank_max, new.link, new.visibility, new.announce_rounds, new.copied_from, new.hidden_at, new.hidden_reason, new.created_at, new.public_at))
execute function touch_tournament_1_update();

create function touch_tournament_round_0_insert() returns trigger language plpgsql as $$
begin
  insert into touched (tags) values (array[case when new.pack_slug is not null then 'tournaments' end]);
  return null;
end
$$;
create trigger touch_tournament_round_0_insert after insert on tournament_round for each row
execute function touch_tournament_round_0_insert();

create function touch_tournament_round_0_delete() returns trigger language plpgsql as $$
begin
  insert into touched (tags) values (array[case when old.pack_slug is not null then 'tournaments' end]);
  return null;
end
$$;
create trigger touch_tournament_round_0_delete after delete on tournament_round for each row
execute function touch_tournament_round_0_delete();

create function touch_tournament_round_0_update() returns trigger language plpgsql as $$
begin
  insert into touched (tags) values (array[case when old.pack_slug is not null then 'tournaments' end, case when new.pack_slug is not null then 'tournaments' end]);
  return null;
end
$$;
create trigger touch_tournament_round_0_update after update of tournament, released, pack_slug on tournament_round for each row when ((old.tournament, old.released, old.pack_slug) is distinct from (new.tournament, new.released, new.pack_slug))
execute function touch_tournament_round_0_update();

create function touch_tournament_staff_0_insert() returns trigger language plpgsql as $$
begin
  insert into touched (tags) values (array['host ' || new.account_id]);
  return null;
end
$$;
create trigger touch_tournament_staff_0_insert after insert on tournament_staff for each row
execute function touch_tournament_staff_0_insert();

create function touch_tournament_staff_0_delete() returns trigger language plpgsql as $$
begin
  insert into touched (tags) values (array['host ' || old.account_id]);
  return null;
end
$$;
create trigger touch_tournament_staff_0_delete after delete on tournament_staff for each row
execute function touch_tournament_staff_0_delete();

create function touch_tournament_staff_0_update() returns trigger language plpgsql as $$
begin
  insert into touched (tags) values (array['host ' || old.account_id, 'host ' || new.account_id]);
  return null;
end
$$;
create trigger touch_tournament_staff_0_update after update of tournament, account_id, role on tournament_staff for each row when ((old.tournament, old.account_id, old.role) is distinct from (new.tournament, new.account_id, new.role))
execute function touch_tournament_staff_0_update();
