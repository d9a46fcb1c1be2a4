import { PAGE_SIZE, pageNumbers } from '../contract/bounds.ts'
import type { OwnerPage } from '../contract/page-data.ts'
import { SYSTEM_ACCOUNT_ID } from '../domain/accounts.ts'
import { indexEntryOf } from '../domain/packs.ts'
import { presentSummary } from '../domain/tournament-views.ts'
import type { Ports } from '../ports/ports.ts'

type OwnerPorts = Pick<Ports, 'accounts' | 'packs' | 'tournaments'>

/** Of those that an owner hosts, so many at most. */
const MOST_TOURNAMENTS = 50

/**
 * An owner's public packs and tournaments, for anybody (D-66). null for owners without any, as for names that
 * no player has: so it does not reveal who has an account.
 *
 * @param name in any case.
 * @param page of the packs, from 1.
 */
export async function readOwnerPage(
  { accounts, packs, tournaments }: OwnerPorts,
  name: string,
  page: number,
  poolsOwnerName: string,
): Promise<OwnerPage | null> {
  const isSystem = name.toLowerCase() === poolsOwnerName.toLowerCase()
  const account = isSystem ? null : await accounts.findByUsername(name)
  const ownerId = isSystem ? SYSTEM_ACCOUNT_ID : account?.id
  if (ownerId === undefined) return null
  const [list, hosted] = await Promise.all([
    packs.listOwnedPublic(ownerId, page, PAGE_SIZE),
    tournaments.listHosted(ownerId, MOST_TOURNAMENTS),
  ])
  if (list.total === 0 && hosted.length === 0) return null
  return {
    name: isSystem ? poolsOwnerName : (account?.username ?? name),
    packs: list.rows.map((pack) =>
      indexEntryOf({ ...pack, slotCount: pack.slots.length }, poolsOwnerName),
    ),
    ...pageNumbers(page, list.total),
    tournaments: hosted.map((each) => presentSummary(each, null)),
  }
}
