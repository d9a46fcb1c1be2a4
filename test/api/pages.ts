import { expect, it } from 'vitest'
import { expectError, type Reply } from '../support/door.ts'
import type { Host } from '../support/house.ts'
import { expectStanding, orderOf } from './standing.ts'

/** The slugs of a page in its order. */
export const slugsOf = (reply: Reply): string[] =>
  reply.json.packs.map(({ slug }: { slug: string }) => slug)

/** Every slug that turning all pages shows, in order. */
export const turnPages = async (host: Host, path: string): Promise<string[]> => {
  const first = await host.get(path)
  const slugs = slugsOf(first)
  for (let page = 2; page <= first.json.pageCount; page += 1) {
    slugs.push(...slugsOf(await host.get(`${path}?page=${page}`)))
  }
  return slugs
}

/** Holds an answer to the shape of a page (spec 2.7, D-45). */
export const expectPage = (
  reply: Reply,
  numbers: { page: number; pageCount: number; total: number },
  packs: number,
): void => {
  expect(reply.status).toBe(200)
  expectStanding(reply)
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(reply.headers.get('etag')).toMatch(/^"[^"]+"$/)
  expect(orderOf(reply.json)).toEqual(['packs', 'page', 'pageCount', 'total'])
  expect(reply.json).toMatchObject(numbers)
  expect(reply.json.packs).toHaveLength(packs)
}

/** What `Link` says: the given pages of a path, in the order first, prev, next, last (D-13). */
export const linkOf = (path: string, pages: Record<string, number>): string =>
  Object.entries(pages)
    .map(([rel, page]) => `<http://packs.test/api/v1${path}?page=${page}>; rel="${rel}"`)
    .join(', ')

/** `?page=` as D-15 has it. */
export const readsPageNumbers = (newHost: () => Promise<Host>, path: string): void => {
  const refused = [
    'page=',
    'page=0',
    'page=-1',
    'page=%2B1',
    'page=1.5',
    'page=1e3',
    'page=01',
    'page=0x1',
    'page=1000000',
    'page=999999999999999999999',
    'page=one',
    'page=%201',
    'page=1%20',
    'page=%D9%A1',
    'page=1&page=1',
    'page=1&page=2',
    'page',
    'page=null',
    'page=1,2',
  ]

  it.each(refused)('refuses ?%s (D-15)', async (query) => {
    const reply = await (await newHost()).get(`${path}?${query}`)
    expectError(reply, 'bad_request', 'page must be one whole number from 1 to 999999')
    expectStanding(reply)
    expect(reply.headers.has('link')).toBe(false)
  })
}

/** Which queries are no obstacle (D-15). */
export const ignoresOtherQueries = (newHost: () => Promise<Host>, path: string): void => {
  it.each([
    ['', 1],
    ['?', 1],
    ['?page=1', 1],
    ['?page=2', 2],
    ['?page=999999', 999_999],
    ['?Page=0', 1],
    ['?pages=0&size=1&page[]=x', 1],
    ['?sort=name&page=3&source=pools', 3],
    ['?p%61ge=2', 2],
  ])('reads "%s" as page %i (D-15)', async (query, page) => {
    const reply = await (await newHost()).get(path + query)
    expect(reply.status).toBe(200)
    expect(reply.json.page).toBe(page)
  })
}
