import { beforeAll, describe, expect, it } from 'vitest'
import type { Stores } from '../../../src/adapters/storage/stores.ts'
import type { StoredKey } from '../../../src/ports/accounts.ts'
import { addOwners, withStore } from '../temp-store.ts'

const aKey = (mark: string): StoredKey => ({
  hash: mark.repeat(43).slice(0, 43),
  shown: `${mark}abc`.slice(0, 4),
  createdAt: 1_790_000_000_000,
})

describe('ApiKeyStore', () => {
  let one: Stores
  let two: Stores

  withStore(beforeAll, async (opened) => {
    ;({ one, two } = opened)
    await addOwners(one)
  })

  it('keeps one key for each account and service (spec 5)', async () => {
    await one.apiKeys.replace('owner', 'packs', aKey('A'))
    await one.apiKeys.replace('owner', 'pools', aKey('B'))
    await one.apiKeys.replace('other', 'packs', aKey('C'))
    expect(await two.apiKeys.read('owner', 'packs')).toEqual({ ...aKey('A'), lastUsedDay: null })
    expect(await two.apiKeys.read('owner', 'pools')).toEqual({ ...aKey('B'), lastUsedDay: null })
    expect(await two.apiKeys.findOwner('packs', aKey('A').hash)).toBe('owner')
    expect(await two.apiKeys.findOwner('packs', aKey('C').hash)).toBe('other')
  })

  it('opens one service only with a key of that service', async () => {
    await one.apiKeys.replace('owner', 'packs', aKey('D'))
    expect(await one.apiKeys.findOwner('pools', aKey('D').hash)).toBeNull()
    expect(await one.apiKeys.findOwner('packs', aKey('D').hash)).toBe('owner')
  })

  it('stops the old key at once for those who knew it already (spec 3)', async () => {
    await one.apiKeys.replace('owner', 'packs', aKey('E'))
    for (const round of ['F', 'G', 'H', 'I', 'J']) {
      const old = (await two.apiKeys.read('owner', 'packs'))?.hash ?? ''
      expect(await two.apiKeys.findOwner('packs', old)).toBe('owner')
      expect(await two.apiKeys.findOwner('packs', old)).toBe('owner')
      await one.apiKeys.replace('owner', 'packs', aKey(round))
      expect(await two.apiKeys.findOwner('packs', old)).toBeNull()
      expect(await one.apiKeys.findOwner('packs', old)).toBeNull()
      expect(await two.apiKeys.findOwner('packs', aKey(round).hash)).toBe('owner')
    }
  })

  it('replaces the key that is meant, and no other', async () => {
    const set = (mark: string, replaced?: string) =>
      two.apiKeys.replace('other', 'pools', aKey(mark), replaced)
    const live = async () => (await one.apiKeys.read('other', 'pools'))?.hash[0]
    await one.apiKeys.revoke('other', 'pools')
    expect(await set('T', '')).toBe('set')
    expect(await set('U', '')).toBe('another key')
    expect(await set('U', aKey('V').shown)).toBe('another key')
    expect([await live(), await one.apiKeys.findOwner('pools', aKey('U').hash)]).toEqual([
      'T',
      null,
    ])
    expect(await set('U', aKey('T').shown)).toBe('set')
    expect(await set('V')).toBe('set')
    await one.apiKeys.revoke('other', 'pools')
    // Where there is none, none is lost.
    expect(await set('W', aKey('V').shown)).toBe('set')
    expect(await live()).toBe('W')
  })

  it.each(['', aKey('X').shown])(
    'sets one of 20 keys that replace the same one at once: %j',
    async (replaced) => {
      await one.apiKeys.revoke('owner', 'pools')
      if (replaced !== '') await one.apiKeys.replace('owner', 'pools', aKey('X'))
      const marks = 'abcdefghijklmnopqrst'.split('')
      const outcomes = await Promise.all(
        marks.map((mark, at) =>
          (at % 2 ? one : two).apiKeys.replace('owner', 'pools', aKey(mark), replaced),
        ),
      )
      const set = marks.filter((_, at) => outcomes[at] === 'set')
      expect(set).toHaveLength(1)
      expect(outcomes.filter((outcome) => outcome === 'another key')).toHaveLength(19)
      expect((await two.apiKeys.read('owner', 'pools'))?.shown).toBe(aKey(set[0]!).shown)
    },
  )

  it('revokes the key that is meant, and no other', async () => {
    await one.apiKeys.replace('other', 'packs', aKey('S'))
    const { shown } = (await two.apiKeys.read('other', 'packs'))!
    expect(await one.apiKeys.revoke('other', 'packs', 'none')).toBe(false)
    expect(await two.apiKeys.findOwner('packs', aKey('S').hash)).toBe('other')
    expect(await one.apiKeys.revoke('other', 'packs', shown)).toBe(true)
    expect(await two.apiKeys.findOwner('packs', aKey('S').hash)).toBeNull()
  })

  it('revokes once, on one service (spec 3)', async () => {
    await one.apiKeys.replace('other', 'packs', aKey('K'))
    await one.apiKeys.replace('other', 'pools', aKey('L'))
    expect(await two.apiKeys.findOwner('packs', aKey('K').hash)).toBe('other')
    expect(await one.apiKeys.revoke('other', 'packs')).toBe(true)
    expect(await one.apiKeys.revoke('other', 'packs')).toBe(false)
    expect(await two.apiKeys.findOwner('packs', aKey('K').hash)).toBeNull()
    expect(await two.apiKeys.read('other', 'packs')).toBeNull()
    expect(await two.apiKeys.findOwner('pools', aKey('L').hash)).toBe('other')
  })

  it('notes the day of the last use, which never goes back (D-40)', async () => {
    await one.apiKeys.replace('owner', 'packs', aKey('N'))
    await one.apiKeys.replace('owner', 'pools', aKey('O'))
    const { hash } = aKey('N')
    const day = async (service: 'packs' | 'pools') =>
      (await two.apiKeys.read('owner', service))?.lastUsedDay
    expect(await day('packs')).toBeNull()
    await one.apiKeys.noteUses([
      { service: 'packs', hash, day: 20_000 },
      { service: 'packs', hash: aKey('O').hash, day: 20_000 },
      { service: 'packs', hash: 'nobodys', day: 20_000 },
    ])
    expect(await day('packs')).toBe(20_000)
    expect(await day('pools')).toBeNull()
    await one.apiKeys.noteUses([{ service: 'packs', hash, day: 19_999 }])
    expect(await day('packs')).toBe(20_000)
    await one.apiKeys.noteUses([{ service: 'packs', hash, day: 20_001 }])
    expect(await day('packs')).toBe(20_001)
    await one.apiKeys.noteUses([])
    await one.apiKeys.replace('owner', 'packs', aKey('P'))
    expect(await day('packs')).toBeNull()
  })

  it('refuses a key for an account that there is not', async () => {
    await expect(one.apiKeys.replace('nobody', 'packs', aKey('M'))).rejects.toThrow()
  })

  it('gives no key to an account that is suspended (D-76)', async () => {
    await one.apiKeys.replace('other', 'packs', aKey('Q'))
    const note = { moderatorId: null, reason: 'spam', at: 5 }
    await one.suspensions.suspend(2, { ...note, action: 'suspend' })
    expect(await two.apiKeys.replace('other', 'packs', aKey('R'))).toBe('suspended')
    expect(await one.apiKeys.findOwner('packs', aKey('R').hash)).toBeNull()
    await one.suspensions.unsuspend(2, { ...note, action: 'unsuspend' })
    expect(await two.apiKeys.replace('other', 'packs', aKey('R'))).toBe('set')
    expect(await one.apiKeys.findOwner('packs', aKey('R').hash)).toBe('other')
  })

  it('leaves one live key of 20 that are set at once', async () => {
    const marks = 'abcdefghijklmnopqrst'.split('')
    await Promise.all(
      marks.map((mark, at) => (at % 2 ? one : two).apiKeys.replace('owner', 'packs', aKey(mark))),
    )
    const owners = await Promise.all(
      marks.map(async (mark) => one.apiKeys.findOwner('packs', aKey(mark).hash)),
    )
    expect(owners.filter((id) => id === 'owner')).toHaveLength(1)
  })
})
