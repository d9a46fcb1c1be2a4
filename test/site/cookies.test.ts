import { describe, expect, it } from 'vitest'
import type { Settings } from '../../src/door/context.ts'
import {
  beginSession,
  cookieName,
  cookieText,
  dropKnownBrowser,
  dropSession,
  hasSignedOut,
  isSignedInThere,
  keepKnownBrowser,
  keepSession,
  knownBrowserCookie,
  readCookie,
  readSessionToken,
} from '../../src/door/cookies.ts'

const ownerOf = (
  service: 'packs' | 'pools',
  [siteUrl, poolsUrl]: readonly [site: string, pools: string],
) => ({
  service,
  settings: { siteUrl, poolsUrl, ownUrl: service === 'packs' ? siteUrl : poolsUrl } as Settings,
})
const plain = ['http://127.0.0.1:8080', 'http://127.0.0.1:8081'] as const
const secure = ['https://packs.cup.test', 'https://pools.cup.test'] as const

const ofHost = (name: string, value: string, seconds: number) =>
  `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax`

describe('a cookie', () => {
  it('is for neither scripts nor the forms of other sites', () => {
    const cookie = { name: 'a', value: 'b', maxAgeSeconds: 5, isSecure: false }
    expect(cookieText(cookie)).toBe(ofHost('a', 'b', 5))
    expect(cookieText({ ...cookie, domain: '' })).toBe(ofHost('a', 'b', 5))
    expect(cookieText({ ...cookie, isSecure: true, domain: 'cup.test' })).toBe(
      'a=b; Domain=cup.test; Path=/; Max-Age=5; HttpOnly; SameSite=Lax; Secure',
    )
  })

  it('of TLS is bound to its host by its name', () => {
    expect([true, false].map((isSecure) => cookieName('a', isSecure))).toEqual(['__Host-a', 'a'])
  })

  it.each([
    [undefined, null],
    ['', null],
    ['a=1', '1'],
    ['b=2; a=1;c=3', '1'],
    ['a=1=2', '1=2'],
    ['a=', ''],
    ['a', null],
    ['ba=1', null],
    ['A=1', null],
    // Which of two is ours, nobody knows.
    ['a=1; a=1', null],
  ])('is read from %j as %j', (header, value) => {
    expect(readCookie(header, 'a')).toBe(value)
  })
})

describe('a session', () => {
  it.each([
    ['packs', plain, 'session', ''],
    ['pools', plain, 'pools-session', ''],
    ['packs', secure, '__Host-session', '; Secure'],
    ['pools', secure, '__Host-pools-session', '; Secure'],
  ] as const)(
    'of %s at %j is in %s, and the other site may know of it',
    (service, urls, name, end) => {
      const owner = ownerOf(service, urls)
      const domain = end === '' ? '' : ' Domain=cup.test;'
      const hint = (value: string, seconds: number) =>
        ofHost(`signed-in-${service}`, value, seconds).replace(';', `;${domain}`) + end
      const kept = [ofHost(name, 'token', 60) + end, hint('1', 60)]
      expect(keepSession(owner, 'token', 60)).toEqual(kept)
      expect(beginSession(owner, {}, 'token', 60)).toEqual(kept)

      // Who signs out and in again may be another player, for an hour.
      const signedOut = name.replace('session', 'signed-out')
      expect(dropSession(owner)).toEqual([
        ofHost(name, '', 0) + end,
        hint('', 0),
        ofHost(signedOut, '1', 3600) + end,
      ])
      const again = { cookie: `${signedOut}=1` }
      expect(hasSignedOut(again, owner)).toBe(true)
      expect(hasSignedOut({}, owner)).toBe(false)
      expect(beginSession(owner, again, 'token', 60)).toEqual([
        ...kept,
        ofHost(signedOut, '', 0) + end,
      ])

      const other = service === 'packs' ? 'pools' : 'packs'
      expect(isSignedInThere({ cookie: `signed-in-${other}=1` }, owner)).toBe(true)
      expect(isSignedInThere({ cookie: `signed-in-${service}=1` }, owner)).toBe(false)
      expect(readSessionToken({ headers: { cookie: `${name}=token; x=1` } }, owner)).toBe('token')
      expect(readSessionToken({ headers: {} }, owner)).toBeNull()
    },
  )

  it('tells the other site nothing where browsers share no cookie', () => {
    const owner = ownerOf('packs', ['https://packs.test', 'https://pools.test'])
    expect(keepSession(owner, 'token', 60)).toEqual([
      `${ofHost('__Host-session', 'token', 60)}; Secure`,
    ])
  })
})

it('a browser is known for a year, by one name on both sites of a host', () => {
  for (const service of ['packs', 'pools'] as const) {
    const owner = ownerOf(service, plain)
    expect(keepKnownBrowser(owner, 'mark')).toBe(ofHost('known-browser', 'mark', 31_536_000))
    expect(keepKnownBrowser(owner, 'mark', 60)).toBe(ofHost('known-browser', 'mark', 60))
    expect(dropKnownBrowser(owner)).toBe(ofHost('known-browser', '', 0))
    expect(knownBrowserCookie(owner.settings)).toBe('known-browser')
  }
  const owner = ownerOf('packs', secure)
  expect(keepKnownBrowser(owner, 'm')).toBe(
    `${ofHost('__Host-known-browser', 'm', 31_536_000)}; Secure`,
  )
})
