import { describe, expect, it } from 'vitest'
import { SYSTEM_ACCOUNT_ID } from '../../src/domain/accounts.ts'
import { readOwnerPage } from '../../src/operations/owner-page.ts'
import { aTournament } from '../domain/a-tournament.ts'
import { aNewPack } from '../ports/sample-pack.ts'

/** What the page of a name shows of an account with so many public packs, and so many tournaments that it hosts. */
const pageOf = (name: string, packs: number, hosted: number) => {
  const asked: unknown[] = []
  const rows = Array.from({ length: packs }, () => ({ ...aNewPack(), ownerUsername: 'Ada' }))
  const ports = {
    accounts: {
      findByUsername: async (given: string) =>
        given.toLowerCase() === 'ada' ? { id: 'ada', username: 'Ada' } : undefined,
    },
    packs: {
      listOwnedPublic: async (...given: unknown[]) => {
        asked.push(given)
        return { rows, total: packs }
      },
    },
    tournaments: {
      listHosted: async (...given: unknown[]) => {
        asked.push(given)
        return Array.from({ length: hosted }, () => ({ ...aTournament(), hosts: ['Ada'] }))
      },
    },
  }
  return { page: readOwnerPage(ports as never, name, 2, 'Tournament pools'), asked }
}

describe('the page of an owner (D-66)', () => {
  it.each([
    ['packs', 1, 0],
    ['tournaments', 0, 1],
    ['both', 2, 1],
  ])(
    'has the public ones of who has %s, and the name as it is spelled',
    async (_, packs, hosted) => {
      const { page, asked } = pageOf('aDA', packs, hosted)
      const shown = await page
      expect(shown).toMatchObject({ name: 'Ada', page: 2, total: packs })
      expect([shown!.packs.length, shown!.tournaments.length]).toEqual([packs, hosted])
      expect(asked).toEqual([
        ['ada', 2, 50],
        ['ada', 50],
      ])
    },
  )

  it('is none for an account without any, as for a name without an account', async () => {
    for (const name of ['Ada', 'Eve']) expect(await pageOf(name, 0, 0).page).toBeNull()
    expect(await pageOf('Eve', 3, 3).page).toBeNull()
  })

  it('is that of the tournament pools by their label, in any case, whoever else is called so', async () => {
    const { page, asked } = pageOf('tournament POOLS', 1, 0)
    expect(await page).toMatchObject({ name: 'Tournament pools' })
    expect(asked[0]).toEqual([SYSTEM_ACCOUNT_ID, 2, 50])
  })
})
