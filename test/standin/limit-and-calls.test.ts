import { expect, test } from 'vitest'
import { type Running, START, startStandin } from './running.ts'

type Report = {
  total: number
  busiestMinute: number
  minutes: Array<{ minute: number; total: number }>
  calls: Array<{ kind: string; status: number | null }>
}

const reportOf = async (standin: Running) =>
  (await standin.get('/standin/calls')).body as Report & Record<string, number>

const asker = async (standin: Running) => {
  const token = await standin.token()
  const ask = () => standin.get('/api/v2/beatmaps?ids[]=75', token)
  return async (times: number) => {
    const answers = await Promise.all(Array.from({ length: times }, ask))
    return answers.filter(({ status }) => status === 429)
  }
}

test('a strict limit holds for any 60 seconds, whatever the kind; more get 429, without Retry-After (platform: limit)', async () => {
  const standin = await startStandin({ perMinute: 60 })
  const ask = await asker(standin)
  expect(await ask(59)).toEqual([])
  standin.time.now += 59_999
  const [refused] = await ask(1)
  expect(refused?.body).toEqual({ error: 'Too Many Attempts.' })
  expect(refused?.headers.get('retry-after')).toBeNull()
  standin.time.now += 1
  expect(await ask(60)).toEqual([])
  expect(await ask(1)).toHaveLength(1)
})

test('of a token, 1,200 calls a minute (platform: limit)', async () => {
  const standin = await startStandin()
  const { headers } = await standin.get('/api/v2/beatmaps?ids[]=75', await standin.token())
  expect(headers.get('x-ratelimit-limit')).toBe('1200')
  expect(headers.get('x-ratelimit-remaining')).toBe('1199')
})

test('a minute of a token begins with its first call; refused ones do not count (platform: limit)', async () => {
  const standin = await startStandin({ callsPerToken: 6 })
  const token = await standin.token()
  const ask = async (of: string) =>
    (
      await standin.app.inject({
        url: '/api/v2/beatmaps?ids[]=75',
        headers: { authorization: `Bearer ${of}` },
      })
    ).statusCode
  const first = await standin.get('/api/v2/beatmaps?ids[]=75', token)
  expect(first.headers.get('x-ratelimit-remaining')).toBe('5')
  standin.time.now += 59_999
  // Those whose token is refused do not count either.
  for (let call = 0; call < 5; call += 1) expect(await ask('guessed')).toBe(401)
  for (let call = 0; call < 5; call += 1) expect(await ask(token)).toBe(200)
  const refused = await standin.get('/api/v2/beatmaps?ids[]=75', token)
  expect([refused.status, refused.body]).toEqual([429, { error: 'Too Many Attempts.' }])
  expect(refused.headers.get('retry-after')).toBeNull()
  expect(refused.headers.get('x-ratelimit-limit')).toBeNull()
  expect(await ask(await standin.token())).toBe(200)
  standin.time.now += 1
  expect(await ask(token)).toBe(200)
})

test('the limit can be set and lifted', async () => {
  const standin = await startStandin()
  const ask = await asker(standin)
  expect(await ask(100)).toEqual([])
  await standin.post('/standin/limit', { perMinute: 101 })
  expect(await ask(1)).toHaveLength(1)
  await standin.post('/standin/limit', { perMinute: null })
  expect(await ask(1)).toEqual([])
})

test('a refused call meets no fault', async () => {
  const standin = await startStandin({ perMinute: 1 })
  const ask = await asker(standin)
  await standin.order({ fault: 'down', times: 1 })
  await ask(1)
  expect((await standin.get('/standin/faults')).body).toMatchObject({ faults: [{ met: 0 }] })
})

test('calls are counted by kind and by minute, refused ones too (platform: stand-in)', async () => {
  const standin = await startStandin({ perMinute: 4 })
  const ask = await asker(standin)
  await ask(2)
  standin.time.now += 30_000
  await ask(2)
  expect(await reportOf(standin)).toMatchObject({
    total: 5,
    token: 1,
    me: 0,
    beatmaps: 4,
    attributes: 0,
    busiestMinute: 5,
    minutes: [
      { minute: START - 30_000, total: 3, token: 1, beatmaps: 2 },
      { minute: START + 30_000, total: 2, token: 0, beatmaps: 2 },
    ],
  })
})

test('busiestMinute is the most of any 60 seconds, across the top of a minute', async () => {
  const standin = await startStandin()
  const ask = await asker(standin)
  standin.time.now += 29_000
  await ask(10)
  standin.time.now += 2_000
  await ask(10)
  standin.time.now += 29_000
  await ask(1)
  const { busiestMinute, minutes } = await reportOf(standin)
  expect(busiestMinute).toBe(21)
  expect(minutes.map(({ total }) => total)).toEqual([11, 11])
})

test('each call is told with what it asked and what it got', async () => {
  const standin = await startStandin()
  const token = await standin.token()
  const body = { mods: ['DT'], ruleset: 'osu' }
  await standin.post('/api/v2/beatmaps/75/attributes', body, token)
  await standin.get('/api/v2/beatmaps?ids%5B%5D=300&ids%5B%5D=75')
  await standin.order({ fault: 'reset' })
  await expect(standin.get('/api/v2/me')).rejects.toThrow('fetch failed')
  expect((await reportOf(standin)).calls).toEqual([
    { kind: 'token', at: START, ids: [], status: 200 },
    { kind: 'attributes', at: START, ids: [75], status: 200, asked: body },
    { kind: 'beatmaps', at: START, ids: [300, 75], status: 401 },
    { kind: 'me', at: START, ids: [], status: null },
  ])
})

test('counting can start anew, which does not lift the limit', async () => {
  const standin = await startStandin({ perMinute: 2 })
  const ask = await asker(standin)
  await ask(1)
  await fetch(`${standin.url}/standin/calls`, { method: 'DELETE' })
  expect(await reportOf(standin)).toMatchObject({ total: 0, busiestMinute: 0, minutes: [] })
  expect(await ask(1)).toHaveLength(1)
})

test('the authorize page and the control routes are no calls', async () => {
  const standin = await startStandin({ perMinute: 0 })
  await fetch(`${standin.url}/oauth/authorize`)
  await standin.get('/standin/faults')
  expect(await reportOf(standin)).toMatchObject({ total: 0 })
})
