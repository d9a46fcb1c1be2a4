import * as texts from '#texts/staff'
import type { StaffRole } from '../../contract/tournaments.ts'

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
