import type { ServiceName } from '../../contract/services.ts'
import type { poolsSiteApi, siteApi } from '../../contract/session-api.ts'
import { handleCreatePack } from '../handlers/create-pack.ts'
import { handleDeleteAccount } from '../handlers/delete-account.ts'
import { handleDeletePack } from '../handlers/delete-pack.ts'
import { handleGetKey } from '../handlers/get-key.ts'
import { handleGetMyData } from '../handlers/get-my-data.ts'
import { handleGetPack } from '../handlers/get-pack.ts'
import { handleGetSession } from '../handlers/get-session.ts'
import { handleListModerated } from '../handlers/list-moderated.ts'
import { handleListMyPacks } from '../handlers/list-my-packs.ts'
import { handleLookAtBeatmaps } from '../handlers/look-at-beatmaps.ts'
import { handleMakeKey } from '../handlers/make-key.ts'
import { handleModeratePack } from '../handlers/moderate-pack.ts'
import { handleOrderPins } from '../handlers/order-pins.ts'
import { handleReadModerationLog } from '../handlers/read-moderation-log.ts'
import { handleRecordMagnet } from '../handlers/record-magnet.ts'
import { handleRemoveMagnet } from '../handlers/remove-magnet.ts'
import { handleReplacePack } from '../handlers/replace-pack.ts'
import { handleRevokeKey } from '../handlers/revoke-key.ts'
import {
  handleEndOtherSessions,
  handleEndSession,
  handleListSessions,
} from '../handlers/sessions.ts'
import { handleSignOut } from '../handlers/sign-out.ts'
import type { AnySiteHandler, SiteHandlerTable } from './site-handler.ts'

const pools: SiteHandlerTable<typeof poolsSiteApi> = {
  getSession: handleGetSession,
  signOut: handleSignOut,
  listSessions: handleListSessions,
  endSession: handleEndSession,
  endOtherSessions: handleEndOtherSessions,
  getKey: handleGetKey,
  makeKey: handleMakeKey,
  revokeKey: handleRevokeKey,
}

const packs: SiteHandlerTable<typeof siteApi> = {
  ...pools,
  listMyPacks: handleListMyPacks,
  createPack: handleCreatePack,
  getPack: handleGetPack,
  replacePack: handleReplacePack,
  deletePack: handleDeletePack,
  recordMagnet: handleRecordMagnet,
  removeMagnet: handleRemoveMagnet,
  lookAtBeatmaps: handleLookAtBeatmaps,
  getMyData: handleGetMyData,
  deleteAccount: handleDeleteAccount,
  listModerated: handleListModerated,
  hidePack: handleModeratePack('hide'),
  unhidePack: handleModeratePack('unhide'),
  pinPack: handleModeratePack('pin'),
  unpinPack: handleModeratePack('unpin'),
  orderPins: handleOrderPins,
  readModerationLog: handleReadModerationLog,
}

/** Each site's handlers by the endpoint's name; the types above hold each to its endpoint. */
export const siteHandlersOf: Readonly<
  Record<ServiceName, Readonly<Record<string, AnySiteHandler>>>
> = { packs, pools }
