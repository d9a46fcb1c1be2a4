import type { StaffRole } from '../../contract/tournaments.ts'

/** What a role may do, as the table of the service has it (D-61). */
export type Rights = {
  /** Change rounds and slots, settle any remark, remove any candidate. */
  readonly drafts: boolean
  /** Propose, vote, remark. */
  readonly discusses: boolean
  /** Release, delete what is released, change the tournament and its staff. */
  readonly hosts: boolean
}

export const rightsOf = (role: StaffRole): Rights => ({
  drafts: role === 'host' || role === 'pooler',
  discusses: role !== 'referee',
  hosts: role === 'host',
})

export const roleWords: Readonly<Record<StaffRole, readonly [name: string, what: string]>> = {
  host: ['Host', 'Everything: rounds, releases, staff'],
  pooler: ['Pooler', 'Drafts rounds and slots'],
  tester: ['Tester', 'Sees drafts, proposes, votes, remarks'],
  referee: ['Referee', 'Sees drafts'],
}

export const roles = ['host', 'pooler', 'tester', 'referee'] as const satisfies readonly StaffRole[]
