-- What the operator has decided for all who use the services: a notice on all pages, and that nothing may be changed.
create table operator_state (
  name text primary key check (name in ('notice', 'read_only')),
  text text, -- the notice; of the other, the reason, if one was given
  since integer not null
) strict;

-- With three more actions.
create table new_moderation_log (
  id integer primary key autoincrement, -- grows with each entry: orders those of one millisecond
  at integer not null,
  moderator_id text references account (id) on delete set null,
  by_operator integer not null check (by_operator in (0, 1)),
  action text not null check (action in (
    'hide', 'unhide', 'pin', 'unpin', 'move', 'suspend', 'unsuspend', 'appoint', 'dismiss', 'delete'
  )),
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
