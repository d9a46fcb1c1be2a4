const EMPTY = [
  'delete from moderation_log',
  'delete from session',
  'delete from api_key',
  'delete from pack',
  'delete from moderator',
  'delete from account where game_id is not null',
  'delete from public_block where first_id > 0 or first_updated_at > 0',
  'update public_block set size = 0',
  "update shared_number set value = case name when 'index_version' then 1 else 0 end",
  'delete from beatmap',
  'delete from rating',
  'delete from platform_call',
]

/** Statements after which a store is as it was when it was new. */
export const EMPTY_POSTGRES = [
  ...EMPTY,
  'delete from quota',
  'delete from published_index',
  'delete from lease',
  'alter sequence pack_id_seq restart',
  'alter sequence moderation_log_id_seq restart',
]

export const EMPTY_SQLITE = `begin; ${[...EMPTY, 'delete from sqlite_sequence'].join(';')}; commit`
