import type { SitePackReply } from '../../contract/site-pack.ts'
import { presentSitePack } from '../../domain/present-site-pack.ts'
import type { SavedPack } from '../../domain/saved-pack.ts'
import type { Session } from '../../domain/session.ts'
import type { SiteContext } from '../site-context.ts'

/** The answer that gives one pack to somebody who may see it. */
export const sitePackReply = (
  { settings }: SiteContext,
  viewer: Session | null,
  pack: SavedPack,
): SitePackReply => ({ pack: presentSitePack(pack, viewer, settings.poolsOwnerName) })
