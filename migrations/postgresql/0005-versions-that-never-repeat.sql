-- Random, new with each change: a version is not reached twice when commits were lost in between.
alter table shared_number add column mark text collate "C";
alter table published_index add column mark text collate "C";

-- Of description, slots, buckets and pack key; 0 for packs saved before there was such a column.
alter table pack add column content_hash bigint not null default 0;
