import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { expectError, quotaOf } from '../support/door.ts'
import { openHouse } from '../support/house.ts'

const house = await openHouse()
afterAll(() => house.close())
beforeEach(() => house.clock.nextMinute())
const host = await house.host()
const pools = await house.host('pools')
const { key } = host
const body = key.slice('packs_'.length)

const PLACEHOLDER =
  'this is a placeholder or a variable without a value, not an API key; send the key of the packs service: packs_ and 43 characters'
const WHOLE =
  'the API key is wrong, revoked or replaced; look for the key that the account has now, and make a new one only if that is lost: it ends the present one'
const OTHER =
  'this is a key of the tournament-pools service, which this service does not know; send the key of the packs service: packs_ and 43 characters'
const STRANGE =
  'this is not an API key of this service; send the key of the packs service: packs_ and 43 characters'
const CHARACTERS =
  'the API key holds a character that no key has; after packs_ there are only letters, digits, - and _; copy it again'
const MISTYPED =
  'the API key is mistyped: its checksum does not fit; copy it again from where you keep it'
const short = (count: number): string =>
  `the API key is cut short: it has ${count} of the 43 characters after packs_; copy all of it`
const long = (count: number): string =>
  `the API key is too long: it has ${count} characters after packs_ in place of 43; copy the key alone`

const swapped = `packs_${body.slice(0, 20)}${body[20] === 'A' ? 'B' : 'A'}${body.slice(21)}`

const mistakes: readonly [string, string, string][] = [
  ...[
    'undefined',
    'null',
    'None',
    'NaN',
    '[object Object]',
    '<API_KEY>',
    '<your key here>',
    'YOUR_API_KEY',
    'your-api-key-here',
    'API_KEY',
    'MY_TOKEN',
    'PACKS_KEY',
    'key',
    '$PACKS_KEY',
    '${PACKS_KEY}',
    '$(cat key.txt)',
    '%PACKS_KEY%',
    '{{ api_key }}',
    'xxxxxxxx',
    '***',
    '...',
    'packs_',
    'packs_...',
    'packs_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    'packs_YOUR_KEY',
    'packs_<key>',
    'packs_undefined',
    'changeme',
  ].map((token): [string, string, string] => ['a placeholder', token, PLACEHOLDER]),
  ['the other service’s key', pools.key, OTHER],
  ['a part of it', pools.key.slice(0, 20), OTHER],
  ['a key cut short', key.slice(0, -1), short(42)],
  ['a key without its end', key.slice(0, 16), short(10)],
  ['a key with more behind it', `${key}A`, long(44)],
  ['a key twice', `${key}${key.replace('_', '-')}`, long(92)],
  ['a key with another character', `${key.slice(0, -1)}+`, CHARACTERS],
  ['a key with a space in it', `${key.slice(0, 20)} ${key.slice(20)}`, CHARACTERS],
  ['a key and a comma', `${key},`, CHARACTERS],
  ['a mistyped key', swapped, MISTYPED],
  ['a key in capitals', `packs_${body.toUpperCase()}`, MISTYPED],
  ['a key without its prefix', body, STRANGE],
  ['a prefix in capitals', `PACKS_${body}`, STRANGE],
  ['a key of something else', 'ghp_0123456789abcdefghijklmnopqrstuvwxyz', STRANGE],
  ['a pack key', 'pk1.AQFhAQICrAKFPA', STRANGE],
  ['quotes', `"${key}"`, 'there are quotes around the API key; send it without'],
  [
    'two schemes',
    `Bearer ${key}`,
    'the word Bearer is there twice; send it once, then the API key',
  ],
]

describe('invalid_api_key says which mistake it is (D-50)', () => {
  it.each(mistakes)('%s: %j', async (_, token, message) => {
    const reply = await host.door.ask('GET', '/me', { key: token })
    expectError(reply, 'invalid_api_key', message)
    expect(reply.headers.get('www-authenticate')).toBe('Bearer')
    expect(quotaOf(reply)).toMatchObject({ limit: 20, remaining: 19 })
    if (token.length > 12) expect(reply.text).not.toContain(token)
    expect(message).not.toMatch(/make a new one(?! only)/)
  })

  it('only a whole key is called revoked or replaced', async () => {
    const old = await house.host()
    await house.hostOf(old.gameId, old.username)
    expectError(await old.get('/me'), 'invalid_api_key', WHOLE)
  })

  it('the other service says it the other way round', async () => {
    const reply = await house.doors.pools.ask('GET', '/me', { key })
    expectError(reply, 'invalid_api_key', /^this is a key of the packs service, .* pools_ and 43/)
    expectError(
      await house.doors.pools.ask('GET', '/me', { key: pools.key.slice(0, -3) }),
      'invalid_api_key',
      /^the API key is cut short: it has 40 of the 43 characters after pools_/,
    )
  })

  it('a long token of any kind is answered briefly', async () => {
    for (const token of [`packs_${'A'.repeat(9_000)}`, 'x'.repeat(9_000), '<'.repeat(9_000)]) {
      const reply = await host.door.ask('GET', '/me', { key: token })
      expectError(reply, 'invalid_api_key')
      expect(reply.text.length).toBeLessThan(300)
    }
  })

  it('the key itself works all the while', async () => {
    expect((await host.get('/me')).status).toBe(200)
  })
})
