import { describe, expect, it } from 'vitest'
import { AppError } from '../../src/contract/errors.ts'
import {
  failureOf,
  matchedTag,
  matchedFileTag,
  matchesTag,
  namedKind,
  pageIn,
  readChangeQuery,
  readIdempotencyKey,
  readIfMatch,
  readPage,
  readUsageLook,
  readUsageQuery,
  readVersion,
} from '../../src/domain/reading/requests.ts'
import { thrown } from './a-tournament.ts'

const refused = (does: () => unknown): unknown => {
  const error = thrown(does) as AppError
  expect(error).toBeInstanceOf(AppError)
  return error.code
}

describe('If-Match (RFC 9110, 13.1.1, D-48)', () => {
  it.each([
    ['*', '*'],
    [' * ', '*'],
    ['"a"', ['"a"']],
    ['""', ['""']],
    ['"a","b"', ['"a"', '"b"']],
    ['\t"a" , "b"\t', ['"a"', '"b"']],
    // Empty members of a list are passed over.
    [', "a",,"b",', ['"a"', '"b"']],
    // Weak tags match nothing.
    ['W/"a"', []],
    ['W/"a", "b"', ['"b"']],
    ['"a,b"', ['"a,b"']],
    ['"ÿ!"', ['"ÿ!"']],
  ])('%j names %j', (header, tags) => {
    expect(readIfMatch(header)).toEqual(tags)
  })

  it.each(['', ' ', ',', 'a', '"a', '"a" "b"', '*, "a"', 'w/"a"', '"a" b', '"a b"', '"a\u0100"'])(
    '%j is refused',
    (header) => {
      expect(refused(() => readIfMatch(header))).toBe('bad_request')
    },
  )
})

describe('If-None-Match (RFC 9110, 13.1.2, D-13, D-52)', () => {
  it.each([
    [undefined, null],
    ['', null],
    ['"b"', '"b"'],
    ['"x", "b"', '"b"'],
    ['"b","a"', '"a"'],
    ['W/"b"', '"b"'],
    ['*', '"a"'],
    [' * ', '"a"'],
    ['"x"', null],
    ['a', null],
  ])('%j names %j of the tags that an answer can have', (header, tag) => {
    expect(matchedTag(header, ['"a"', '"b"'])).toBe(tag)
    expect(matchesTag(header, '"a"')).toBe(matchedTag(header, ['"a"']) === '"a"')
  })

  it('names nothing of no tags', () => {
    expect(matchedTag('*', [])).toBeNull()
  })

  it.each([
    ['"a.gzip"', '"a.gzip"'],
    ['"x", W/"a.br-1"', '"a.br-1"'],
    ['"a.gzip", "a"', '"a"'],
    ['*', '"a"'],
    ['"ab"', null],
    ['"x.a"', null],
    ['xa.gzipx', null],
    ['"a.gzip x"', null],
    ['"a.', null],
    ['', null],
    [undefined, null],
  ])('%j names %j of a file in any form', (header, tag) => {
    expect(matchedFileTag(header, '"a"')).toBe(tag)
  })
})

describe('pages or JSON in Accept', () => {
  it.each([
    [undefined, null],
    ['', null],
    ['*/*', null],
    ['text/html', 'page'],
    ['TEXT/HTML', 'page'],
    ['application/json', 'json'],
    ['application/problem+json', 'json'],
    ['application/json, text/html', 'page'],
    ['application/json;q=0.8, text/html;q=0.9', 'page'],
    ['application/json;q=0.9, text/html;q=0.8', 'json'],
    ['application/json;q=0.1, image/svg+json;q=0.9, text/html;q=0.5', 'json'],
    ['text/html;q=0', null],
    ['application/json;q=0', null],
    ['text/html;q=0, application/json', 'json'],
    ['text/plain', null],
  ])('%j: %j', (accept, kind) => {
    expect(namedKind(accept)).toBe(kind)
  })
})

describe('the parameters of a query', () => {
  it.each([
    [{}, 1],
    [{ other: 'x' }, 1],
    [{ page: '1' }, 1],
    [{ page: '999999' }, 999_999],
  ])('the page of %j is %i (D-15)', (query, page) => {
    expect(readPage(query)).toBe(page)
    expect(pageIn(query)).toBe(page)
  })

  it.each(['', '0', '1.5', '1e3', '01', '1000000', '-1', ['1', '2'], ['1']])(
    '%j is no page (D-15): of an address the first',
    (page) => {
      expect(refused(() => readPage({ page }))).toBe('bad_request')
      expect(pageIn({ page })).toBe(1)
    },
  )

  it.each([
    ['1', 1],
    ['9999999999', 9_999_999_999],
    ['0', 0],
    ['01', 0],
    ['x', 0],
    ['', 0],
  ])('version %j is %i', (text, version) => {
    expect(readVersion(text)).toBe(version)
  })

  const after = 'c'.repeat(22)
  it.each([[{}], [{ after }], [{ wait: '0' }], [{ wait: '25' }], [{ after, wait: '9' }]])(
    'of changes, %j is taken as it is (D-73)',
    (query) => {
      expect(readChangeQuery({ ...query, other: 'x' })).toEqual(query)
    },
  )

  it.each([
    [{ after: 'c' }, 'after'],
    [{ after: [after, after] }, 'after'],
    [{ wait: '26' }, 'wait'],
    [{ wait: '-1' }, 'wait'],
    [{ wait: '' }, 'wait'],
    [{ after, wait: ['1'] }, 'wait'],
  ])('of changes, %j is refused for %s (D-73)', (query, name) => {
    const error = thrown(() => readChangeQuery(query)) as AppError
    expect(error).toMatchObject({ code: 'bad_request' })
    expect(error.message).toContain(name)
  })

  it.each([
    ['1', '1'],
    ['2147483647', '2147483647'],
    ['3,1,2', '3,1,2'],
    // Once each, however often they are named.
    ['3,1,3,1,2', '3,1,2'],
  ])('ids=%s are %s (D-67)', (ids, read) => {
    expect(readUsageQuery({ ids }, 3)).toEqual({ ids: read })
    expect(readUsageLook({ ids })).toEqual({ ids: read })
    expect(readUsageLook({ ids, tournament: 'cup-000001' })).toEqual({
      ids: read,
      tournament: 'cup-000001',
    })
  })

  it.each([undefined, '', '0', '01', '1,', '1,x', '1.5', '2147483648', '1,2,3,4', ['1']])(
    'ids=%j are refused (D-67)',
    (ids) => {
      expect(refused(() => readUsageQuery({ ids }, 3))).toBe('bad_request')
    },
  )

  it.each(['cup', '', ['cup-000001']])('tournament=%j is refused', (tournament) => {
    expect(refused(() => readUsageLook({ ids: '1', tournament }))).toBe('bad_request')
  })

  it('a page asks for as many beatmaps as a pack can have (spec 8)', () => {
    const ids = (count: number) => Array.from({ length: count }, (_, at) => at + 1).join()
    expect(readUsageLook({ ids: ids(64) })).toEqual({ ids: ids(64) })
    expect(refused(() => readUsageLook({ ids: ids(65) }))).toBe('bad_request')
  })
})

it.each(['!', '~'.repeat(255)])('%j is an Idempotency-Key (D-86)', (key) => {
  expect(readIdempotencyKey(key)).toBe(key)
})

it.each(['', ' ', 'a b', 'é', 'x'.repeat(256), ['a', 'b']])('%j is none', (key) => {
  expect(refused(() => readIdempotencyKey(key))).toBe('bad_request')
})

describe('what the HTTP server throws', () => {
  const serverError = (code: string) => Object.assign(new Error('of the server'), { code })

  it.each([
    ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 'unsupported_media_type'],
    ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', 'bad_request'],
    ['FST_ERR_CTP_BODY_TOO_LARGE', 'too_large'],
    ['FST_ERR_OTHER', undefined],
  ])('%s is %s', (code, ours) => {
    expect(failureOf(serverError(code), 'packs')?.code).toBe(ours)
  })

  it('says how large a body of each service may be (spec 8)', () => {
    const error = serverError('FST_ERR_CTP_BODY_TOO_LARGE')
    const [packs, pools] = [failureOf(error, 'packs'), failureOf(error, 'pools')]
    expect(packs!.message).toContain('16')
    expect(pools!.message).not.toBe(packs!.message)
  })

  it('is a failure on our side if it is anything else', () => {
    const own = new AppError('not_found:no_such_key', 'gone')
    expect(failureOf(own, 'packs')).toBe(own)
    expect(failureOf(new Error('broken'), 'packs')).toBeNull()
    expect(failureOf({ code: 'FST_ERR_CTP_BODY_TOO_LARGE' }, 'packs')).toBeNull()
    expect(failureOf(null, 'packs')).toBeNull()
  })
})
