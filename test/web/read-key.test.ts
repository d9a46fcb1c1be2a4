import { describe, expect, it } from 'vitest'
import { encodePackKey } from '../../src/pool/pack-key/pack-key.ts'
import { textOfHash } from '../../src/web/fragment.ts'
import { readKey } from '../../src/web/open-key/key-address.ts'
import { pool } from '../support/a-beatmap.ts'

const given = { name: 'Harbour Cup', ...pool('NM1 129891', 'HD1 75') }
const key = encodePackKey(given)
const titleOf = (text: string): string => {
  const opened = readKey(text)
  if (opened.state !== 'refused') throw new Error(opened.state)
  return opened.title
}

describe('a text with a pack key', () => {
  it.each([key, `Our pool: ${key}.`, `https://site.test/k#${key}`, `\n ${key} \n`])(
    'opens: %j',
    (text) => {
      expect(readKey(text)).toEqual({ state: 'open', packKey: key, pool: given })
    },
  )

  it('opens without beatmaps, too: a draft', () => {
    const draft = encodePackKey({ name: 'Draft', buckets: null, slots: [] })
    expect(readKey(draft)).toMatchObject({ state: 'open', pool: { name: 'Draft', slots: [] } })
  })

  it('is not asked for more than there is', () => {
    expect(readKey(' \n')).toEqual({ state: 'nothing' })
  })
})

describe('what is wrong with a key', () => {
  it.each([
    ['hello', 'No pack key found'],
    [`pk9${key.slice(3)}`, 'This pack key’s version is not supported'],
    [`${key}A`, 'This key is incomplete'],
    [key.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')), 'This pack key is damaged'],
  ])('%s', (text, title) => {
    expect(titleOf(text)).toBe(title)
  })

  it('comes with what to do, and what exactly is wrong where copying again does not help', () => {
    const odd = encodePackKey({ ...given, name: 'Harbour Cup '.repeat(6) })
    expect(readKey(odd)).toEqual({
      state: 'refused',
      title: 'This pack key does not contain a valid pool',
      remedy: expect.stringMatching(
        /^Problem: its name must have 1 to 64 characters\. .*new one\.$/,
      ),
    })
  })
})

describe('a key that other readers open', () => {
  it('is shown as its cleaned pool, with the key of that pool', () => {
    expect(readKey('pk1.AQMgYSABAAFL-_Q')).toMatchObject({
      state: 'open',
      packKey: 'pk1.AQFhAQABSwOo',
      pool: { name: 'a' },
    })
  })
})

describe('the text behind the # of an address', () => {
  it('is taken as it is, or out of its %-spelling', () => {
    expect(textOfHash(`#${key}`)).toBe(key)
    expect(textOfHash('#pk1%2EAbC')).toBe('pk1.AbC')
    expect(textOfHash('#100%')).toBe('100%')
    expect(textOfHash('')).toBe('')
  })
})
