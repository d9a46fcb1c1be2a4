import { beforeAll, describe, expect, it } from 'vitest'
import type { Stores } from '../../../src/adapters/storage/stores.ts'
import { asOperatorFor } from '../../../src/domain/moderation.ts'
import { addOwners, withStore } from '../temp-store.ts'

describe('SuspensionStore', () => {
  let one: Stores
  let two: Stores

  withStore(beforeAll, async (opened) => {
    ;({ one, two } = opened)
    await addOwners(one)
    await one.accounts.ensurePlayer({ gameId: 3, username: 'mapper two' }, 'third', 0)
    await one.accounts.ensurePlayer({ gameId: 4, username: 'a 9 and 3' }, 'fourth', 0)
    for (const gameId of [3, 8]) await one.accounts.setModerator(gameId, true, 0)
    const byThird = { moderatorId: 'third', reason: 'spam', action: 'suspend', at: 5 } as const
    const ofOperator = { ...asOperatorFor('ads'), action: 'suspend', at: 7 } as const
    expect(await one.suspensions.suspend(2, byThird)).toBe('suspended')
    expect(await one.suspensions.suspend(9, ofOperator)).toBe('suspended')
  })

  const bySpam = { at: 5, reason: 'spam', by: { username: 'mapper two' } }
  const byOperator = { at: 7, reason: 'ads', by: 'operator' }
  const mapper = { gameId: 1, username: 'mapper', isModerator: false, suspension: null }
  const somebody = { gameId: 2, username: 'somebody', isModerator: false, suspension: bySpam }
  const second = { gameId: 3, username: 'mapper two', isModerator: true, suspension: null }
  const namesake = { gameId: 4, username: 'a 9 and 3', isModerator: false, suspension: null }
  const unseen = { gameId: 8, username: null, isModerator: true, suspension: null }
  const unknown = { gameId: 5, username: null, isModerator: false, suspension: null }
  const last = { ...unknown, gameId: Number.MAX_SAFE_INTEGER }
  const stranger = { gameId: 9, username: null, isModerator: false, suspension: byOperator }

  it.each([
    ['', [stranger, somebody]],
    ['MAPPER', [mapper, second]],
    ['r t', [second]],
    ['2', [somebody]],
    ['3', [second, namesake]],
    ['9', [stranger, namesake]],
    ['８', [unseen]],
    ['5', [unknown]],
    ['9007199254740991', [last]],
    ['9007199254740992', []],
    ['02', []],
    ['nobody', []],
  ])(
    'finds by %j who is called so, after who has that id; or all who are suspended, the last one first',
    async (query, rows) => {
      expect(await two.suspensions.findPlayers(query, 1, 50)).toEqual({ rows, total: rows.length })
    },
  )

  it('finds them by pages', async () => {
    expect(await two.suspensions.findPlayers('', 2, 1)).toEqual({ rows: [somebody], total: 2 })
    expect(await two.suspensions.findPlayers('m', 1, 1)).toEqual({ rows: [mapper], total: 3 })
  })

  it('reads one, with who did it', async () => {
    expect(await two.suspensions.readSuspension(2)).toEqual(bySpam)
    expect(await two.suspensions.readSuspension(9)).toEqual(byOperator)
    expect(await two.suspensions.readSuspension(1)).toBeNull()
  })

  it('suspends no moderator by another, but by the operator', async () => {
    const note = { reason: 'ads', action: 'suspend', at: 9 } as const
    expect(await one.suspensions.suspend(3, { ...note, moderatorId: 'owner' })).toBe('moderator')
    expect(await two.suspensions.readSuspension(3)).toBeNull()
    expect(await one.suspensions.suspend(3, { ...note, moderatorId: null })).toBe('suspended')
    expect(await two.suspensions.readSuspension(3)).not.toBeNull()
    const lifted = { moderatorId: null, reason: null, action: 'unsuspend', at: 10 } as const
    expect(await one.suspensions.unsuspend(3, lifted)).toBe(true)
  })

  it('is lifted once', async () => {
    const lifted = { moderatorId: 'third', reason: null, action: 'unsuspend', at: 8 } as const
    expect(await one.suspensions.unsuspend(9, lifted)).toBe(true)
    expect(await one.suspensions.unsuspend(9, lifted)).toBe(false)
    expect(await two.suspensions.readSuspension(9)).toBeNull()
    expect(await two.suspensions.findPlayers('', 1, 50)).toEqual({ rows: [somebody], total: 1 })
  })
})
