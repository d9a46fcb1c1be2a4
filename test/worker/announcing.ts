import type { Stores } from '../../src/adapters/storage/stores.ts'
import { addOwners, tempSqliteStore } from '../ports/temp-store.ts'
import { ScriptedChat } from '../support/chat-scene.ts'
import { HandClock } from '../support/hand-clock.ts'

/** In ms: for how long a process keeps an announcement that it has taken, and a minute. */
export const LEASE = 15_000
export const MINUTE = 60_000

/** What messages call the site, and where their links lead. */
export const sites = {
  name: 'Harbour Cups',
  tournamentsUrl: 'https://pools.test',
  packsUrl: 'https://packs.test',
}

export type Announcing = {
  readonly store: Awaited<ReturnType<typeof tempSqliteStore>>
  readonly stores: Stores
  readonly clock: HandClock
  readonly chat: ScriptedChat
}

/** A store with owners of tournaments, a clock that is set by hand, and a chat in memory. */
export const openAnnouncing = async (): Promise<Announcing> => {
  const store = await tempSqliteStore()
  const stores = await store.open()
  await addOwners(stores)
  return { store, stores, clock: new HandClock(), chat: new ScriptedChat() }
}
