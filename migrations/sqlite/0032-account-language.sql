-- The language that somebody has chosen for the pages, as BCP 47 has it; null: their browser decides.
alter table account add column language text;
