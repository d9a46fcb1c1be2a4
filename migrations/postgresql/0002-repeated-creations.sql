-- Creations that came with an Idempotency-Key, for a day. The request holds the rest of the answer.
create table keyed_creation (
  account_id text collate "C" not null references account (id) on delete cascade,
  idempotency_key text collate "C" not null,
  fingerprint text collate "C" not null, -- SHA-256 of the pack's content in base64url
  slug text collate "C" not null,
  owner_username text collate "C",
  created_at bigint not null,
  primary key (account_id, idempotency_key)
);

create index keyed_creation_age on keyed_creation (created_at);
