-- The language that somebody has chosen for the pages, as BCP 47 has it; null: their browser decides.
alter table account add column language text collate "C";

drop trigger touch_account_0_update on account;
create trigger touch_account_0_update after update of game_id, username, language on account for each row when ((old.game_id, old.username, old.language) is distinct from (new.game_id, new.username, new.language))
execute function touch_account_0_update();
