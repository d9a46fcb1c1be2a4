import { describe, expect, test } from 'vitest'
import { safeReturnPath } from '../../src/site/sign-in/pending-sign-ins.ts'

describe('after signing in one comes back to paths of ours', () => {
  test.each([
    '/',
    '/packs',
    '/packs?stars=4-6&sort=new',
    '/p/q7Jm2_xT0a/edit',
    '/k#pk1.AQVBIDxiPgEAAUuhdg',
    '/p/q7Jm2_xT0a?x=%2F%2Fevil.test',
    '/sign-in-help',
    '/sessions',
  ])('%s', (path) => {
    expect(safeReturnPath(path)).toBe(path)
  })
})

describe('anything else is the start page', () => {
  test.each([
    ['no text', undefined],
    ['twice', ['/packs', '/me']],
    ['nothing', ''],
    ['a relative path', 'packs'],
    ['another address', 'https://evil.test/'],
    ['a scheme', 'javascript:alert(1)'],
    ['two slashes', '//evil.test'],
    ['three slashes', '///evil.test'],
    ['slash and backslash', '/\\evil.test'],
    ['backslashes', '\\\\evil.test'],
    ['a backslash further on', '/packs\\..\\..\\evil.test'],
    ['encoded slashes', '/%2f%2fevil.test'],
    ['encoded slashes in front', '%2f%2fevil.test'],
    ['one slash encoded', '/%2Fevil.test'],
    ['an encoded backslash', '/%5cevil.test'],
    ['a tab between', '/\t/evil.test'],
    ['a line break between', '/\n/evil.test'],
    ['a carriage return between', '/\r/evil.test'],
    ['an encoded tab between', '/%09/evil.test'],
    ['an encoded line break', '/packs%0d%0aSet-Cookie: session=1'],
    ['a NUL', '/packs\0'],
    ['a leading space', ' /packs'],
    ['a zero-width space', '/\u200b/evil.test'],
    ['dots that leave two slashes', '/a/..//evil.test'],
    ['dots and a tab', '/.\t./evil.test'],
    ['encoded dots', '/%2e%2e//evil.test'],
    ['broken encoding', '/%zz'],
    ['a lone surrogate', '/\ud800'],
    ['signing in', '/sign-in'],
    ['signing in with a wish', '/sign-in?return=/packs'],
    ['the callback', '/sign-in/callback?code=1'],
    ['signing in by dots', '/packs/../sign-in'],
    ['signing in, encoded', '/%73ign-in'],
    ['a session endpoint', '/session/my-data'],
    ['too long a path', `/${'a'.repeat(512)}`],
  ])('%s', (_, wish) => {
    expect(safeReturnPath(wish)).toBe('/')
  })
})
