-- The fencing token of the lease on a pack's stats work: it grows with each lease and each mark.
alter table pack add column stats_lease_token integer not null default 0;
