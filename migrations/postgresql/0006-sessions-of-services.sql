-- A session belongs to the service that it was begun on. Those from before count as the packs
-- service's: where else they were used, one signs in once more.
alter table session add column service text collate "C" not null default 'packs' check (service in ('packs', 'pools'));
alter table session add column device text collate "C"; -- browser and system in plain words; null when unknown
