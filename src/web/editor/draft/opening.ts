import type { SitePack } from '../../../contract/site-pack.ts'
import type { Found } from './drafts.ts'
import { type Edit, editOf, emptyEdit, isSameEdit } from '../edit.ts'

/** What the page begins with. */
export type Opening = {
  readonly edit: Edit
  /** `pack`: as it is saved, or nothing. `draft`: what was left unsaved. */
  readonly from: 'pack' | 'draft'
  /** When the draft was changed last, in milliseconds since 1970. */
  readonly draftedAt: number | null
  /** The pack has been saved elsewhere since the draft began. */
  readonly isOutdated: boolean
  /** There was a draft, but nothing could be read in it. */
  readonly wasDamaged: boolean
}

/** Goes on with a draft where there is one that says more than the pack. */
export const openingOf = (pack: SitePack | null, found: Found): Opening => {
  const saved = pack === null ? emptyEdit : editOf(pack)
  const plain: Opening = {
    edit: saved,
    from: 'pack',
    draftedAt: null,
    isOutdated: false,
    wasDamaged: found === 'damaged',
  }
  if (found === 'none' || found === 'damaged' || isSameEdit(found.edit, saved)) return plain
  return {
    edit: found.edit,
    from: 'draft',
    draftedAt: found.changedAt,
    isOutdated: found.basedOn !== (pack?.updatedAt ?? null),
    wasDamaged: false,
  }
}
