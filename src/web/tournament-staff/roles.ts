import * as texts from '#texts/staff'
import type { StaffRole, Tournament } from '../../contract/tournaments.ts'
import { orGone } from '../lost-answers.ts'
import { shownText } from '../parts/labels.tsx'
import { leaveFor } from '../parts/toasts.tsx'
import { takeTyped } from '../parts/typed-text.ts'
import { poolsCall } from '../pools-api.ts'
import { isNotFound } from '../site-failure.ts'

/** What a role may do, as the table of the service has it (D-61). */
export type Rights = {
  /** Change rounds and slots, settle any remark, remove any candidate. */
  readonly drafts: boolean
  /** Add rounds and arrange them, a whole sheet too. */
  readonly arranges: boolean
  /** Propose, vote, remark. */
  readonly discusses: boolean
  /** Release, delete what is released, change the tournament and its staff. */
  readonly hosts: boolean
}

/** @param isLimited they are limited to rounds: of these they may do what their role may (D-81). */
export const rightsOf = (role: StaffRole, isLimited: boolean): Rights => ({
  drafts: role === 'host' || role === 'pooler',
  arranges: (role === 'host' || role === 'pooler') && !isLimited,
  discusses: role !== 'referee',
  hosts: role === 'host',
})

export const roleWords: Readonly<Record<StaffRole, readonly [name: string, what: string]>> = {
  host: [texts.host, texts.hostRights],
  pooler: [texts.pooler, texts.poolerRights],
  tester: [texts.tester, texts.testerRights],
  referee: [texts.referee, texts.refereeRights],
}

export const roles = ['host', 'pooler', 'tester', 'referee'] as const satisfies readonly StaffRole[]

/**
 * For `useAction`: leaves for the list where what a dialog is about is not found, as the tournament is gone, or its reader
 * is no longer on the staff. Nothing can be done in the dialog then, and what the page says of it is under the dialog.
 */
export const orLeave =
  ({ slug, name }: Tournament) =>
  async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (failure) {
      if (!isNotFound(failure)) throw failure
      // Only the staff may read who is in it.
      if ((await orGone(poolsCall('listStaff', { slug }))) !== null) throw failure
      takeTyped()
      await leaveFor('/my', texts.accessLost({ name: shownText(name) }))
    }
  }
