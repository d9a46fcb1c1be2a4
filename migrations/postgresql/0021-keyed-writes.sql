-- What writes with an Idempotency-Key on the tournament-pools service have made, for a day.
create table keyed_write (
  account_id text collate "C" not null references account (id) on delete cascade,
  idempotency_key text collate "C" not null,
  fingerprint text collate "C" not null, -- SHA-256 of the request in base64url
  made text collate "C" not null, -- a slug or an id
  created_at bigint not null,
  primary key (account_id, idempotency_key)
);

create index keyed_write_age on keyed_write (created_at);
