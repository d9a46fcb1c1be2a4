import { afterAll, describe, expect, it } from 'vitest'
import { SYSTEM_ACCOUNT_ID } from '../../src/domain/accounts.ts'
import { hidePack } from '../../src/operations/moderation.ts'
import { createPack } from '../../src/operations/packs.ts'
import { expectError } from '../support/door.ts'
import { openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { seed } from './seed.ts'
import { withoutQuotas } from './spend.ts'
import { expectStanding } from './standing.ts'

const house = await openHouse({ withPorts: withoutQuotas })
afterAll(() => house.close())

describe('409 conflict', () => {
  it('comes with the 201st pack, and no longer once one is deleted (spec 4.1 rule 7)', async () => {
    const host = await house.host()
    const visibilities = ['private', 'unlisted', 'public'] as const
    const [first, second] = await seed(house, host, 199, (at) => ({
      visibility: visibilities[at % 3]!,
    }))
    await hidePack(house.ports, second!)
    expect((await host.post(aPack())).status).toBe(201)
    const reply = await host.post(aPack())
    expectError(reply, 'conflict', 'you already have 200 saved packs; delete one first')
    expectStanding(reply)
    expect(reply.headers.has('location')).toBe(false)
    expect((await host.get('/me/packs')).json.total).toBe(200)
    expect((await host.put(second!, aPack())).status).toBe(200)
    expect((await (await house.host()).post(aPack())).status).toBe(201)
    await host.delete(first!)
    expect((await host.post(aPack())).status).toBe(201)
  })

  it('holds under 50 POSTs at once: exactly 200 are there in the end (D-28)', async () => {
    const host = await house.host()
    await seed(house, host, 170)
    const replies = await Promise.all(Array.from({ length: 50 }, () => host.post(aPack())))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(30)
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(20)
    expect((await host.get('/me/packs')).json.total).toBe(200)
    const slugs = replies.flatMap(({ json }) => json.pack?.slug ?? [])
    expect(new Set(slugs).size).toBe(30)
  })

  it('does not bind the account that owns the tournament pools (D-28)', async () => {
    const { packs } = house.ports
    for (let count = 0; count < 201; count += 1) {
      await createPack(house.ports, SYSTEM_ACCOUNT_ID, aPack())
    }
    expect((await packs.listOwned(SYSTEM_ACCOUNT_ID, 1, 50)).total).toBe(201)
  })
})
