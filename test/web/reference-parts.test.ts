import { execFileSync } from 'node:child_process'
import { runInNewContext } from 'node:vm'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildOpenapi } from '../../src/contract/openapi/document.ts'
import { endpointsOf } from '../../src/contract/services.ts'
import {
  type Endpoint,
  fieldsOf,
  parameterFields,
  readDocument,
} from '../../src/web/reference/document.ts'
import {
  asCurl,
  asFetch,
  findObstacle,
  type WireRequest,
  writeRequest,
} from '../../src/web/reference/request.ts'
import { writeJson } from '../../src/web/reference/text.tsx'

const options = {
  apiUrl: 'https://packs.test',
  siteUrl: 'https://site.test',
  keyPrefix: 'packs',
}
const packs = readDocument(buildOpenapi('packs', options))
const callNamed = (id: string): Endpoint => packs.endpoints.find((call) => call.id === id)!

describe('the reference reads a document', () => {
  it.each(['packs', 'pools'] as const)('with every call of the %s service', (service) => {
    const { endpoints } = readDocument(buildOpenapi(service, options))
    const expected = Object.entries(endpointsOf[service]).map(([id, endpoint]) => [
      id,
      `${endpoint.method} ${endpoint.path}`,
    ])
    expect(new Set(endpoints.map(({ id, method, path }) => [id, `${method} ${path}`]))).toEqual(
      new Set(expected),
    )
    for (const { needsKey, path } of endpoints) expect(needsKey).toBe(path !== '/openapi.json')
  })

  it('and reads each part that others refer to once, however often they do', () => {
    const document = buildOpenapi('pools', options)
    const read: string[] = []
    const noted = Object.entries(document.components).map(([section, parts]) => {
      const get = (all: typeof parts, name: string) => {
        read.push(`${section} ${name}`)
        return Reflect.get(all, name)
      }
      return [section, new Proxy(parts, { get: (all, name) => get(all, String(name)) })]
    })
    readDocument({ ...document, components: Object.fromEntries(noted) })
    expect(read.length).toBeGreaterThan(0)
    expect(read.toSorted()).toEqual([...new Set(read)].toSorted())
  })

  it('and tells apart the headers that every answer carries', () => {
    expect(packs.commonHeaders.map(([name]) => name)).toEqual([
      'RateLimit-Limit',
      'RateLimit-Remaining',
      'RateLimit-Reset',
      'X-Request-Id',
      'X-Content-Type-Options',
      'Cache-Control',
      'X-Ignored-Fields',
    ])
  })
})

const lines = (id: string): string[] =>
  fieldsOf(callNamed(id).body!.schema).map((field) =>
    [
      field.path,
      [field.type, field.bounds].filter((part) => part !== '').join(', '),
      field.values.join(' '),
      field.isRequired ? '' : 'optional',
    ]
      .filter((part) => part !== '')
      .join(' | '),
  )

describe('the fields of a body', () => {
  it('are told line by line, with types, bounds and values', () => {
    expect(lines('createPack')).toEqual([
      'name | string, 1 to 64 characters',
      'slots | array of objects, 1 to 64 items',
      'slots[].mod | string or null, 1 to 12 characters',
      'slots[].index | integer, 1 to 99',
      'slots[].beatmapId | integer, 1 to 2147483647',
      'buckets | array of objects, at most 14 items | optional',
      'buckets[]: Builtin bucket | Builtin bucket | optional',
      'buckets[].code | string | "NM" "HD" "HR" "DT" "FM" "TB"',
      'buckets[]: Custom bucket | Custom bucket | optional',
      'buckets[].code | string, 1 to 12 characters',
      'buckets[].color | integer, 0 to 9',
      'buckets[].mods | one of 2 shapes | optional',
      'buckets[].mods: Forced mods | Forced mods | optional',
      'buckets[].mods.kind | string | "forced"',
      'buckets[].mods.set | array of strings, 1 to 3 items | "EZ" "HD" "HR" "DT" "HT" "FL"',
      'buckets[].mods: Free mods | Free mods | optional',
      'buckets[].mods.kind | string | "free"',
      'visibility | string | "private" "unlisted" "public" | optional',
      'description | string, at most 500 characters | optional',
    ])
  })

  it('and so are parameters, with the place that they stand in', () => {
    const fields = parameterFields(callNamed('listPacks'))
    expect(fields.map(({ name, type, bounds }) => [name, type, bounds])).toEqual([
      ['page', 'integer in the query', '1 to 999999'],
      ['If-None-Match', 'string in the header', '1 to 2048 characters'],
    ])
  })

  it('of every answer can be told', () => {
    for (const { id, replies } of packs.endpoints) {
      for (const { schema } of replies) {
        if (schema === undefined) continue
        const paths = fieldsOf(schema).map(({ path }) => path)
        expect([id, paths.length > 0]).toEqual([id, true])
      }
    }
  })
})

describe('JSON for people', () => {
  it('puts on a line what fits there', () => {
    const value = {
      name: 'a',
      slots: [
        { mod: 'NM', index: 1, beatmapId: 2809623 },
        { mod: null, index: 2, beatmapId: 4392963 },
      ],
      exports: [],
      none: {},
    }
    expect(writeJson(value)).toBe(
      [
        '{',
        '  "name": "a",',
        '  "slots": [',
        '    { "mod": "NM", "index": 1, "beatmapId": 2809623 },',
        '    { "mod": null, "index": 2, "beatmapId": 4392963 }',
        '  ],',
        '  "exports": [],',
        '  "none": {}',
        '}',
      ].join('\n'),
    )
  })

  it('is the same JSON, whatever it holds', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.stringify(JSON.parse(writeJson(value)))).toBe(JSON.stringify(value))
      }),
    )
  })
})

describe('a call as it is sent', () => {
  it('has its path, query, headers and body filled in, and leaves empty ones out', () => {
    const list = { page: ' 2 ', 'If-None-Match': '' }
    expect(writeRequest(callNamed('listPacks'), list, '')).toEqual({
      method: 'GET',
      path: '/packs?page=2',
      headers: {},
      body: null,
    })
    expect(writeRequest(callNamed('replacePack'), { slug: 'a/b?c' }, '{}')).toEqual({
      method: 'PUT',
      path: '/packs/a%2Fb%3Fc',
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
    })
  })

  it('is held back only while it cannot be sent at all', () => {
    const get = callNamed('getPack')
    const filled = { slug: 'x' }
    expect(findObstacle(get, filled, '')).toBeNull()
    expect(findObstacle(get, filled, 'packs_…')?.field).toBe('key')
    expect(findObstacle(get, {}, '')?.field).toBe('slug')
    const header = { ...filled, 'If-None-Match': '“x”' }
    expect(findObstacle(get, header, '')?.field).toBe('If-None-Match')
  })
})

const server = 'https://packs.test/api/v1'

/** What a shell hands to curl. */
const argumentsOf = (command: string): string[] => {
  const script = `curl() { for each in "$@"; do printf '%s\\0' "$each"; done; }; PACKS_KEY=secret; ${command}`
  return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)
}

describe('the same call elsewhere', () => {
  const post: WireRequest = {
    method: 'POST',
    path: '/packs',
    headers: { 'Content-Type': 'application/json' },
    body: '{\n  "name": "Ada\'s $HOME `cup` \\" \\\\"\n}',
  }

  it('as curl reaches the shell whole, and asks the shell for the key', () => {
    expect(argumentsOf(asCurl(post, server, 'PACKS_KEY'))).toEqual([
      '-X',
      'POST',
      `${server}/packs`,
      '-H',
      'Authorization: Bearer secret',
      '-H',
      'Content-Type: application/json',
      '-d',
      post.body,
    ])
    const open = { method: 'GET', path: '/openapi.json', headers: {}, body: null }
    expect(argumentsOf(asCurl(open, server, null))).toEqual([`${server}/openapi.json`])
  })

  it('as fetch does the same', () => {
    const run = (code: string): unknown[] => {
      const sent: unknown[] = []
      runInNewContext(`(async () => { ${code} })()`, {
        fetch: (...all: unknown[]) => sent.push(...(JSON.parse(JSON.stringify(all)) as unknown[])),
        process: { env: { PACKS_KEY: 'secret' } },
      })
      return sent
    }
    const authorization = { Authorization: 'Bearer secret' }
    expect(run(asFetch(post, server, 'PACKS_KEY'))).toEqual([
      `${server}/packs`,
      {
        method: 'POST',
        headers: { ...authorization, 'Content-Type': 'application/json' },
        body: JSON.stringify(JSON.parse(post.body ?? '')),
      },
    ])
    const broken = { ...post, body: `{ it's "no" JSON\\\n` }
    expect(run(asFetch(broken, server, 'PACKS_KEY'))[1]).toMatchObject({ body: broken.body })
    const get = { method: 'GET', path: '/me', headers: { 'If-None-Match': `"a'b"` }, body: null }
    expect(run(asFetch(get, server, 'PACKS_KEY'))).toEqual([
      `${server}/me`,
      { headers: { ...authorization, 'If-None-Match': `"a'b"` } },
    ])
    const open = { method: 'GET', path: '/openapi.json', headers: {}, body: null }
    expect(run(asFetch(open, server, null))).toEqual([`${server}/openapi.json`])
  })
})
