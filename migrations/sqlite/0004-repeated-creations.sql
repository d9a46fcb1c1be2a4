-- Creations that came with an Idempotency-Key, for a day. The request holds the rest of the answer.
create table keyed_creation (
  account_id text not null references account (id) on delete cascade,
  idempotency_key text not null,
  fingerprint text not null, -- SHA-256 of the pack's content in base64url
  slug text not null,
  owner_username text,
  created_at integer not null,
  primary key (account_id, idempotency_key)
) strict, without rowid;

create index keyed_creation_age on keyed_creation (created_at);
