import { afterAll, describe, expect, it } from 'vitest'
import { hidePack } from '../../src/operations/moderation.ts'
import { someStats } from '../api/samples.ts'
import { alter } from '../api/seed.ts'
import { expectError, quotaOf, type Reply } from '../support/door.ts'
import { type Host, openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'

const house = await openHouse()
afterAll(() => house.close())

const scene = async () => {
  house.clock.nextMinute()
  const host = await house.host()
  const made = await host.post(aPack({ visibility: 'public' }))
  const { slug } = made.json.pack
  return { host, slug, path: `/packs/${slug}`, etag: tagOf(made) }
}

const tagOf = ({ headers }: Reply): string => headers.get('etag') ?? ''

const write = (host: Host, method: string, path: string, ifMatch: string) =>
  host.ask(method, path, {
    headers: { 'if-match': ifMatch },
    ...(method === 'PUT' && { body: aPack({ name: 'Else' }) }),
  })

const methods = ['PUT', 'DELETE'] as const
const CHANGED =
  'nothing was changed, because If-Match names another state of this path; read it again and send its new ETag'
const SYNTAX = 'If-Match must be * or a list of ETags as they were received, quotes included'

describe.each(methods)('%s with If-Match (D-48)', (method) => {
  it.each<[string, (etag: string) => string]>([
    ['the current tag', (etag) => etag],
    ['a list that holds it', (etag) => `"other", ${etag}`],
    ['a list with empty members and a weak tag', (etag) => `, W/"x" ,,\t${etag},`],
    ['a list with a comma inside a tag', (etag) => `"a,b",${etag}`],
    ['the tag of another coding', (etag) => etag.replace(/"$/, '-gzip"')],
    ['any state at all', () => ' * '],
  ])('goes ahead with %s', async (_, ifMatch) => {
    const { host, path, etag } = await scene()
    expect((await write(host, method, path, ifMatch(etag))).status).toBeLessThan(300)
  })

  it.each<[string, (etag: string) => string]>([
    ['another tag', () => '"other"'],
    ['the current tag as a weak one', (etag) => `W/${etag}`],
    ['the current tag in another case', (etag) => etag.toUpperCase()],
    ['the current tag with more behind it', (etag) => etag.replace(/"$/, '-"')],
    ['an empty tag', () => '""'],
    ['bytes above ASCII', () => '"\xe9"'],
  ])('is 412 with %s; nothing changes, and a write is spent', async (_, ifMatch) => {
    const { host, path, etag } = await scene()
    const before = await host.get(path)
    const reply = await write(host, method, path, ifMatch(etag))
    expectError(reply, 'precondition_failed', CHANGED)
    expect(quotaOf(reply)).toMatchObject({ limit: 10, remaining: 8 })
    expect(await host.get(path)).toMatchObject({ text: before.text })
  })

  it.each(['', ' ', ',', 'abc', '"a', 'a"', '"a" "b"', '*, "a"', '"a";q=1', 'w/"a"', "'a'"])(
    'is 400 with %j, before it is known whether there is a pack',
    async (ifMatch) => {
      const { host, path } = await scene()
      const before = await host.get(path)
      expectError(await write(host, method, path, ifMatch), 'bad_request', SYNTAX)
      expectError(await write(host, method, '/packs/AAAAAAAAAA', ifMatch), 'bad_request', SYNTAX)
      expect((await host.get(path)).text).toBe(before.text)
    },
  )

  it('is 400 for a header of 15 KB, quickly read', async () => {
    const { host, path } = await scene()
    const spaces = `"a"${' '.repeat(15_000)}"b"`
    expectError(await write(host, method, path, spaces), 'bad_request', SYNTAX)
  })

  it('answers byte for byte alike what is not there for the caller (D-29)', async () => {
    const { host, path, slug } = await scene()
    const hidden = await host.save(aPack({ visibility: 'public' }))
    await hidePack(house.ports, hidden)
    const secret = await host.save(aPack({ visibility: 'private' }))
    const other = await house.host()
    const paths = [path, `/packs/${hidden}`, `/packs/${secret}`, '/packs/AAAAAAAAAA']
    const any = await Promise.all(paths.map((each) => write(other, method, each, '*')))
    for (const reply of any) expectError(reply, 'precondition_failed', /^If-Match: \* needs/)
    expect(new Set(any.map(({ text }) => text)).size).toBe(1)
    house.clock.nextMinute()
    const some = await Promise.all(paths.map((each) => write(other, method, each, '"x"')))
    for (const reply of some) expectError(reply, 'not_found')
    expect(new Set(some.map(({ text }) => text)).size).toBe(1)
    expect((await host.get(path)).json.pack.slug).toBe(slug)
  })

  it('compares with what was saved: with the tag of before its stats came, too (D-86)', async () => {
    const { host, path, slug, etag } = await scene()
    await alter(house, slug, { stats: someStats })
    expect(tagOf(await host.get(path))).not.toBe(etag)
    expect((await write(host, method, path, etag)).status).toBeLessThan(300)
  })

  it('compares with its magnet links, which a save may clear', async () => {
    const { host, path, slug, etag } = await scene()
    const url = 'magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a'
    await alter(house, slug, { exports: [{ url, createdAt: 1_000 }] })
    expectError(await write(host, method, path, etag), 'precondition_failed')
    const now = tagOf(await host.get(path))
    expect((await write(host, method, path, now)).status).toBeLessThan(300)
  })

  it('of ten at once with the same tag exactly one goes ahead', async () => {
    const { host, path, etag } = await scene()
    house.clock.nextMinute()
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => write(host, method, path, etag)),
    )
    const statuses = replies.map(({ status }) => status)
    expect(statuses.filter((status) => status < 300)).toHaveLength(1)
    // A deleted pack is not in any state.
    const refused = method === 'PUT' ? 412 : 404
    expect(statuses.filter((status) => status === refused)).toHaveLength(9)
  })
})

describe('what a client goes on with (D-48)', () => {
  it('POST and PUT carry the tag that reading the pack gives', async () => {
    const { host, path, slug, etag } = await scene()
    expect(tagOf(await host.get(path))).toBe(etag)
    const put = await host.put(slug, aPack({ name: 'Finals' }))
    expect(tagOf(put)).not.toBe(etag)
    expect(tagOf(await host.get(path))).toBe(tagOf(put))
    expect((await write(host, 'PUT', path, tagOf(put))).status).toBe(200)
  })

  it('bad content is 400 before a tag is compared, and another method is 405 (D-3)', async () => {
    const { host, path } = await scene()
    const headers = { 'if-match': '"other"' }
    expectError(await host.ask('PUT', path, { headers, body: {} }), 'bad_request')
    expectError(await host.ask('PATCH', path, { headers, body: {} }), 'method_not_allowed')
  })

  it('POST and GET take no notice of it', async () => {
    const { host, path } = await scene()
    const headers = { 'if-match': '"other"' }
    expect((await host.ask('POST', '/packs', { headers, body: aPack() })).status).toBe(201)
    expect((await host.get(path, headers)).status).toBe(200)
  })
})
