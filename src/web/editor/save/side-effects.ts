import * as texts from '#texts/editor'
import type { SitePack } from '../../../contract/packs.ts'
import type { Edit } from '../edit.ts'

/** A new pack key clears the magnet links (D-27); a pack that is not public loses its pin (D-30). */
export function sideEffects(saved: SitePack | null, edit: Edit, packKey: string | null) {
  const links = packKey === null || packKey === saved?.packKey ? 0 : (saved?.exports.length ?? 0)
  const unpins = saved?.isPinned && edit.visibility !== 'public'
  return {
    magnets: links > 0 ? texts.linksGo({ n: links }) : null,
    pin: unpins ? texts.pinGoes : null,
  }
}
