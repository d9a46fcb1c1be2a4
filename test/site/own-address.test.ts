import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { originOf, originsOf } from '../../src/door/sessions.ts'
import { Browser } from '../support/browser.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

describe('the origins of a site', () => {
  test.each([
    ['https://packs.example.org', ['https://packs.example.org']],
    ['https://Packs.Example.org:443/', ['https://packs.example.org']],
    [
      'http://127.0.0.1:8080',
      ['http://127.0.0.1:8080', 'http://localhost:8080', 'http://[::1]:8080'],
    ],
    ['https://localhost', ['https://localhost', 'https://127.0.0.1', 'https://[::1]']],
  ])('%s', (ownUrl, origins) => expect(originsOf(ownUrl)).toEqual(origins))

  test.each([
    ['localhost:8080', 'http://localhost:8080'],
    ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['localhost:8081', 'http://127.0.0.1:8080'],
    ['evil.example:8080', 'http://127.0.0.1:8080'],
    ['localhost:8080/', 'http://127.0.0.1:8080'],
    [undefined, 'http://127.0.0.1:8080'],
  ])('Host: %s', (host, origin) => {
    expect(originOf(host === undefined ? {} : { host }, 'http://127.0.0.1:8080')).toBe(origin)
  })

  test('a public address is the only one, whatever a request says', () => {
    expect(originOf({ host: 'localhost' }, 'https://packs.example.org')).toBe(
      'https://packs.example.org',
    )
  })
})

describe('a site on one’s own machine works by each of its names', () => {
  let house: SiteHouse
  beforeAll(async () => void (house = await openSiteHouse()))
  afterAll(() => house.close())

  test('signs in and changes things under http://localhost', async () => {
    const url = house.urls.packs.replace('127.0.0.1', 'localhost')
    const browser = await house.signIn(new Browser(url, url), 7001)
    expect(browser.viewer?.username).toBe('Peridot')
    expect((await browser.ask('POST', '/session/key')).status).toBe(201)
    const crossed = { origin: house.urls.packs }
    expect((await browser.ask('POST', '/session/key', undefined, crossed)).status).toBe(403)
  })
})
