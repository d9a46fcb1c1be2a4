import { UserReply } from './accounts.ts'
import { ChangePage, ChangeQuery } from './changes.ts'
import { type EndpointTable, type PublishedEndpoint, routed } from './endpoint.ts'
import { HistoryPage, HistorySwitch, VersionReply } from './history.ts'
import { OpenapiReply } from './openapi/types.ts'
import { PackInput, PackPage, PackReply } from './packs.ts'
import { followApi, tournamentApi, usageApi } from './pools-api.ts'
import { packsRoutes, sharedRoutes } from './routes.ts'

/** The two services; each has its own keys and its own counters (D-7). */
export const serviceNames = ['packs', 'pools'] as const
export type ServiceName = (typeof serviceNames)[number]

/** Names of the services in messages. */
export const serviceTitles: Readonly<Record<ServiceName, string>> = {
  packs: 'packs service',
  pools: 'tournament-pools service',
}

const pack = { auth: 'key', topic: 'Packs' } as const
const listing = { ...pack, paged: true } as const

/** The same on both services (spec 4, D-11). */
export const sharedApi = routed(sharedRoutes, {
  getMe: {
    auth: 'key',
    topic: 'Account',
    summary: 'Who owns this key',
    description: 'The account that the key belongs to.',
    success: { status: 200, description: 'The account.', schema: UserReply },
  },
  getOpenapi: {
    auth: 'none',
    topic: 'Description',
    summary: 'This document',
    description:
      'The OpenAPI 3.1 description of this service. Needs no key and counts toward no limit.',
    success: { status: 200, description: 'The OpenAPI 3.1 document.', schema: OpenapiReply },
  },
})

/** The packs service (spec 4.1). */
export const packsApi = {
  getMe: sharedApi.getMe,
  ...routed(packsRoutes, {
    listMyPacks: {
      ...listing,
      summary: 'Your packs',
      description: 'Your packs of any visibility, most recently updated first, 50 a page.',
      success: { status: 200, description: 'One page of your packs.', schema: PackPage },
    },
    listPacks: {
      ...listing,
      summary: 'Public packs',
      description: 'Public packs, most recently updated first, 50 a page.',
      success: { status: 200, description: 'One page of public packs.', schema: PackPage },
    },
    createPack: {
      ...pack,
      summary: 'Save a new pack',
      description:
        'Saves a pack of your own; unlisted unless the body says otherwise. Stats follow in a few seconds. With an `Idempotency-Key` it can be sent again without a second pack.',
      body: PackInput,
      success: { status: 201, description: 'The new pack, without stats.', schema: PackReply },
      refusals: [409],
    },
    getPack: {
      ...pack,
      summary: 'One pack',
      description: 'A public or unlisted pack, or any pack of your own.',
      success: { status: 200, description: 'The pack.', schema: PackReply },
    },
    replacePack: {
      ...pack,
      summary: 'Replace a pack',
      description:
        'Replaces the whole pack: what is left out takes its default, so that an omitted description is cleared, and an omitted visibility becomes unlisted. Changing maps, slots or name clears the recorded magnet links. With `If-Match`, only if the pack has not changed since it was read.',
      body: PackInput,
      success: { status: 200, description: 'The pack as it is now.', schema: PackReply },
    },
    deletePack: {
      ...pack,
      summary: 'Delete a pack',
      description:
        'Deletes a pack of your own for good. With `If-Match`, only if it has not changed since it was read.',
      success: { status: 204, description: 'The pack is gone.', schema: null },
    },
    getHistory: {
      ...listing,
      summary: 'The history of a pack',
      description:
        'What saves have made of a pack, newest first, 50 a page; the newest 100 versions are kept. Of a pack of your own, all of them. Of any other, if its owner has opened the history and you may read the pack: the versions that were saved while the pack was neither private nor hidden.',
      success: { status: 200, description: 'One page of versions.', schema: HistoryPage },
    },
    getVersion: {
      ...pack,
      summary: 'One version of a pack',
      description:
        'A version of the history with its slots and buckets. To restore it, replace the pack by the whole version, with the visibility that you want; what is only answered is ignored.',
      success: { status: 200, description: 'The version.', schema: VersionReply },
    },
    setHistoryPublic: {
      ...pack,
      summary: 'Open or close the history',
      description:
        'Lets everyone who may read a pack of your own read its history, too, or nobody but you. The pack, its `updatedAt` and its versions stay as they are. With `If-Match`, only if the first page of the history has the ETag.',
      body: HistorySwitch,
      success: { status: 204, description: 'Done.', schema: null },
    },
    getChanges: {
      ...pack,
      summary: 'What has changed',
      description:
        'What has happened to public packs, and to your own, in the order in which it was saved. With `wait`, the answer comes as soon as there is something. Send the `cursor` of each answer as `after` of the next request, and you get every change once. Changes are kept for 30 days.',
      query: ChangeQuery,
      success: { status: 200, description: 'Up to 100 changes.', schema: ChangePage },
      refusals: [410],
    },
  }),
  getOpenapi: sharedApi.getOpenapi,
}

/** The tournament-pools service (spec 4.2). */
export const poolsApi = {
  getMe: sharedApi.getMe,
  ...tournamentApi,
  ...usageApi,
  ...followApi,
  getOpenapi: sharedApi.getOpenapi,
}

export const endpointsOf: Readonly<Record<ServiceName, EndpointTable<PublishedEndpoint>>> = {
  packs: packsApi,
  pools: poolsApi,
}
