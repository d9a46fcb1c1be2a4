import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { errorCodes, poolsErrorCodes, siteErrorCodes } from '../../src/contract/errors.ts'
import { endpointsOf, serviceNames } from '../../src/contract/services.ts'
import { sessionEndpointsOf } from '../../src/contract/session-api.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { type Schema, schemasIn } from './schemas.ts'

const all = serviceNames.flatMap((service) =>
  Object.entries(sessionEndpointsOf[service]).map(([id, endpoint]): [string, Endpoint] => [
    `${service} ${id}`,
    endpoint,
  ]),
)
const named = (keep: (endpoint: Endpoint) => boolean) => all.filter(([, each]) => keep(each))

describe('every session endpoint', () => {
  test.each(all)('%s has its own method and path below /session', (name, { method, path }) => {
    expect(path).toMatch(/^\/session(\/[a-z-]+|\/\{(slug|version|round|gameId|id|token)\})*$/)
    const [service] = name.split(' ')
    const same = named((each) => each.method === method && each.path === path)
    expect(same.filter(([other]) => other.startsWith(`${service} `))).toHaveLength(1)
  })

  test.each(all)('%s changes something only with a CSRF token, or nothing at all', (name, each) => {
    const changes = each.method !== 'GET' && !name.endsWith('lookAtBeatmaps')
    expect(each.proof === 'token').toBe(changes)
    if (changes) expect(each.who).not.toBe('anyone')
  })

  test.each(all)('%s can be refused as it must be', (name, each) => {
    const isForHosts = ['pools listInvitations', 'pools listAnnouncements'].includes(name)
    const expected: [status: number, needed: boolean][] = [
      [401, each.who !== 'anyone'],
      [403, each.proof !== undefined || each.who === 'moderators' || isForHosts],
      [413, each.body !== undefined],
      [415, each.body !== undefined],
      [429, true],
      [500, true],
    ]
    for (const [status, needed] of expected) {
      expect((each.errors as readonly number[]).includes(status), String(status)).toBe(needed)
    }
    if (each.body !== undefined || each.paged) expect(each.errors).toContain(400)
    const known = Object.values(siteErrorCodes).map(({ status }) => status)
    expect(known).toEqual(expect.arrayContaining([...each.errors]))
  })

  test('spec 8: saving, editing and deleting packs and magnet links, and opening a history, are what spends writes', () => {
    const spending = named(({ spendsWrite }) => spendsWrite === true).map(([name]) => name)
    expect(spending).toEqual([
      'packs createPack',
      'packs replacePack',
      'packs deletePack',
      'packs recordMagnet',
      'packs removeMagnet',
      'packs setHistoryPublic',
    ])
  })
})

const boundOf = { string: 'maxLength', integer: 'maximum', array: 'maxItems' }
const isObject = (schema: Schema): boolean => schema['type'] === 'object'

describe('what goes over the wire', () => {
  test.each(named(({ success }) => success.schema !== null))(
    '%s: every object of the answer is closed (D-44)',
    (_, { success }) => {
      for (const [place, schema] of schemasIn(success.schema as never, '')) {
        if (isObject(schema)) expect(schema['additionalProperties'], place).toBe(false)
      }
    },
  )

  test.each(named(({ body }) => body !== undefined))(
    '%s: the body ignores what it does not know (D-17)',
    (_, { body }) => {
      expect((body as unknown as Schema)['additionalProperties']).toBeUndefined()
    },
  )

  test.each(named(({ body, query }) => body !== undefined || query !== undefined))(
    '%s: every text, number and list that is sent has its bounds',
    (_, { body, query }) => {
      const sent = [body, query].flatMap((schema) =>
        schema === undefined ? [] : [...schemasIn(schema as never, '')],
      )
      const unbound = sent
        .filter(([, schema]) => !('enum' in schema || 'const' in schema))
        .filter(([, schema]) =>
          Object.entries(boundOf).some(
            ([type, bound]) =>
              [schema['type']].flat().includes(type) && typeof schema[bound] !== 'number',
          ),
        )
      expect(unbound).toEqual([])
    },
  )
})

describe('the published API stays as it is', () => {
  test('no session endpoint is part of it', () => {
    const published = Object.values(endpointsOf).flatMap((table) => Object.values(table))
    expect(published.filter(({ path }) => path.startsWith('/session'))).toEqual([])
  })

  test('the tournament-pools service has two more error codes, the site one more (D-61, D-62)', () => {
    const more = (codes: object, than: object) =>
      Object.keys(codes).filter((code) => !(code in than))
    expect(more(poolsErrorCodes, errorCodes)).toEqual(['forbidden', 'precondition_required'])
    expect(more(siteErrorCodes, poolsErrorCodes)).toEqual(['not_signed_in'])
  })

  test('the pools service has its account page, its own API and workspaces, and nothing of packs (spec 4.2)', () => {
    const published = Object.entries(endpointsOf.pools)
    // A session has other endpoints for what these answer.
    const others = ['getMe', 'getOpenapi', 'getBeatmapUsage', 'listBeatmapUsage', 'getChanges']
    others.push('listMyTournaments', 'listCandidates', 'listRemarks', 'getRoundChecks')
    others.push('getMember', 'getCandidate', 'getRemark')
    const mirrored = published.filter(([id]) => !others.includes(id))
    expect(Object.keys(sessionEndpointsOf.pools)).toEqual([
      'getSession',
      'signOut',
      'setLanguage',
      'listSessions',
      'endSession',
      'endOtherSessions',
      'getKey',
      'makeKey',
      'revokeKey',
      'lookAtBeatmaps',
      'lookUpUsage',
      'readModerationLog',
      ...mirrored.map(([id]) => id),
      'getWorkspace',
      'followWorkspace',
      'getDiscussion',
      'getReleased',
      'listAnnouncements',
      'sendTrial',
      'sendAgain',
      'listInvitations',
      'makeInvitation',
      'withdrawInvitation',
      'getInvitation',
      'acceptInvitation',
      'listModeratedTournaments',
      'hideTournament',
      'unhideTournament',
    ])
    for (const [id, { method, path, body, query, success, conditional }] of mirrored) {
      const session = sessionEndpointsOf.pools[id]!
      expect(session).toMatchObject({ method, path: `/session${path}`, success, auth: 'session' })
      expect([session.body, session.query, session.conditional]).toEqual([body, query, conditional])
      expect(session.spendsEdit ?? false, id).toBe(method !== 'GET')
      const asksPlatform = id.endsWith('Checks')
      const cost = session.paged ? 'list' : undefined
      expect(session.cost, id).toBe(asksPlatform ? 'lookUp' : cost)
    }
  })

  test('everybody reads public tournaments on the site; the rest is for who is signed in (D-60)', () => {
    const open = Object.entries<Endpoint>(sessionEndpointsOf.pools).filter(
      ([, { who }]) => who === 'anyone',
    )
    expect(open.map(([id]) => id)).toEqual([
      'getSession',
      'lookAtBeatmaps',
      'lookUpUsage',
      'listTournaments',
      'getTournament',
      'getRound',
    ])
  })
})

const root = fileURLToPath(new URL('../../src', import.meta.url))
const readFolder = (folder: string): string =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')

describe('a session endpoint is there for a page', () => {
  const pages = readFolder('web')
  const declarations = ['session-api.ts', 'pools-api.ts']
    .map((file) => readFileSync(join(root, 'contract', file), 'utf8'))
    .join('\n')
  const isCalled = (id: string, path: string) => {
    // Downloads and events are requested by their address.
    const address = path.replaceAll(/\{\w+\}/g, String.raw`\$\{[^}]+\}`)
    return pages.includes(`'${id}'`) || new RegExp(`['"\`]${address}['"\`?$]`).test(pages)
  }
  const hasReason = (id: string) =>
    new RegExp(`No page calls it yet: [^*]+\\*/\n +${id}: `).test(declarations)

  test.each(all)('%s: one that calls it, or is to come', (name, { path }) => {
    const id = name.split(' ')[1]!
    expect(isCalled(id, path) !== hasReason(id), id).toBe(true)
  })
})
