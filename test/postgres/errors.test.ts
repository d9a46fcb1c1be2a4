import { inspect } from 'node:util'
import { DatabaseError } from 'pg'
import { expect, test } from 'vitest'
import { endsConnection, isCollision } from '../../src/adapters/storage/postgres/errors.ts'
import { aNewPack } from '../ports/sample-pack.ts'
import { addOwners, tempPostgresStore } from '../ports/temp-store.ts'

test('no error that may be logged quotes what was to be kept', async () => {
  const store = await tempPostgresStore()
  const stores = await store.open()
  await addOwners(stores)
  await stores.run('alter table pack add constraint never check (name is null) not valid', [])
  const pack = aNewPack({ name: 'Nobody must know', visibility: 'private' })
  const error = await stores.packs.create(pack, null).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(DatabaseError)
  expect(inspect(error, { depth: 9 })).toContain('never')
  expect(inspect(error, { depth: 9 })).not.toContain('Nobody must know')

  const key = { hash: 'hash-of-a-key', shown: 'abcd', createdAt: 0 }
  await stores.apiKeys.replace('owner', 'packs', key)
  const clash = await stores.apiKeys
    .replace('other', 'packs', key)
    .catch((reason: unknown) => reason)
  expect(clash).toBeInstanceOf(DatabaseError)
  expect(inspect(clash, { depth: 9 })).not.toContain('hash-of-a-key')
  await stores.run('alter table pack drop constraint never', [])
  await store.remove()
})

const refusal = (severity: string, code: string): DatabaseError =>
  Object.assign(new DatabaseError('words', 5, 'error'), { severity, code })

test.each([
  ['an ordinary refusal', refusal('ERROR', '23505'), false],
  ['a statement that took too long', refusal('ERROR', '57014'), false],
  ['an end', refusal('FATAL', '57P01'), true],
  ['an end, told in Russian', refusal('ВАЖНО', '57P01'), true],
  ['a broken connection', new Error('Connection terminated unexpectedly'), true],
])('a connection ends with %s or does not', (_name, error, ends) => {
  expect(endsConnection(error)).toBe(ends)
  expect(isCollision(error)).toBe(false)
})
