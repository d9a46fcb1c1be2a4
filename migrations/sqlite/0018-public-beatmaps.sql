-- What the platform was asked for public packs; the rest is shown only to those who have asked for it, too.
alter table beatmap add column is_public integer not null default 0 check (is_public in (0, 1));
alter table rating add column is_public integer not null default 0 check (is_public in (0, 1));
