import { expect, it } from 'vitest'
import { asOperatorFor } from '../../src/domain/moderation.ts'
import { moderateTournament, createTournament } from '../../src/operations/tournaments.ts'
import { removeMember } from '../../src/operations/staff.ts'
import { openScene } from './tournament-scene.ts'

it('copies the rounds of a tournament that the account may read, with ids of their own and the ruleset', async () => {
  const { ports, make, change } = await openScene()
  const { slug, roundId } = await make({ state: 'public', round: 'released' })
  await change(slug, (saved) => ({ ...saved, ruleset: 'taiko' }))
  const facts = { name: 'Next Cup', visibility: 'private', from: slug } as const
  const copy = await createTournament(ports, 'tester', facts)
  expect(copy).toMatchObject({
    name: 'Next Cup',
    ruleset: 'taiko',
    copiedFrom: slug,
    staff: [{ accountId: 'tester', role: 'host' }],
    rounds: [{ name: 'Quarterfinals', released: null }],
  })
  expect(copy.slug).not.toBe(slug)
  expect(copy.rounds[0]!.id).not.toBe(roundId)
  const other = await createTournament(ports, 'tester', { ...facts, ruleset: 'mania' })
  expect(other.ruleset).toBe('mania')
  const { from: _, ...alone } = facts
  expect(await createTournament(ports, 'tester', alone)).toMatchObject({
    ruleset: 'base',
    copiedFrom: null,
    rounds: [],
  })
})

it('copies nothing of one that the account may not read (D-60)', async () => {
  const { ports, make } = await openScene()
  const { slug } = await make()
  for (const from of [slug, 'no-such-01', 'no slug']) {
    const made = createTournament(ports, 'stranger', { name: 'Next', visibility: 'private', from })
    await expect(made).rejects.toMatchObject({ code: 'not_found' })
  }
})

it('is hidden and shown once; what changes nothing is no note in the log (D-76)', async () => {
  const { ports, make, clock } = await openScene()
  const { slug } = await make({ state: 'public' })
  const by = (reason: string) => asOperatorFor(reason)
  const seen = async (action: 'hide' | 'unhide', reason: string) => {
    clock.advance(1_000)
    const { before, ...after } = await moderateTournament(ports, slug, action, by(reason))
    return [before.hiddenReason, after.hiddenReason]
  }
  const log = async () => (await ports.packs.readLog(1, 50)).rows.map(({ action }) => action)
  expect(await seen('unhide', 'why')).toEqual([null, null])
  expect(await log()).toEqual([])
  expect(await seen('hide', 'spam')).toEqual([null, 'spam'])
  expect(await seen('hide', 'spam')).toEqual(['spam', 'spam'])
  expect(await log()).toHaveLength(1)
  expect(await seen('hide', 'ads')).toEqual(['spam', 'ads'])
  expect(await seen('unhide', 'why')).toEqual(['ads', null])
  expect(await log()).toHaveLength(3)
  const nowhere = moderateTournament(ports, 'no slug', 'hide', by('spam'))
  await expect(nowhere).rejects.toMatchObject({ code: 'not_found' })
})

it('keeps a host who is not suspended (D-76)', async () => {
  const { ports, make, change, gameIds, clock } = await openScene()
  const { slug } = await make()
  await change(slug, (saved) => ({
    ...saved,
    staff: saved.staff.map((each) =>
      each.accountId === 'pooler' ? { ...each, role: 'host' as const } : each,
    ),
  }))
  const note = { moderatorId: null, reason: 'spam', action: 'suspend', at: clock.now() } as const
  await ports.suspensions.suspend(gameIds.pooler, note)
  await expect(removeMember(ports, 'host', slug, gameIds.host)).rejects.toMatchObject({
    code: 'conflict',
    reason: 'other_hosts_suspended',
  })
})
