-- Whom moderators have stopped; by the platform's id, so that it holds before the first sign-in.
create table suspension (
  game_id bigint not null primary key,
  at bigint not null,
  moderator_id text collate "C" references account (id) on delete set null,
  by_operator smallint not null check (by_operator in (0, 1)),
  reason text collate "C" not null,
  is_lifted smallint not null check (is_lifted in (0, 1)), -- it is over, but not yet for all packs
  is_done smallint not null check (is_done in (0, 1)) -- all packs are as they are to be
);

create index suspension_undone on suspension (game_id) where is_done = 0;

create index suspension_moderator on suspension (moderator_id) where moderator_id is not null;

-- 1: hidden because those are suspended whose it is; 2: hidden by a moderator as well.
alter table pack add column suspended smallint not null default 0;
alter table tournament add column suspended smallint not null default 0;

create index pack_suspended on pack (owner_id, id) where suspended > 0;

-- What a suspension hides is not what a moderator has decided of it.
create or replace function keep_hidden() returns trigger language plpgsql as $$
begin
  update tournament_round
  set pack_hidden_at = case when old.suspended = 1 then null else old.hidden_at end,
    pack_hidden_reason = old.hidden_reason
  where pack_slug = old.slug;
  return null;
end $$;

-- Two more actions and one more subject; of a player, the slug is their id on the platform.
alter table moderation_log
  drop constraint moderation_log_action_check,
  drop constraint moderation_log_subject_check,
  add constraint moderation_log_action_check
    check (action in ('hide', 'unhide', 'pin', 'unpin', 'move', 'suspend', 'unsuspend')),
  add constraint moderation_log_subject_check check (subject in ('pack', 'tournament', 'player'));
