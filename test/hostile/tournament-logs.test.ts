import { expect, test } from 'vitest'
import { freshFolder, makeKey, startServer } from '../support/processes.ts'
import { Secrets, textsOf } from './tournament-secrets.ts'

test('no log line, metric or health says a word of a draft, a remark, an invitation or a channel (D-60, D-97)', async () => {
  const folder = await freshFolder()
  // Nothing listens there: each message fails, and that is logged.
  const chat = { DISCORD: 'on', DISCORD_URL: 'http://127.0.0.1:1' }
  const env = { LOG_LEVEL: 'trace', METRICS_PORT: '0', HEALTH_PORT: '0', ...chat }
  const words = new Secrets()
  const host = { service: 'pools', gameId: 7001, username: words.word() }
  const key = await makeKey(folder, host)
  const { process: server, pools, stop } = await startServer(folder, env)
  const [name, remark, note, token] = [words.word(), words.word(), words.word(), words.word()]
  const round = {
    name: words.word(),
    packName: words.word(),
    slots: [
      { mod: 'NM' as const, index: 1, beatmapId: words.beatmapId() },
      { mod: words.word(), index: 1, beatmapId: words.beatmapId() },
      { mod: 'TB', index: 1, placeholder: words.word() },
    ],
  }
  const ask = async (method: string, path: string, body?: unknown) => {
    const reply = await pools.ask(method, path, { key, body })
    expect(reply.status, reply.text).toBeLessThan(300)
    return reply.json
  }
  const { tournament } = await ask('POST', '/tournaments', { name })
  const path = `/tournaments/${tournament.slug}`
  const made = await ask('POST', `${path}/rounds`, round)
  const ofRound = `${path}/rounds/${made.round.id}`
  const place = { mod: 'NM', index: 1 }
  const { candidate } = await ask('POST', `${ofRound}/candidates`, {
    ...place,
    beatmapId: words.beatmapId(),
    note,
  })
  await ask('POST', `${ofRound}/remarks`, { ...place, text: remark })
  await ask('PUT', `${ofRound}/candidates/${candidate.id}/vote`, { vote: 1 })
  await ask('GET', `${ofRound}/checks`)
  const channel = words
    .word()
    .repeat(9)
    .replaceAll(/[^A-Za-z0-9]/g, 'x')
    .padEnd(68, 'x')
    .slice(0, 68)
  const discordUrl = `https://discord.com/api/webhooks/112233445566778899/${channel}`
  // Of another host: a key has ten writes a minute.
  const second = await makeKey(folder, { service: 'pools', gameId: 7002, username: 'second' })
  const askAs = async (method: string, at: string, body: unknown) => {
    const reply = await pools.ask(method, at, { key: second, body })
    expect(reply.status, reply.text).toBeLessThan(300)
    return reply.json
  }
  const { slug } = (await askAs('POST', '/tournaments', { name: 'Announced' })).tournament
  const announced = `/tournaments/${slug}`
  await askAs('PATCH', announced, { discordUrl })
  const slots = [{ mod: 'NM', index: 1, beatmapId: 75 }]
  const { round: finals } = await askAs('POST', `${announced}/rounds`, { name: 'Finals', slots })
  const release = `${announced}/rounds/${finals.id}/release`
  for (const at of ['now', null]) await askAs('PUT', release, { at })
  await server.says('stderr', /an announcement was not sent/)
  // What is refused is logged, too.
  const refused = [
    await pools.ask('PUT', `${ofRound}/release`, { key, body: { at: 'now' } }),
    await pools.ask('PATCH', path, {
      key,
      body: { name: round.name.repeat(9), discordUrl: `${discordUrl}/x` },
    }),
    await pools.ask('POST', `${path}/rounds`, { key, body: round }),
    await pools.ask('GET', `/tournaments?search=${name}`, { key: 'pools_wrong' }),
    await fetch(`${pools.url}/invite/${token.padEnd(43, 'A')}`),
    await fetch(`${pools.url}/session/invitations/${token.padEnd(43, 'A')}`),
  ]
  expect(refused.slice(0, 4).map(({ status }) => status)).toEqual([409, 400, 409, 401])
  const sides = [...server.stdout.matchAll(/(?:metrics|health) +(http\S+)/g)].map(([, url]) => url!)
  expect(sides).toHaveLength(2)
  const shown = await Promise.all(
    sides.map(async (url) =>
      (await fetch(url.endsWith('metrics') ? url : `${url}/healthz`)).text(),
    ),
  )
  const { stderr, stdout } = await stop()
  expect(stderr).toContain('"level":')
  const secrets = [name, remark, note, token, channel, host.username, ...textsOf(round)]
  for (const secret of secrets.filter((each) => each !== '')) {
    expect([stderr, stdout, ...shown].join('\n')).not.toContain(secret)
  }
})
