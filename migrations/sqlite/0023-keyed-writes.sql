-- What writes with an Idempotency-Key on the tournament-pools service have made, for a day.
create table keyed_write (
  account_id text not null references account (id) on delete cascade,
  idempotency_key text not null,
  fingerprint text not null, -- SHA-256 of the request in base64url
  made text not null, -- a slug or an id
  created_at integer not null,
  primary key (account_id, idempotency_key)
) strict, without rowid;

create index keyed_write_age on keyed_write (created_at);
