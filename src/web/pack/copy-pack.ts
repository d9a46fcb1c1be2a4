import { NAME_LENGTH } from '../../contract/bounds.ts'
import type { PackInput, SitePack } from '../../contract/packs.ts'

const SUFFIX = ' (copy)'

/** `Finals (copy)`, within what a name may have (D-19). */
export const copyName = (name: string): string => {
  const room = NAME_LENGTH - SUFFIX.length
  const cut = name.slice(0, room)
  return `${(cut.isWellFormed() ? cut : cut.slice(0, -1)).trimEnd()}${SUFFIX}`
}

/** What to save for a copy that only its owner finds. The words of somebody else are left out. */
export const copyOf = (pack: SitePack): PackInput => ({
  name: pack.isMine ? copyName(pack.name) : pack.name,
  visibility: pack.visibility === 'private' ? 'private' : 'unlisted',
  slots: pack.slots,
  ...(pack.buckets && { buckets: pack.buckets }),
  ...(pack.isMine && pack.description !== undefined && { description: pack.description }),
})
