-- A sign-in that one site hands to the other: with the code, the browser that asked for it gets a session there.
create table hand_over (
  hash text not null primary key, -- SHA-256 of the code in base64url; the code is nowhere
  session text not null references session (hash) on delete cascade, -- an ended session signs nobody in
  service text not null check (service in ('packs', 'pools')), -- where the code is valid
  challenge text not null, -- SHA-256 of a secret that only that browser has
  created_at integer not null
) strict, without rowid;

create index hand_over_session on hand_over (session);
create index hand_over_created on hand_over (created_at);
