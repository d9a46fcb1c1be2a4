import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Parameter } from '../../src/contract/openapi/types.ts'
import { codesOf } from '../../src/contract/errors.ts'
import { endpointsOf, type ServiceName } from '../../src/contract/services.ts'
import { documents, operationsOf, repliesOf, resolve } from './documents.ts'

const round = '/tournaments/{slug}/rounds/{round}'
const saying = [400, 401, 403, 404, 412, 413, 415, 429, 500]
const removing = [400, 401, 403, 404, 412, 429, 500]
const adding = [400, 401, 403, 404, 409, 413, 415, 429, 500]
const changing = [400, 401, 403, 404, 409, 412, 413, 415, 429, 500]
const replacing = [400, 401, 403, 404, 409, 412, 413, 415, 428, 429, 500]

/**
 * The tables of spec 4.1 and 4.2: success, then errors; 400 of openapi.json is malformed HTTP (D-10);
 * 412 and the 400 of DELETE are D-48; the history is D-72, 403 and 428 of tournaments D-61 and D-62.
 */
const specified = {
  packs: {
    getMe: ['get', '/me', 200, [401, 429, 500]],
    listMyPacks: ['get', '/me/packs', 200, [400, 401, 429, 500]],
    listPacks: ['get', '/packs', 200, [400, 401, 429, 500]],
    createPack: ['post', '/packs', 201, [400, 401, 409, 413, 415, 429, 500]],
    getPack: ['get', '/packs/{slug}', 200, [401, 404, 429, 500]],
    replacePack: ['put', '/packs/{slug}', 200, [400, 401, 404, 412, 413, 415, 429, 500]],
    deletePack: ['delete', '/packs/{slug}', 204, [400, 401, 404, 412, 429, 500]],
    getHistory: ['get', '/packs/{slug}/history', 200, [400, 401, 404, 429, 500]],
    getVersion: ['get', '/packs/{slug}/history/{version}', 200, [401, 404, 429, 500]],
    setHistoryPublic: [
      'put',
      '/packs/{slug}/history',
      204,
      [400, 401, 404, 412, 413, 415, 429, 500],
    ],
    getChanges: ['get', '/changes', 200, [400, 401, 410, 429, 500]],
    getOpenapi: ['get', '/openapi.json', 200, [400, 500]],
  },
  pools: {
    getMe: ['get', '/me', 200, [401, 429, 500]],
    listTournaments: ['get', '/tournaments', 200, [400, 401, 429, 500]],
    listMyTournaments: ['get', '/me/tournaments', 200, [400, 401, 429, 500]],
    createTournament: ['post', '/tournaments', 201, [400, 401, 404, 409, 413, 415, 429, 500]],
    getTournament: ['get', '/tournaments/{slug}', 200, [400, 401, 404, 429, 500]],
    updateTournament: ['patch', '/tournaments/{slug}', 200, changing],
    deleteTournament: ['delete', '/tournaments/{slug}', 204, [400, 401, 403, 404, 412, 429, 500]],
    createRound: ['post', '/tournaments/{slug}/rounds', 201, adding],
    replaceRounds: ['put', '/tournaments/{slug}/rounds', 200, replacing],
    getRound: ['get', '/tournaments/{slug}/rounds/{round}', 200, [400, 401, 404, 429, 500]],
    replaceRound: ['put', '/tournaments/{slug}/rounds/{round}', 200, replacing],
    deleteRound: [
      'delete',
      '/tournaments/{slug}/rounds/{round}',
      204,
      [400, 401, 403, 404, 412, 428, 429, 500],
    ],
    changeSlots: ['patch', '/tournaments/{slug}/rounds/{round}/slots', 200, changing],
    releaseRound: ['put', '/tournaments/{slug}/rounds/{round}/release', 200, changing],
    getDraftHistory: ['get', `${round}/history`, 200, [400, 401, 404, 429, 500]],
    getDraftVersion: ['get', `${round}/history/{version}`, 200, [401, 404, 429, 500]],
    listDeletedRounds: ['get', '/tournaments/{slug}/deleted-rounds', 200, [401, 404, 429, 500]],
    restoreRound: [
      'post',
      '/tournaments/{slug}/deleted-rounds/{round}/restore',
      200,
      [400, 401, 403, 404, 409, 429, 500],
    ],
    listStaff: ['get', '/tournaments/{slug}/staff', 200, [401, 404, 429, 500]],
    getMember: ['get', '/tournaments/{slug}/staff/{gameId}', 200, [401, 404, 429, 500]],
    setRole: ['put', '/tournaments/{slug}/staff/{gameId}', 200, changing],
    removeMember: [
      'delete',
      '/tournaments/{slug}/staff/{gameId}',
      204,
      [400, 401, 403, 404, 409, 412, 429, 500],
    ],
    listCandidates: ['get', `${round}/candidates`, 200, [400, 401, 404, 429, 500]],
    proposeCandidate: ['post', `${round}/candidates`, 201, adding],
    getCandidate: ['get', `${round}/candidates/{id}`, 200, [401, 404, 429, 500]],
    voteOnCandidate: ['put', `${round}/candidates/{id}/vote`, 200, saying],
    moveCandidate: ['patch', `${round}/candidates/{id}`, 200, changing],
    removeCandidate: ['delete', `${round}/candidates/{id}`, 204, removing],
    listRemarks: ['get', `${round}/remarks`, 200, [400, 401, 404, 429, 500]],
    addRemark: ['post', `${round}/remarks`, 201, adding],
    getRemark: ['get', `${round}/remarks/{id}`, 200, [401, 404, 429, 500]],
    updateRemark: ['patch', `${round}/remarks/{id}`, 200, saying],
    removeRemark: ['delete', `${round}/remarks/{id}`, 204, removing],
    getTournamentChecks: ['get', '/tournaments/{slug}/checks', 200, [400, 401, 404, 429, 500]],
    getRoundChecks: ['get', `${round}/checks`, 200, [401, 404, 429, 500]],
    getBeatmapUsage: ['get', '/beatmaps/{id}/usage', 200, [400, 401, 404, 429, 500]],
    listBeatmapUsage: ['get', '/beatmaps/usage', 200, [400, 401, 429, 500]],
    getChanges: ['get', '/changes', 200, [400, 401, 410, 429, 500]],
    getOpenapi: ['get', '/openapi.json', 200, [400, 500]],
  },
} as const

const always = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'X-Request-Id',
  'X-Content-Type-Options',
  'Cache-Control',
  'X-Ignored-Fields',
]

/** What is read page by page. */
const lists = [
  'listMyPacks',
  'listPacks',
  'getHistory',
  'listTournaments',
  'listMyTournaments',
  'getDraftHistory',
  'listCandidates',
  'listRemarks',
  'getBeatmapUsage',
  'listBeatmapUsage',
]

/** What an answer carries beside that (spec 4, spec 5 rule 6, D-13, D-52). */
const moreHeaders = (id: string, status: string, service: ServiceName): string[] => {
  const isList = lists.includes(id)
  const [tag, ...coding] = ['ETag', 'Vary', 'Content-Encoding']
  const coded = [tag, ...coding]
  if (status === '200' && isList) return [...coded, 'Link']
  return (
    {
      200: coded,
      201: [...coded, 'Location'],
      304: ['ETag', 'Vary', ...(isList ? ['Link'] : [])],
      401: ['WWW-Authenticate'],
      // It may hold all slots of a round.
      409: service === 'pools' ? coding : [],
      429: ['Retry-After'],
      500: ['Retry-After'],
    }[Number(status)] ?? []
  )
}

describe.each(['packs', 'pools'] as const)('the operations of the %s document', (service) => {
  const document = documents[service]
  const operations = operationsOf(document)

  test('are those of spec 4, each at its path and method, and no others', () => {
    const written = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId }]) => [operationId, `${method} ${path}`]),
    )
    const expected = Object.entries(specified[service]).map(([id, [method, path]]) => [
      id,
      `${method} ${path}`,
    ])
    expect(Object.fromEntries(written)).toEqual(Object.fromEntries(expected))
    expect(Object.keys(endpointsOf[service]).toSorted()).toEqual(
      operations.map(([id]) => id).toSorted(),
    )
  })

  test.each(operations)('%s answers every status of spec 4, and 304 to a GET (D-13)', (id, op) => {
    const [method, , success, errors] = Object.entries(specified[service]).find(
      ([name]) => name === id,
    )![1] as (typeof specified.packs)['getMe']
    const expected = [success, ...(method === 'get' ? [304] : []), ...errors].map(String)
    expect(Object.keys(op.responses)).toEqual(expected)
  })

  test.each(operations)('%s names the headers of each answer (spec 4, D-13)', (id, op) => {
    for (const [status, reply] of repliesOf(document, op)) {
      const more = moreHeaders(id, status, service)
      expect(Object.keys(reply.headers), status).toEqual([...always, ...more])
      for (const [name, header] of Object.entries(reply.headers)) {
        expect(header.$ref).toBe(`#/components/headers/${name}`)
      }
    }
  })

  test.each(operations)('%s has a body in its answers but for 204 and 304', (_id, op) => {
    for (const [status, reply] of repliesOf(document, op)) {
      expect('content' in reply, status).toBe(status !== '204' && status !== '304')
    }
  })

  test.each(operations)('%s shows each error code of each status (spec 7)', (_id, op) => {
    for (const [status, reply] of repliesOf(document, op)) {
      if (Number(status) < 400) continue
      const shown = Object.values(reply.content?.['application/json'].examples ?? {}).map(
        ({ value }) => (value as { error: { code: string } }).error.code,
      )
      const codes = Object.entries(codesOf[service])
        .filter(([, code]) => code.status === Number(status))
        .map(([code]) => code)
      expect([...new Set(shown)].toSorted()).toEqual(codes.toSorted())
      for (const code of codes) expect(reply.description).toContain(`\`${code}\``)
    }
  })

  test.each(operations)('%s shows what it is sent and what it answers', (_id, op) => {
    const bodies = [op.requestBody, ...repliesOf(document, op).map(([, reply]) => reply)]
    for (const body of bodies) {
      if (body?.content === undefined) continue
      expect(Object.keys(body.content['application/json'].examples)).not.toEqual([])
    }
  })

  test.each(operations)('%s says what it is for, under a tag that is described', (_id, op) => {
    expect(op.summary).not.toBe('')
    expect(op.description).not.toBe('')
    const [tag] = op.tags
    expect(document.tags.map(({ name }) => name)).toContain(tag)
    expect(op.tags).toHaveLength(1)
  })

  test.each(operations)(
    '%s takes what is in its path, page, after, wait, Idempotency-Key, If-Match and If-None-Match as it should',
    (id, op) => {
      const names = (op.parameters ?? []).map(
        (parameter) => (resolve(document, parameter) as { name: string }).name,
      )
      const endpoint = endpointsOf[service][id]!
      expect(names).toEqual([
        ...(endpoint.path.includes('{slug}') ? ['slug'] : []),
        ...(endpoint.path.includes('{version}') ? ['version'] : []),
        ...(endpoint.path.includes('{round}') ? ['round'] : []),
        ...(endpoint.path.includes('{id}') ? ['id'] : []),
        ...(endpoint.path.includes('{gameId}') ? ['gameId'] : []),
        ...(lists.includes(id) ? ['page'] : []),
        ...(id === 'listTournaments' ? ['search', 'ruleset', 'rank', 'year'] : []),
        ...(id === 'listBeatmapUsage' ? ['ids'] : []),
        ...(id === 'getTournamentChecks' ? ['round'] : []),
        ...(id === 'getTournament' || id === 'getRound' ? ['as'] : []),
        ...(id === 'getChanges' ? ['after', 'wait'] : []),
        ...(endpoint.method === 'POST' ? ['Idempotency-Key'] : []),
        ...(['PUT', 'PATCH', 'DELETE'].includes(endpoint.method) ? ['If-Match'] : []),
        ...(endpoint.method === 'GET' ? ['If-None-Match'] : []),
      ])
    },
  )

  test('all but openapi.json need the key (spec 4, D-11)', () => {
    expect(document.security).toEqual([{ apiKey: [] }])
    const keyless = operations.filter(([, op]) => op.security?.length === 0).map(([id]) => id)
    expect(keyless).toEqual(['getOpenapi'])
  })
})

test('POST and PUT take a whole pack as JSON and nothing less (spec 4.1), the history its switch (D-72)', () => {
  const bodies: Readonly<Record<string, string>> = {
    createPack: 'PackInput',
    replacePack: 'PackInput',
    setHistoryPublic: 'HistorySwitch',
  }
  for (const [id, op] of operationsOf(documents.packs)) {
    expect(op.requestBody !== undefined, id).toBe(id in bodies)
    if (!(id in bodies)) continue
    expect(op.requestBody?.required).toBe(true)
    expect(Object.keys(op.requestBody?.content ?? {})).toEqual(['application/json'])
    expect(op.requestBody?.content['application/json'].schema.$ref).toBe(
      `#/components/schemas/${bodies[id]}`,
    )
  }
})

test('If-Match is required where whole rounds are replaced or deleted (D-62)', () => {
  const required = operationsOf(documents.pools).flatMap(([id, { parameters = [] }]) =>
    parameters.some((parameter) => {
      const { name, required } = resolve(documents.pools, parameter) as Parameter
      return name === 'If-Match' && required
    })
      ? [id]
      : [],
  )
  expect(required).toEqual(['replaceRounds', 'replaceRound', 'deleteRound'])
})

// What changes it on purpose changes the hash here.
test('the packs document is byte for byte what it was before there were tournaments (spec 4.2)', () => {
  const text = JSON.stringify(documents.packs)
  expect(createHash('sha256').update(text).digest('hex')).toBe(
    '82d97c2d273107967568b6b12e062ae5c65d2057108f0a40c8ddd0e887cd2721',
  )
})

test('page is a whole number from 1 to 999999, 1 when left out (spec 4, D-15)', () => {
  expect(documents.packs.components['parameters']?.['Page']).toMatchObject({
    name: 'page',
    in: 'query',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: 999_999, default: 1 },
  })
})

test('both lists say how they are ordered and how long a page is (spec 4.1)', () => {
  for (const path of ['/packs', '/me/packs']) {
    const description = documents.packs.paths[path]?.['get']?.description
    expect(description).toMatch(/most recently updated first, 50 a page/)
  }
})
