import type { ModeratedPackReply } from '../../contract/moderation.ts'
import { presentModeratedPack } from '../../domain/moderation.ts'
import type { Session } from '../../domain/sessions.ts'
import { moderatePack } from '../../operations/moderate-pack.ts'
import type { SiteContext } from '../site-context.ts'

type Verdict = 'hide' | 'unhide' | 'pin' | 'unpin'

type VerdictCall = {
  readonly viewer: Session
  readonly slug: string
  readonly body: { readonly reason?: string }
}

/** The handler of one verdict: the four differ in nothing else. */
export const handleModeratePack =
  (verdict: Verdict) =>
  async (
    { ports, settings }: SiteContext,
    { viewer, slug, body }: VerdictCall,
  ): Promise<{ readonly json: ModeratedPackReply }> => {
    const row = await moderatePack(ports, viewer, slug, verdict, body.reason)
    return { json: { pack: presentModeratedPack(row, viewer, settings.poolsOwnerName) } }
  }
