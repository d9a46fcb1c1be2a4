-- Whom moderators have stopped; by the platform's id, so that it holds before the first sign-in.
create table suspension (
  game_id integer not null primary key,
  at integer not null,
  moderator_id text references account (id) on delete set null,
  by_operator integer not null check (by_operator in (0, 1)),
  reason text not null,
  is_lifted integer not null check (is_lifted in (0, 1)), -- it is over, but not yet for all packs
  is_done integer not null check (is_done in (0, 1)) -- all packs are as they are to be
) strict;

create index suspension_undone on suspension (game_id) where is_done = 0;

create index suspension_moderator on suspension (moderator_id) where moderator_id is not null;

-- 1: hidden because those are suspended whose it is; 2: hidden by a moderator as well.
alter table pack add column suspended integer not null default 0 check (suspended in (0, 1, 2));
alter table tournament add column suspended integer not null default 0 check (suspended in (0, 1, 2));

create index pack_suspended on pack (owner_id, id) where suspended > 0;

-- What a suspension hides is not what a moderator has decided of it.
drop trigger keep_hidden;
create trigger keep_hidden after delete on pack begin
  update tournament_round
  set pack_hidden_at = case when old.suspended = 1 then null else old.hidden_at end,
    pack_hidden_reason = old.hidden_reason
  where pack_slug = old.slug;
end;

-- With two more actions and one more subject; of a player, the slug is their id on the platform.
create table new_moderation_log (
  id integer primary key autoincrement, -- grows with each entry: orders those of one millisecond
  at integer not null,
  moderator_id text references account (id) on delete set null,
  by_operator integer not null check (by_operator in (0, 1)),
  action text not null
    check (action in ('hide', 'unhide', 'pin', 'unpin', 'move', 'suspend', 'unsuspend')),
  slug text not null,
  pack_name text not null,
  owner_id text references account (id) on delete set null,
  reason text,
  subject text not null default 'pack' check (subject in ('pack', 'tournament', 'player'))
) strict;
insert into new_moderation_log select * from moderation_log;
drop table moderation_log;
alter table new_moderation_log rename to moderation_log;

create index moderation_log_slug on moderation_log (slug, id);
create index moderation_log_owner on moderation_log (owner_id, id);
create index moderation_log_moderator on moderation_log (moderator_id);
