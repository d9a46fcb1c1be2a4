import { request } from 'node:http'
import type { SeenAnswer } from '../../src/adapters/platform/expectations.ts'
import {
  authorizeQuery,
  CALLBACK,
  CLIENT,
  codeForm,
  ownTokenForm,
  type Running,
  signIn,
  startStandin,
  tokenOf,
} from './running.ts'

export const OTHER_CALLBACK = 'http://127.0.0.1:9/other'
const OTHER_CLIENT = { id: '43', secret: 'psst', redirectUris: [CALLBACK] }

/** A stand-in in which every answer of the platform can be provoked. */
export const startFullStandin = (atEnd: (stop: () => Promise<undefined>) => void) =>
  startStandin(
    {
      client: { ...CLIENT, redirectUris: [CALLBACK, OTHER_CALLBACK] },
      otherClients: [OTHER_CLIENT],
    },
    atEnd,
  )

type Call = {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Calls with no header but those given, unlike `fetch`. */
const callWire = (url: string, { method = 'GET', path, headers = {}, body }: Call) =>
  new Promise<SeenAnswer>((resolve, reject) => {
    const call = request(url + path, { method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const fields = Object.entries(response.headers).map(([name, value]) => [
          name,
          String(value),
        ])
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers(Object.fromEntries(fields) as Record<string, string>),
          text: Buffer.concat(chunks).toString(),
        })
      })
    })
    call.on('error', reject)
    call.end(body)
  })

const json = { accept: 'application/json' }
const english = { ...json, 'accept-language': 'en' }
const ROW = '/api/v2/beatmaps?ids[]=75'

const postForm = (
  { url }: Running,
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
) =>
  callWire(url, {
    method: 'POST',
    path,
    headers: { ...json, 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  })

const askToken = (standin: Running, fields: Readonly<Record<string, string>>) =>
  postForm(standin, '/oauth/token', fields)

const tradeWith = async (standin: Running, fields: Readonly<Record<string, string>>) =>
  askToken(standin, { ...codeForm(await signIn(standin, 7001)), ...fields })

const bearer = (token: string) => ({ ...english, authorization: `Bearer ${token}` })

const get = async ({ url }: Running, path: string, token: string, headers = {}) =>
  callWire(url, { path, headers: { ...bearer(token), ...headers } })

const getRows = async (standin: Running, query: string, headers = {}) =>
  get(standin, `/api/v2/beatmaps?${query}`, await standin.token(), headers)

const getMe = async (standin: Running, player: number, headers = {}) =>
  get(standin, '/api/v2/me', await tokenOf(standin, player), headers)

const postBody = async (standin: Running, id: number, body: string, headers = {}) =>
  callWire(standin.url, {
    method: 'POST',
    path: `/api/v2/beatmaps/${id}/attributes`,
    headers: {
      ...bearer(await standin.token()),
      'content-type': 'application/json',
      ...headers,
    },
    body,
  })

const rate = (standin: Running, mods: unknown, id = 75, ruleset: unknown = 'osu') =>
  postBody(standin, id, JSON.stringify({ mods, ruleset }))

const visit = ({ url }: Running, changes: Readonly<Record<string, string>> = {}) => {
  const query = new URLSearchParams({ ...authorizeQuery, ...changes })
  return callWire(url, { path: `/oauth/authorize?${query.toString()}` })
}

const agree = (standin: Running, changes: Readonly<Record<string, string>> = {}) =>
  postForm(standin, '/oauth/authorize', { ...authorizeQuery, player: '7001', ...changes })

/** Orders a fault, and makes the call that meets it. */
const withFault =
  (
    fault: Readonly<Record<string, unknown>>,
    ask: (standin: Running) => Promise<SeenAnswer> = (standin) => getRows(standin, 'ids[]=75'),
  ) =>
  async (standin: Running): Promise<SeenAnswer> => {
    const kind = ask === forge ? 'token' : 'beatmaps'
    await standin.order({ kind, times: 1, ...fault })
    return ask(standin)
  }

const forge = (standin: Running) => askToken(standin, codeForm('guessed'))

const changed = async (standin: Running, facts: Readonly<Record<string, unknown>>) => {
  await standin.post('/standin/beatmaps', { id: 900, facts })
  return getRows(standin, 'ids[]=900')
}

const all =
  <T>(list: readonly T[], ask: (item: T) => Promise<SeenAnswer>) =>
  async () => {
    const seen: SeenAnswer[] = []
    for (const item of list) seen.push(await ask(item))
    return seen
  }

const challenge = { code_challenge: 'a'.repeat(43), code_challenge_method: 'plain' }

const codeWithChallenge = async (standin: Running) => {
  const { headers } = await agree(standin, challenge)
  return new URL(headers.get('location') ?? '').searchParams.get('code') ?? ''
}

type Provoke = (standin: Running) => Promise<SeenAnswer | readonly SeenAnswer[]>

/** How each answer of the list is provoked, by its number; where a case has several kinds, all of them. */
export const provocations: Readonly<Record<number, Provoke>> = {
  1: (standin) => visit(standin, { client_id: 'nobody' }),
  2: (standin) => agree(standin, { client_id: 'nobody' }),
  3: (standin) => agree(standin, { redirect_uri: 'https://nobody.example/' }),
  4: (standin) => agree(standin, { scope: 'identify everything' }),
  5: (standin) => agree(standin, { scope: 'identify delegate' }),
  6: (standin) => all(['', 'token'], (response_type) => agree(standin, { response_type }))(),
  7: (standin) => agree(standin, { decision: 'deny' }),
  8: (standin) => agree(standin),
  9: async (standin) => {
    await tokenOf(standin, 7001)
    await standin.post('/standin/visitor', { player: 7001 })
    return visit(standin)
  },
  10: async (standin) => {
    await standin.post('/standin/visitor', { player: 7001, isConfirmed: false })
    return visit(standin)
  },
  11: (standin) => agree(standin, { player: '999999009' }),
  12: (standin) => agree(standin, { _token: 'ended' }),
  13: (standin) => tradeWith(standin, {}),
  14: (standin) => askToken(standin, ownTokenForm),
  15: forge,
  16: async (standin) => {
    const code = await signIn(standin, 7001)
    standin.time.now += 600_000
    return askToken(standin, codeForm(code))
  },
  17: async (standin) => {
    const form = codeForm(await signIn(standin, 7001))
    await askToken(standin, form)
    return askToken(standin, form)
  },
  18: (standin) =>
    tradeWith(standin, { client_id: OTHER_CLIENT.id, client_secret: OTHER_CLIENT.secret }),
  19: (standin) => tradeWith(standin, { redirect_uri: OTHER_CALLBACK }),
  20: (standin) =>
    all(['redirect_uri', 'code', 'client_id'], (name) => tradeWith(standin, { [name]: '' }))(),
  21: (standin) => tradeWith(standin, { redirect_uri: 'https://nobody.example/' }),
  22: (standin) => askToken(standin, { ...ownTokenForm, client_secret: 'wrong' }),
  23: (standin) => askToken(standin, { ...ownTokenForm, client_id: 'nobody' }),
  24: async (standin) =>
    askToken(standin, {
      ...codeForm(await codeWithChallenge(standin)),
      code_verifier: 'b'.repeat(43),
    }),
  25: async (standin) => [
    await askToken(standin, codeForm(await codeWithChallenge(standin))),
    await tradeWith(standin, { code_verifier: 'a'.repeat(43) }),
  ],
  26: async (standin) => [
    await askToken(standin, { ...ownTokenForm, grant_type: '' }),
    await askToken(standin, { ...ownTokenForm, grant_type: 'password' }),
    await postForm(standin, '/oauth/token', ownTokenForm, { 'content-type': 'text/plain' }),
  ],
  27: (standin) => askToken(standin, { ...ownTokenForm, scope: 'everything' }),
  28: (standin) => all(['', '*'], (scope) => askToken(standin, { ...ownTokenForm, scope }))(),
  29: async (standin) => {
    for (let call = 0; call < 60; call += 1) await forge(standin)
    return [await forge(standin), await askToken(standin, ownTokenForm)]
  },
  30: ({ url }) => callWire(url, { path: '/oauth/token', headers: json }),
  31: async (standin) => {
    const ended = await standin.token()
    await standin.post('/standin/tokens/expire', {})
    return [
      await callWire(standin.url, { path: ROW }),
      await get(standin, ROW, 'x'),
      await get(standin, ROW, ended),
    ]
  },
  32: async (standin) => get(standin, ROW, await tokenOf(standin, 7001, 'identify')),
  33: async (standin) => get(standin, '/api/v2/me', await standin.token()),
  34: async (standin) => {
    const token = await standin.token()
    for (let call = 0; call < 1_200; call += 1) await get(standin, ROW, token)
    return get(standin, ROW, token)
  },
  35: withFault({ fault: 'html', status: 429 }),
  36: async (standin) => [
    await get(standin, '/api/v9/beatmaps?ids[]=75', await standin.token()),
    await callWire(standin.url, { path: '/wrong/api/v2/beatmaps', headers: json }),
  ],
  37: async ({ url, ...standin }) => {
    const token = await tokenOf({ url, ...standin }, 999_999_006)
    const authorization = `Bearer ${token}`
    return [
      await callWire(url, { path: '/api/v2/me', headers: { authorization } }),
      await callWire(url, {
        path: '/api/v2/me',
        headers: { authorization, 'accept-language': '*' },
      }),
    ]
  },
  38: (standin) => getMe(standin, 7001, { 'x-api-version': '20250913' }),
  39: async ({ url, token }) =>
    callWire(url, { path: ROW, headers: { authorization: `Bearer ${await token()}` } }),
  40: withFault({ fault: 'down' }),
  41: (standin) => getMe(standin, 7001),
  42: (standin) => getMe(standin, 7004),
  43: (standin) => getMe(standin, 999_999_006),
  44: (standin) => getMe(standin, 999_999_007),
  45: (standin) => getMe(standin, 999_999_008),
  46: (standin) => getMe(standin, 7005),
  47: (standin) => getRows(standin, 'ids[]=5590715&ids[]=75'),
  48: async (standin) => {
    await standin.post('/standin/gone', { ids: [300] })
    return getRows(standin, 'ids[]=300&ids[]=2147483647')
  },
  49: (standin) => getRows(standin, `${'ids[]=75&'.repeat(50)}ids[]=300`),
  50: async (standin) => [
    await getRows(standin, 'ids[]=abc'),
    await getRows(standin, 'ids[]=75abc'),
    await getRows(standin, 'ids=75'),
    await getRows(standin, ''),
  ],
  51: (standin) => all(['graveyard', 'wip', 'pending'], (status) => changed(standin, { status }))(),
  52: (standin) => all(['disabled', 'information'], (takedown) => changed(standin, { takedown }))(),
  53: (standin) => all([0, null], (bpm) => changed(standin, { stars: 0, bpm, combo: null }))(),
  54: (standin) => rate(standin, ['DT']),
  55: async (standin) => {
    await changed(standin, { mode: 'osu', status: 'graveyard' })
    return rate(standin, ['HR'], 900)
  },
  56: async (standin) => [
    await rate(standin, ['EZ', 'HR']),
    await rate(standin, ['DT', 'HT']),
    await rate(standin, ['4K'], 5590715, 'mania'),
  ],
  57: withFault({ fault: 'uncomputable', kind: 'attributes' }, (standin) => rate(standin, ['DT'])),
  58: withFault({ fault: 'no-attributes', kind: 'attributes' }, (standin) => rate(standin, ['DT'])),
  59: async (standin) => [
    ...(await all(['ZZ', 'NM', 'V2', 'dt'], (mod) => rate(standin, [mod]))()),
    await rate(standin, ['SO'], 5590715, 'mania'),
  ],
  60: (standin) =>
    all(['DT', [5], [{ acronym: 'DT', settings: { x: 1 } }]] as unknown[], (mods) =>
      rate(standin, mods),
    )(),
  61: async (standin) => [await rate(standin, ['DT', 'DT']), await rate(standin, ['EZ', 'HR'])],
  62: (standin) => all(['catch', 'base'], (ruleset) => rate(standin, [], 75, ruleset))(),
  63: (standin) => rate(standin, ['DT'], 5590715, 'osu'),
  64: async (standin) => [
    await postBody(standin, 75, '{"mods":["DT"'),
    await postBody(standin, 75, '{"mods":["DT"]}', { 'content-type': 'text/plain' }),
  ],
  65: (standin) => rate(standin, ['DT'], 2_147_483_647),
  66: withFault({ fault: 'down', kind: 'attributes' }, (standin) => rate(standin, ['DT'])),
  67: async (standin) => get(standin, '/api/v2/beatmaps/75/attributes', await standin.token()),
  68: async (standin) => [
    await withFault({ fault: 'blocked' })(standin),
    await withFault({ fault: 'blocked' }, forge)(standin),
  ],
  69: withFault({ fault: 'html', status: 400 }, forge),
  70: (standin) =>
    all([502, 504, 520, 526], (status) => withFault({ fault: 'html', status })(standin))(),
  71: (standin) =>
    all([undefined, 3600, 'soon'], (retryAfter) =>
      withFault({ fault: 'html', status: 503, ...(retryAfter && { retryAfter }) })(standin),
    )(),
  72: (standin) => all([301, 308], (status) => withFault({ fault: 'moved', status })(standin))(),
  73: async (standin) => get(standin, '/api/v2/beatmaps/?ids[]=75', await standin.token()),
  74: async (standin) => {
    const seen: SeenAnswer[] = []
    for (const fault of ['reset', 'cut']) {
      const answer = await withFault({ fault })(standin).catch(() => null)
      if (answer !== null) seen.push(answer)
    }
    return seen
  },
}
