import type { Generated } from 'kysely'
import type { Visibility } from '../../contract/pack.ts'
import type { ServiceName } from '../../contract/services.ts'

/** The tables as `migrations/` makes them; the same in every engine. Times are ms since the epoch. */
export type Tables = {
  account: AccountTable
  api_key: ApiKeyTable
  pack: PackTable
  public_block: PublicBlockTable
}

export type AccountTable = {
  id: string
  game_id: number | null
  username: string | null
  created_at: number
}

export type ApiKeyTable = {
  account_id: string
  service: ServiceName
  hash: string
  shown: string
  created_at: number
}

export type PackTable = {
  id: Generated<number>
  slug: string
  owner_id: string
  created_at: number
} & PackStateColumns

/** What changes over a pack's life; `slots`, `buckets`, `exports` and `stats` are JSON. */
export type PackStateColumns = {
  name: string
  visibility: Visibility
  description: string | null
  slots: string
  buckets: string | null
  pack_key: string
  exports: string
  hidden_at: number | null
  pinned_rank: number | null
  stats: string | null
  updated_at: number
}

export type PublicBlockTable = {
  first_updated_at: number
  first_id: number
  size: number
}
