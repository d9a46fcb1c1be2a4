import type { packsApi, poolsApi, ServiceName } from '../contract/services.ts'
import type { AnyHandler, HandlerTable } from './handler.ts'
import { handleCreatePack } from './handlers/create-pack.ts'
import { handleDeletePack } from './handlers/delete-pack.ts'
import { handleGetMe } from './handlers/get-me.ts'
import { handleGetOpenapi } from './handlers/get-openapi.ts'
import { handleGetPack } from './handlers/get-pack.ts'
import { handleListMyPacks } from './handlers/list-my-packs.ts'
import { handleListPacks } from './handlers/list-packs.ts'
import { handleReplacePack } from './handlers/replace-pack.ts'

const packs: HandlerTable<typeof packsApi> = {
  getMe: handleGetMe,
  listMyPacks: handleListMyPacks,
  listPacks: handleListPacks,
  createPack: handleCreatePack,
  getPack: handleGetPack,
  replacePack: handleReplacePack,
  deletePack: handleDeletePack,
  getOpenapi: handleGetOpenapi,
}

const pools: HandlerTable<typeof poolsApi> = { getMe: handleGetMe, getOpenapi: handleGetOpenapi }

/** Each service's handlers by operation id; the types above hold each to its endpoint. */
export const handlersOf: Readonly<Record<ServiceName, Readonly<Record<string, AnyHandler>>>> = {
  packs,
  pools,
}
