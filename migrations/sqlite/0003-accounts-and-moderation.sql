alter table api_key add column last_used_day integer; -- whole days since the epoch; null before the first

-- Whom the operator named; by the platform's id, so that it holds before the first sign-in.
create table moderator (
  game_id integer not null primary key,
  since integer not null
) strict;

create table session (
  hash text not null primary key, -- SHA-256 of the cookie's token in base64url; the token is nowhere
  account_id text not null references account (id) on delete cascade,
  csrf text not null,
  created_at integer not null,
  last_seen_at integer not null
) strict, without rowid;

create index session_account on session (account_id);
create index session_idle on session (last_seen_at);

alter table pack add column hidden_reason text;

-- What moderators may see, in the order of their lists, with all that they search by.
create index pack_moderated on pack (updated_at, id, visibility, slug, name, owner_id, hidden_at)
where visibility <> 'private';

create table moderation_log (
  id integer primary key autoincrement, -- grows with each entry: orders those of one millisecond
  at integer not null,
  moderator_id text references account (id) on delete set null,
  by_operator integer not null check (by_operator in (0, 1)),
  action text not null check (action in ('hide', 'unhide', 'pin', 'unpin', 'move')),
  slug text not null,
  pack_name text not null,
  owner_id text references account (id) on delete set null,
  reason text
) strict;

create index moderation_log_slug on moderation_log (slug, id);
create index moderation_log_owner on moderation_log (owner_id, id);
create index moderation_log_moderator on moderation_log (moderator_id);
