import type { SitePackReply } from '../../contract/packs.ts'
import { presentSitePack, type SavedPack } from '../../domain/packs.ts'
import type { Session } from '../../domain/sessions.ts'
import type { SiteContext } from '../site-context.ts'

/** The answer that gives one pack to somebody who may see it. */
export const sitePackReply = (
  { settings }: SiteContext,
  viewer: Session | null,
  pack: SavedPack,
): SitePackReply => ({ pack: presentSitePack(pack, viewer, settings.poolsOwnerName) })
