import { expect, it } from 'vitest'
import { touchRules } from '../../src/adapters/storage/caches.ts'
import type { Tables } from '../../src/adapters/storage/tables.ts'

/** Whether a change of the column makes old what is kept in memory of packs; the compiler asks for each column. */
const ofPacks: Readonly<Record<keyof Tables['pack'], boolean>> = {
  slug: true,
  owner_id: true,
  name: true,
  visibility: true,
  description: true,
  other_fields: true,
  slots: true,
  buckets: true,
  pack_key: true,
  content_hash: true,
  exports: true,
  hidden_at: true,
  hidden_reason: true,
  pinned_rank: true,
  stats: true,
  history_public: true,
  version: true,
  version_at: true,
  version_hidden: true,
  updated_at: true,
  // They never change.
  id: false,
  created_at: false,
  // Hiding the pack changes `hidden_at`, too.
  suspended: false,
  // The queue of the worker.
  stats_due_at: false,
  stats_lease_until: false,
  stats_lease_token: false,
  stats_attempts: false,
  ask_again_at: false,
}

/** The same of the lists of tournaments. */
const ofTournaments: Readonly<Record<keyof Tables['tournament'], boolean>> = {
  slug: true,
  name: true,
  short_name: true,
  description: true,
  ruleset: true,
  year: true,
  rank_min: true,
  rank_max: true,
  link: true,
  visibility: true,
  announce_rounds: true,
  copied_from: true,
  hidden_at: true,
  hidden_reason: true,
  created_at: true,
  public_at: true,
  // Of the staff alone.
  discord_url: false,
  discord_off: false,
  updated_at: false,
  mark: false,
  // Hiding the tournament changes `hidden_at`, too.
  suspended: false,
}

it.each([
  ['pack', 'packs', ofPacks, `'pack ' || new.slug`],
  ['tournament', 'the lists of tournaments', ofTournaments, `'tournaments'`],
] as const)('every column of %s makes old what is kept of %s, or need not', (table, _, of, tag) => {
  const rule = touchRules.find((each) => each.table === table && each.tags('new').includes(tag))
  const changing = Object.entries(of).flatMap(([column, isChanging]) => (isChanging ? column : []))
  expect(rule?.columns?.toSorted()).toEqual(changing.toSorted())
})
