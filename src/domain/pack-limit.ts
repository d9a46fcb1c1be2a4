import { MAX_PACKS } from '../contract/bounds.ts'
import { SYSTEM_ACCOUNT_ID } from './account.ts'

/** How many packs an account may keep; null is no limit, for the system account (D-28). */
export const packLimitOf = (ownerId: string): number | null =>
  ownerId === SYSTEM_ACCOUNT_ID ? null : MAX_PACKS
