import { beforeAll, describe, expect, it } from 'vitest'
import type { Stores } from '../../../src/adapters/storage/stores.ts'
import { asOperator } from '../../../src/domain/moderation.ts'
import { withStore } from '../temp-store.ts'

describe('OperatorStateStore', () => {
  let one: Stores
  let two: Stores

  withStore(beforeAll, (opened) => {
    ;({ one, two } = opened)
  })

  it('holds nothing at first', async () => {
    expect(await one.operatorState.readState()).toEqual({ notice: null, readOnly: null })
  })

  it('holds one notice and one mode, whichever process asks, and says what was before', async () => {
    const [first, second] = [
      { text: 'One', since: 5 },
      { text: 'Two; "quoted" \u00fc', since: 9_007_199_254_740_991 },
    ]
    const mode = { reason: null, since: 6 }
    expect(await one.operatorState.setNotice(first)).toBeNull()
    expect(await two.operatorState.setNotice(second)).toEqual(first)
    expect(await one.operatorState.setReadOnly(mode)).toBeNull()
    expect(await two.operatorState.readState()).toEqual({ notice: second, readOnly: mode })
    expect(await one.operatorState.setReadOnly({ reason: 'moving', since: 6 })).toEqual(mode)
    expect(await one.operatorState.setNotice(null)).toEqual(second)
    expect(await one.operatorState.setNotice(null)).toBeNull()
    expect(await two.operatorState.readState()).toEqual({
      notice: null,
      readOnly: { reason: 'moving', since: 6 },
    })
    await two.operatorState.setReadOnly(null)
  })
})

describe('what the operator does to accounts', () => {
  let one: Stores
  let two: Stores

  withStore(beforeAll, (opened) => {
    ;({ one, two } = opened)
  })

  it('moderators are listed with their newest session, the newest of them first', async () => {
    await one.accounts.setModerator(31, true, 7)
    await one.accounts.setModerator(32, true, 8)
    await one.accounts.ensurePlayer({ gameId: 31, username: 'Ada' }, 'ada', 9)
    for (const [hash, createdAt] of [
      ['a', 20],
      ['b', 30],
    ] as const) {
      const session = { hash, accountId: 'ada', service: 'packs', device: null } as const
      await one.sessions.create({ ...session, csrf: 'x', createdAt }, null)
    }
    expect(await two.accounts.listModerators()).toEqual([
      { gameId: 32, username: null, since: 8, signedInAt: null },
      { gameId: 31, username: 'Ada', since: 7, signedInAt: 30 },
    ])
  })

  it('a deletion is noted with the id on the platform alone, and only if it was one', async () => {
    await one.accounts.ensurePlayer({ gameId: 41, username: 'Ben' }, 'ben', 9)
    expect(await one.accounts.remove('ben', 50, asOperator('asked for it'))).toBe(true)
    expect(await two.accounts.remove('ben', 51, asOperator('asked for it'))).toBe(false)
    const { rows } = await two.packs.readLog(1, 10)
    expect(rows).toEqual([
      {
        at: 50,
        action: 'delete',
        subject: 'player',
        slug: '41',
        packName: '',
        reason: 'asked for it',
        by: 'operator',
      },
    ])
  })
})
