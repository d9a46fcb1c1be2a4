import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import type { Check, Report } from '../scripts/conform/report.ts'
import { runConformance } from '../scripts/conform/run.ts'
import { someStats } from './api/samples.ts'
import { withoutQuotas } from './api/spend.ts'
import { dropping, openFaultyService, rewritten, type Wrong } from './support/faulty-service.ts'
import { type Host, openHouse } from './support/house.ts'

// `npm run conform`, and what it finds: behind each fault of a service there is a right one.
const guide = readFileSync(new URL('../docs/api.md', import.meta.url), 'utf8')
const script = fileURLToPath(new URL('../scripts/conform.ts', import.meta.url))
const { CONFORM_REQUESTS = '900' } = process.env

const house = await openHouse({
  withPorts: withoutQuotas,
  onAnswer: ({ method, route }) => {
    if (method === 'POST' && route.endsWith('/packs')) void computeStats()
  },
})
afterAll(() => house.close())

/** What the worker does, with stats that are the same for all packs. */
const computeStats = async (): Promise<void> => {
  const now = house.clock.now()
  const due = await house.ports.statsWork.takeDue(now, now + 1000, 100)
  for (const work of due) {
    await house.ports.statsWork.finish(work, { stats: someStats, dueAt: null, attempts: 1 })
  }
}

const newPlayers = async () => ({
  packs: await house.host('packs'),
  pools: await house.host('pools'),
})
type Players = Awaited<ReturnType<typeof newPlayers>>

const leftOf = async ({ packs, pools }: Players): Promise<number> =>
  (await packs.get('/me/packs')).json.total + (await pools.get('/me/tournaments')).json.total

const conform = async (
  { packs, pools }: Players,
  requests: number,
  urls: { readonly packs?: string; readonly pools?: string } = {},
): Promise<Report> =>
  runConformance({
    packsUrl: urls.packs ?? packs.door.url,
    poolsUrl: urls.pools ?? pools.door.url,
    packsKey: packs.key,
    poolsKey: pools.key,
    guide,
    seed: 1,
    requests,
    signal: new AbortController().signal,
    steps: 20,
  })

describe('an installation that does what it should', () => {
  it('is found to do so, and nothing is left behind', async () => {
    const players = await newPlayers()
    const report = await conform(players, Number(CONFORM_REQUESTS))
    if (process.env['CONFORM_REQUESTS'] !== undefined) console.log(report.text)
    expect(report.faults).toEqual([])
    expect(report.untried).toEqual([])
    expect(report.tried('derived')).toBeGreaterThan(0)
    expect(await leftOf(players)).toBe(0)
  })

  it('is found to do so where both keys are of one account', async () => {
    const packs = await house.host('packs')
    const pools = await house.hostOf(packs.gameId, packs.username, 'pools')
    const report = await conform({ packs, pools }, 700)
    expect(report.faults).toEqual([])
    expect(report.notes).toContain(
      'Both keys are of one account: removing somebody from the staff was not tried.',
    )
    expect(await leftOf({ packs, pools })).toBe(0)
  })
})

const isPack = (path: string) => /^\/packs\/[\w-]+$/.test(path)
const repeated = (): Wrong => {
  const seen = new Set<string | undefined>()
  return async ({ method, headers }, forward) => {
    const key = headers['idempotency-key']
    const isAgain = method === 'POST' && key !== undefined && seen.has(key)
    seen.add(key)
    const answer = await forward()
    return isAgain ? { ...answer, status: 200 } : answer
  }
}

type Faulty = {
  readonly service: 'packs' | 'pools'
  readonly wrong: Wrong
  readonly check: Check
  readonly says: RegExp
}

const faulty: Readonly<Record<string, Faulty>> = {
  'drops Idempotency-Key': {
    service: 'pools',
    wrong: (passing, forward) => forward(dropping('idempotency-key', passing)),
    check: 'lost',
    says: /^POST \/tournaments: .*left 2 of them/,
  },
  'drops Idempotency-Key of packs': {
    service: 'packs',
    wrong: (passing, forward) => forward(dropping('idempotency-key', passing)),
    check: 'races',
    says: /^POST \/packs: 4 answers with one Idempotency-Key/,
  },
  'answers a repeated POST otherwise': {
    service: 'pools',
    wrong: repeated(),
    check: 'lost',
    says: /: 201 at first, then 200$/,
  },
  'saves a repeated PUT once more': {
    service: 'packs',
    wrong: async (passing, forward) => {
      const { method, path, json } = passing
      const answer = await forward()
      if (method === 'PUT' && isPack(path) && answer.status === 200) {
        const save = (name: string) =>
          forward({ ...dropping('if-match', passing), json: { ...json, name } })
        await save(`${json.name} 2`)
        await save(json.name)
      }
      return answer
    },
    check: 'lost',
    says: /^PUT \/packs\/\{slug\}: the history has \d+ versions, not 4$/,
  },
  'ignores If-Match of votes': {
    service: 'pools',
    wrong: (passing, forward) =>
      passing.path.endsWith('/vote') ? forward(dropping('if-match', passing)) : forward(),
    check: 'stale',
    says: /^PUT \/tournaments\/\{slug\}\/rounds\/\{round\}\/candidates\/\{id\}\/vote: 200, not 412$/,
  },
  'takes stale tags of whole rounds': {
    service: 'pools',
    wrong: async ({ method, path, headers }, forward) => {
      if (method !== 'PUT' || !/\/rounds\/[\w-]+$/.test(path)) return forward()
      const now = await forward({
        method: 'GET',
        headers: { authorization: headers['authorization']! },
      })
      return forward({ headers: { ...headers, 'if-match': now.headers.get('etag') ?? '' } })
    },
    check: 'stale',
    says: /^PUT \/tournaments\/\{slug\}\/rounds\/\{round\}: 200, not 412$/,
  },
  'says 412 and writes all the same': {
    service: 'packs',
    wrong: async (passing, forward) => {
      const answer = await forward()
      if (passing.method === 'PUT' && answer.status === 412)
        await forward(dropping('if-match', passing))
      return answer
    },
    check: 'stale',
    says: /^PUT \/packs\/\{slug\}: pack\.name is /,
  },
  'lets stats make a tag stale': {
    service: 'packs',
    wrong: async ({ method, path, headers }, forward) => {
      const { authorization = '' } = headers
      const tag = headers['if-match']
      if (method !== 'PUT' || !isPack(path) || tag === undefined) return forward()
      const now = await forward({ method: 'GET', headers: { authorization } })
      return forward(
        now.headers.get('etag') === tag ? {} : { headers: { ...headers, 'if-match': '"x"' } },
      )
    },
    check: 'derived',
    says: /^412, not 200$/,
  },
  'turns the order of slots': {
    service: 'packs',
    wrong: async ({ path }, forward) => {
      const answer = await forward()
      if (!path.startsWith('/packs') || answer.status >= 300) return answer
      return rewritten(answer, ({ pack, ...rest }) =>
        pack?.slots === undefined
          ? { pack, ...rest }
          : { pack: { ...pack, slots: pack.slots.toReversed() }, ...rest },
      )
    },
    check: 'packs',
    says: /^slots\[0\]/,
  },
  'forgets what is known of a slot': {
    service: 'pools',
    wrong: async ({ method, path, json }, forward) => {
      if (method !== 'POST' || !path.endsWith('/rounds') || json?.slots === undefined)
        return forward()
      const slots = json.slots.map(({ link: _link, ...slot }: Record<string, unknown>) => slot)
      return forward({ json: { ...json, slots } })
    },
    check: 'rounds',
    says: /^round\.slots\[\d\]\.link is undefined, not "https:/,
  },
  'mends what it should refuse': {
    service: 'packs',
    wrong: ({ json }, forward) => {
      if (!Array.isArray(json?.slots) || json.slots.length === 0) return forward()
      const slots = json.slots.map((slot: { index: unknown }) =>
        [0, 100, 1.5, '1'].includes(slot.index as number) ? { ...slot, index: 1 } : slot,
      )
      return forward({ json: { ...json, slots } })
    },
    check: 'refusals',
    says: /^an index of .*: 200, not 400$/,
  },
  'lets everybody win a slot': {
    service: 'pools',
    wrong: async ({ method, json }, forward) => {
      const answer = await forward()
      if (method !== 'PATCH' || answer.status !== 409) return answer
      const { error, slots = error.slots } = JSON.parse(answer.text)
      const changes = json.changes.map((change: object, at: number) => {
        const { mod: _mod, index: _index, ...from } = slots[at] ?? {}
        return { ...change, from }
      })
      return forward({ json: { changes } })
    },
    check: 'races',
    says: /of one slot: .*200 200/,
  },
  'never answers 304': {
    service: 'pools',
    wrong: (passing, forward) => forward(dropping('if-none-match', passing)),
    check: 'idle',
    says: /^Following a tournament: 200, not 304$/,
  },
  'answers 200 to what it has made': {
    service: 'packs',
    wrong: async ({ method, path }, forward) =>
      method === 'POST' && path === '/packs' ? { ...(await forward()), status: 200 } : forward(),
    check: 'packs',
    says: /^200, not 201$/,
  },
  'does not document a header': {
    service: 'pools',
    wrong: async ({ path }, forward) => {
      const answer = await forward()
      if (path !== '/openapi.json') return answer
      return rewritten(answer, (document) => {
        document.paths['/tournaments'].post.parameters = []
        return document
      })
    },
    check: 'document',
    says: /^pools: POST \/tournaments: the document does not say that it takes idempotency-key$/,
  },
  'does not document a status': {
    service: 'packs',
    wrong: async ({ path }, forward) => {
      const answer = await forward()
      if (path !== '/openapi.json') return answer
      return rewritten(answer, (document) => {
        delete document.paths['/packs/{slug}'].put.responses[412]
        return document
      })
    },
    check: 'statuses',
    says: /^packs: PUT \/packs\/\{slug\}: the document does not list 412$/,
  },
  'has a write that this program does not know': {
    service: 'packs',
    wrong: async ({ path }, forward) => {
      const answer = await forward()
      if (path !== '/openapi.json') return answer
      return rewritten(answer, (document) => {
        document.paths['/packs/{slug}/pin'] = { put: document.paths['/packs/{slug}'].put }
        return document
      })
    },
    check: 'document',
    says: /^packs: PUT \/packs\/\{slug\}\/pin: this program has no trial of it$/,
  },
  'breaks off': {
    service: 'pools',
    wrong: async ({ path }, forward) => {
      if (path.endsWith('/release')) throw new Error('broken')
      return forward()
    },
    check: 'parts',
    says: /no answer/,
  },
}

describe.each(Object.entries(faulty))('a service that %s', (_, { service, wrong, check, says }) => {
  it('is found, and named', async () => {
    const players = await newPlayers()
    const front = await openFaultyService(players[service].door.url, wrong)
    const report = await conform(players, 700, { [service]: front.url })
    front.close()
    expect(report.isClean).toBe(false)
    const found = report.faults.filter((fault) => fault.check === check).map((fault) => fault.wrong)
    expect(found).toContainEqual(expect.stringMatching(says))
    expect(await leftOf(players)).toBe(0)
  })
})

describe('npm run conform', () => {
  const start = ({ packs, pools }: { packs: Host; pools: Host }, ...options: string[]) => {
    const args = [script, packs.door.url, pools.door.url, packs.key, pools.key, ...options]
    const child = spawn(process.execPath, args, { stdio: 'pipe' })
    const output = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].on('data', (part) => void (output[name] += String(part)))
    }
    const ended = once(child, 'close').then(([code]) => ({ code, ...output }))
    return { child, ended }
  }

  it('reports as JSON, and ends with 1 where something was not tried', async () => {
    const players = await newPlayers()
    const { code, stdout } = await start(players, '--requests', '20', '--json').ended
    const report = JSON.parse(stdout)
    expect(report).toMatchObject({ ok: false, requests: 20, faults: [] })
    expect(report.untried).toContain('races')
    expect(code).toBe(1)
    expect(await leftOf(players)).toBe(0)
  })

  it('ends with 0 where everything was tried and right, and says how often', async () => {
    const players = await newPlayers()
    const { code, stdout, stderr } = await start(players, '--requests', '900').ended
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^ +(\d+) of +\1 {2}lost answers after which/m)
    expect(stdout).toMatch(/^900 requests$/m)
  })

  it('removes what it has made when it is interrupted', async () => {
    const players = await newPlayers()
    const { child, ended } = start(players)
    await expect.poll(async () => leftOf(players)).toBeGreaterThan(1)
    child.kill('SIGINT')
    expect((await ended).code).toBe(130)
    expect(await leftOf(players)).toBe(0)
  })

  it.each([
    ['without a key', ['http://127.0.0.1:1', 'http://127.0.0.1:1', 'packs'], 2, /both keys/],
    [
      'with a number that is none',
      ['a', 'b', 'c', 'd', '--minutes', 'x'],
      2,
      /--minutes is "x"; give a whole number/,
    ],
    ['without a server', ['http://127.0.0.1:1', 'http://127.0.0.1:1', 'a', 'b'], 1, /no answer/],
    [
      'without a server, with a seed as one is printed,',
      ['http://127.0.0.1:1', 'http://127.0.0.1:1', 'a', 'b', '--seed', String(Date.now())],
      1,
      /no answer/,
    ],
  ])('%s says what is wrong', async (_, args, status, says) => {
    const child = spawn(process.execPath, [script, ...args], { stdio: 'pipe' })
    let stderr = ''
    child.stderr.on('data', (part) => void (stderr += String(part)))
    const [code] = await once(child, 'close')
    expect({ code, stderr }).toEqual({ code: status, stderr: expect.stringMatching(says) })
  })
})
