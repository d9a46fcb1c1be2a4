const EMPTY = [
  'delete from tournament',
  'delete from moderation_log',
  'delete from session',
  'delete from api_key',
  'delete from pack',
  'delete from moderator',
  'delete from suspension',
  'delete from account',
  "insert into account (id, game_id, username, created_at) values ('tournament-pools', null, null, 0)",
  'delete from public_block',
  'insert into public_block (first_updated_at, first_id, size) values (0, 0, 0)',
  'delete from public_change',
  'delete from pack_change',
  'delete from tournament_change',
  'delete from shared_number',
  "insert into shared_number (name, value) values ('index_version', 1), ('search_seq', 1), ('search_walk', 0), ('platform_paused_until', 0), ('platform_paused_at', 0)",
  "insert into shared_number (name, value, mark) values ('change_cursor', 0, '000102030405060708090a0b0c0d0e0f')",
  "insert into shared_number (name, value, mark) values ('tournament_change_cursor', 0, '0f0e0d0c0b0a09080706050403020100')",
  'delete from beatmap',
  'delete from rating',
  'delete from platform_call',
  'delete from page_file',
  'delete from search_pack',
  'delete from search_near',
  'delete from beatmap_use',
]

/** Statements after which a store is as it was when it was new. */
export const EMPTY_POSTGRES = [
  ...EMPTY,
  'delete from quota',
  'delete from published_index',
  'delete from lease',
  'alter sequence pack_id_seq restart',
  'alter sequence pack_change_id_seq restart',
  'alter sequence tournament_change_id_seq restart',
  'alter sequence moderation_log_id_seq restart',
]

export const EMPTY_SQLITE = `begin; ${[...EMPTY, 'delete from search_words', 'delete from sqlite_sequence'].join(';')}; commit`
