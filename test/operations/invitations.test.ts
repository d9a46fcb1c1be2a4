import { expect, it } from 'vitest'
import type { Session } from '../../src/domain/sessions.ts'
import {
  acceptInvitation,
  listInvitations,
  makeInvitation,
  readInvitation,
  withdrawInvitation,
} from '../../src/operations/invitations.ts'
import { openScene, people, type Person } from './tournament-scene.ts'

const DAY = 86_400_000
const NO_TOKEN = 'a'.repeat(43)

const open = async () => {
  const { ports, clock, gameIds, make, read, change } = await openScene()
  const { slug, roundId } = await make()
  const invite = (role: 'pooler' | 'tester' = 'tester', rounds: readonly string[] | null = null) =>
    makeInvitation(ports, 'host', slug, { role, rounds })
  const accept = (person: Person, token: string) => {
    const who = { accountId: person, gameId: gameIds[person], username: `A ${person}` }
    return acceptInvitation(ports, who as Session, token)
  }
  const list = () => listInvitations(ports, 'host', slug)
  const roleOf = async (person: Person) =>
    (await read(slug))?.staff.find(({ accountId }) => accountId === person)?.role
  return { ports, clock, slug, roundId, invite, accept, list, roleOf, change }
}

const notFound = { code: 'not_found' }

it('is made, listed, withdrawn by hosts alone; the link is kept nowhere (D-61)', async () => {
  const { ports, clock, slug, invite, list } = await open()
  const first = await invite()
  clock.advance(1)
  const { invitation, token } = await invite('pooler')
  expect(token).toMatch(/^[\w-]{43}$/)
  const createdAt = clock.now()
  expect(invitation).toEqual({
    id: expect.stringMatching(/^[\w-]{10}$/),
    slug,
    role: 'pooler',
    rounds: null,
    createdBy: 'host',
    createdAt,
    expiresAt: createdAt + 7 * DAY,
  })
  expect(await list()).toEqual([invitation, first.invitation])
  for (const person of people.slice(1)) {
    const refused = person === 'stranger' ? notFound : { code: 'forbidden' }
    await expect(listInvitations(ports, person, slug)).rejects.toMatchObject(refused)
    const made = makeInvitation(ports, person, slug, { role: 'tester' })
    await expect(made).rejects.toMatchObject(refused)
    const withdrawn = withdrawInvitation(ports, person, slug, invitation.id)
    await expect(withdrawn).rejects.toMatchObject(refused)
  }
  await withdrawInvitation(ports, 'host', slug, invitation.id)
  await expect(withdrawInvitation(ports, 'host', slug, invitation.id)).rejects.toMatchObject(
    notFound,
  )
  await expect(readInvitation(ports, token)).rejects.toMatchObject(notFound)
  expect(await list()).toEqual([first.invitation])
})

it('refuses rounds that are not there, another tournament, and the 25th', async () => {
  const { ports, invite } = await open()
  await expect(invite('tester', ['none'])).rejects.toMatchObject({ code: 'bad_request' })
  const elsewhere = makeInvitation(ports, 'host', 'none', { role: 'tester' })
  await expect(elsewhere).rejects.toMatchObject(notFound)
  for (let n = 0; n < 24; n += 1) await invite()
  await expect(invite()).rejects.toMatchObject({
    code: 'conflict',
    reason: 'too_many_invitations',
  })
})

it('says what it is for, and lets one account join, for seven days', async () => {
  const { ports, clock, slug, roundId, invite, accept, roleOf } = await open()
  const { invitation, token } = await invite('tester', [roundId])
  const offer = { tournament: { slug }, invitation: { role: 'tester', rounds: [roundId] } }
  expect(await readInvitation(ports, token)).toMatchObject(offer)
  expect(await accept('stranger', token)).toMatchObject(offer)
  expect(await roleOf('stranger')).toBe('tester')
  const late = await invite('pooler')
  clock.set(new Date(late.invitation.expiresAt).toISOString())
  for (const none of [token, late.token, NO_TOKEN, 'no token', invitation.id]) {
    await expect(readInvitation(ports, none)).rejects.toMatchObject(notFound)
    await expect(accept('referee', none)).rejects.toMatchObject(notFound)
  }
  expect(await roleOf('referee')).toBe('referee')
})

it('keeps a higher role, and is still valid then', async () => {
  const { ports, invite, accept, roleOf } = await open()
  const { token } = await invite('tester')
  expect(await accept('pooler', token)).toMatchObject({ invitation: { role: 'tester' } })
  expect(await roleOf('pooler')).toBe('pooler')
  expect(await readInvitation(ports, token)).toMatchObject({ invitation: { role: 'tester' } })
})

it('refuses an account that is gone, and a host who is one of too many tournaments', async () => {
  const { ports, clock, slug, invite, accept } = await open()
  const { token } = await invite()
  await ports.accounts.remove('stranger', clock.now())
  await expect(accept('stranger', token)).rejects.toMatchObject({ code: 'invalid_api_key' })
  const host = await makeInvitation(ports, 'host', slug, { role: 'host' })
  for (let n = 0; n < 20; n += 1) {
    const facts = {
      ...(await ports.tournaments.read(slug))!,
      slug: `slug${String(n).padStart(6, '0')}`,
    }
    await ports.tournaments.create({ ...facts, createdAt: n }, 'tester', 1_000)
  }
  await expect(accept('tester', host.token)).rejects.toMatchObject({
    code: 'conflict',
    reason: 'too_many_tournaments',
  })
})
