import { beforeEach, describe, expect, it } from 'vitest'
import { createDiscord } from '../../src/adapters/discord/discord.ts'
import { DISCORD_URL_EXAMPLE } from '../../src/contract/announcements.ts'
import { ChatAddress } from '../../src/domain/chat-address.ts'
import type { ChatMessage } from '../../src/domain/chat-messages.ts'
import type { Chat } from '../../src/ports/announcements.ts'
import { type Running, startStandin } from '../standin/running.ts'
import { SECRET_TOKEN } from '../support/chat-scene.ts'

const message: ChatMessage = {
  embeds: [
    {
      author: { name: 'Cup' },
      title: 'Finals released',
      description: '**NM1** A',
      footer: { text: 'Mapcrate · q7Jm2_xT0a' },
    },
  ],
}
const address = ChatAddress.parse(DISCORD_URL_EXAMPLE)!

let standin: Running
let chat: Chat
let time: { now: number }

const behave = async (input: object) => {
  expect((await standin.post('/standin/chat', input as never)).status).toBe(204)
}
const got = async () =>
  (await standin.get('/standin/chat')).body as never as {
    messages: { webhook: string; thread: string | null; body: Record<string, unknown> }[]
    requests: { status: number | null }[]
  }

beforeEach(async () => {
  standin = await startStandin()
  time = { now: 1_000 }
  chat = createDiscord({
    url: standin.url,
    userAgent: 'Mapcrate/test',
    clock: { now: () => time.now },
    timeoutMs: 2_000,
  })
})

describe('Discord', () => {
  it('gets a message with its webhook, its thread, and what forbids mentions', async () => {
    expect(await chat.post(address, message)).toEqual({ kind: 'sent', pauseMs: 0 })
    const thread = ChatAddress.parse(`${DISCORD_URL_EXAMPLE}?thread_id=998877665544332211`)!
    await chat.post(thread, message)
    const { messages } = await got()
    expect(messages).toMatchObject([
      { webhook: `112233445566778899/${SECRET_TOKEN}`, thread: null },
      { thread: '998877665544332211' },
    ])
    expect(messages[0]!.body).toEqual({ ...message, allowed_mentions: { parse: [] } })
  })

  it.each([
    [{ fail: 'gone' }, { kind: 'gone', status: 404, code: 10_015 }],
    [{ fail: 'token' }, { kind: 'gone', status: 401, code: 50_027 }],
    [{ fail: 'rejected' }, { kind: 'rejected', status: 400, code: 50_006 }],
    [{ fail: 'forum' }, { kind: 'rejected', status: 400, code: 220_001 }],
    [{ fail: 'proxy' }, { kind: 'failed', problem: 'status', status: 403, code: null }],
    [{ fail: 'error' }, { kind: 'failed', problem: 'status', status: 500, code: 0 }],
    [{ fail: 'moved' }, { kind: 'failed', problem: 'status', status: 302, code: null }],
    [{ fail: 'huge' }, { kind: 'failed', problem: 'status', status: 500, code: null }],
    [{ fail: 'cut' }, { kind: 'failed', problem: 'no-answer' }],
    [{ delay: 60_000 }, { kind: 'failed', problem: 'no-answer' }],
    [
      { fail: 'limited', retryAfter: 64.57 },
      { kind: 'limited', retryInMs: 65_000 },
    ],
    [
      { remaining: 0, retryAfter: 1.25 },
      { kind: 'sent', pauseMs: 1_250 },
    ],
    [
      { remaining: 3, retryAfter: 1.25 },
      { kind: 'sent', pauseMs: 0 },
    ],
  ])('that behaves as %j is understood', async (input, expected) => {
    await behave(input)
    const answer = await chat.post(address, message)
    expect(answer).toMatchObject(expected)
    expect(JSON.stringify(answer)).not.toContain(SECRET_TOKEN)
  })

  it('that limits this server as a whole is asked nothing until then, for no webhook', async () => {
    await behave({ fail: 'limited', retryAfter: 20, isGlobal: true, times: 1 })
    expect(await chat.post(address, message)).toEqual({ kind: 'limited', retryInMs: 20_000 })
    time.now += 5_000
    expect(await chat.post(address, message)).toEqual({ kind: 'limited', retryInMs: 15_000 })
    expect((await got()).requests).toHaveLength(1)
    time.now += 15_000
    expect(await chat.post(address, message)).toMatchObject({ kind: 'sent' })
  })

  it('is at public addresses alone, unless the operator names another', async () => {
    const real = createDiscord({
      url: null,
      userAgent: 'Mapcrate/test',
      clock: { now: () => 0 },
      resolve: async (name) => {
        expect(name).toBe('discord.com')
        return [{ address: '127.0.0.1', family: 4 }]
      },
    })
    expect(await real.post(address, message)).toMatchObject({
      kind: 'failed',
      problem: 'refused-address',
    })
  })
})

describe('the chat of the stand-in', () => {
  it('refuses what Discord would, and what could mention anybody', async () => {
    const post = (body: object) => standin.post(`/api/v10/webhooks/1/abc?wait=true`, body as never)
    const allowed = { allowed_mentions: { parse: [] } }
    expect((await post({ ...message, ...allowed })).status).toBe(200)
    const refused = [
      message,
      { ...message, allowed_mentions: { parse: ['everyone'] } },
      { ...allowed },
      { content: 'x'.repeat(2_001), ...allowed },
      { embeds: Array.from({ length: 11 }, () => message.embeds[0]), ...allowed },
      { embeds: [{ title: 'x'.repeat(257) }], ...allowed },
      { embeds: [{ description: 'x'.repeat(4_097) }], ...allowed },
      { embeds: Array.from({ length: 2 }, () => ({ description: 'x'.repeat(3_001) })), ...allowed },
    ]
    for (const body of refused) expect((await post(body)).status).toBe(400)
    expect((await got()).messages).toHaveLength(1)
  })

  it('shows what it got on a page, as text', async () => {
    const embeds = [{ ...message.embeds[0]!, title: '<b>Finals</b>' }]
    await chat.post(address, { embeds })
    const page = await (await fetch(`${standin.url}/standin/chat.html`)).text()
    expect(page).toContain('&#60;b&#62;Finals')
    expect(page).not.toContain(SECRET_TOKEN)
  })

  it('takes a message and breaks the connection, when told to', async () => {
    await behave({ fail: 'unsaid', times: 1 })
    expect(await chat.post(address, message)).toMatchObject({ kind: 'failed' })
    expect((await got()).messages).toHaveLength(1)
  })
})
