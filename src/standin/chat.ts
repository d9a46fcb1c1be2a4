import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'

/** How Discord behaves. Closed: a misspelt field would make a test pass for nothing. */
export const ChatInput = Type.Object(
  {
    /** How requests fail; left out: they do not. */
    fail: Type.Optional(
      Type.Enum([
        'limited',
        'error',
        'gone',
        'token',
        'rejected',
        'forum',
        'proxy',
        'cut',
        'unsaid',
        'huge',
        'moved',
      ]),
    ),
    /** How many requests fail; left out: all. */
    times: Type.Optional(Type.Integer({ minimum: 1 })),
    /** Seconds that a 429, or `remaining`, says. */
    retryAfter: Type.Optional(Type.Number({ minimum: 0, maximum: 86_400 })),
    /** Whether a 429 is for all webhooks. */
    isGlobal: Type.Optional(Type.Boolean()),
    /** How many messages each answer says that the limit leaves. */
    remaining: Type.Optional(Type.Integer({ minimum: 0 })),
    /** Waiting time before each answer, in ms. */
    delay: Type.Optional(Type.Integer({ minimum: 0, maximum: 3_600_000 })),
  },
  { additionalProperties: false },
)
export type ChatInput = Static<typeof ChatInput>

/** A message that came, whatever was answered. */
type ChatRequest = {
  /** ms since the epoch, by the clock of the stand-in. */
  readonly at: number
  readonly webhook: string
  readonly thread: string | null
  readonly body: unknown
  /** null: the connection was broken. */
  status: number | null
}

const MAX_KEPT = 20_000
const HUGE_BYTES = 1_000_000

/** Discord as far as webhooks go, which posts to no channel; see README.md. */
export function createChat(clock: () => number) {
  let input: ChatInput = {}
  let failuresLeft = Infinity
  let requests: ChatRequest[] = []
  /** The messages that a channel would show. */
  let messages: ChatRequest[] = []

  function failureNow(): ChatInput['fail'] {
    if (input.fail === undefined || failuresLeft <= 0) return undefined
    failuresLeft -= 1
    return input.fail
  }

  function answer(
    request: ChatRequest,
    waits: boolean,
    { raw }: FastifyRequest,
    reply: FastifyReply,
  ): FastifyReply {
    const failure = failureNow()
    const { retryAfter = 1, isGlobal = false, remaining } = input
    if (remaining !== undefined) {
      void reply.headers({
        'x-ratelimit-limit': '5',
        'x-ratelimit-remaining': String(remaining),
        'x-ratelimit-reset-after': String(retryAfter),
        'x-ratelimit-bucket': 'made-up',
      })
    }
    const send = (status: number, body: object) => {
      request.status = status
      return reply.code(status).send(body)
    }
    const cut = () => {
      raw.socket.destroy()
      return reply.hijack()
    }
    switch (failure) {
      case 'limited':
        void reply.header('retry-after', Math.ceil(retryAfter))
        if (isGlobal) void reply.header('x-ratelimit-global', 'true')
        return send(429, {
          message: 'You are being rate limited.',
          retry_after: retryAfter,
          global: isGlobal,
        })
      case 'error':
        return send(500, { message: '500: Internal Server Error', code: 0 })
      case 'gone':
        return send(404, { message: 'Unknown Webhook', code: 10_015 })
      case 'token':
        return send(401, { message: 'Invalid Webhook Token', code: 50_027 })
      case 'rejected':
        return send(400, { message: 'Cannot send an empty message', code: 50_006 })
      case 'forum':
        return send(400, {
          message: 'Webhooks posted to forum channels must have a thread_name or thread_id',
          code: 220_001,
        })
      case 'proxy':
        request.status = 403
        return reply.code(403).type('text/html').send('<html><h1>Forbidden</h1></html>')
      case 'moved':
        return reply.redirect('/elsewhere', 302)
      case 'huge':
        request.status = 500
        return reply
          .code(500)
          .type('application/json')
          .send(`"${'x'.repeat(HUGE_BYTES)}"`)
      case 'cut':
        return cut()
      case undefined:
      case 'unsaid':
        break
    }
    const problem = problemOf(request.body)
    if (problem !== null) return send(400, { message: problem, code: 50_035 })
    messages.push(request)
    if (failure === 'unsaid') return cut()
    if (waits) return send(200, { id: String(messages.length), content: '', type: 0 })
    request.status = 204
    return reply.code(204).send()
  }

  const routes = (app: FastifyInstance): void => {
    for (const version of ['', '/:version']) {
      app.post<{
        Params: { id: string; token: string }
        Querystring: { wait?: string; thread_id?: string }
      }>(`/api${version}/webhooks/:id/:token`, async (request, reply) => {
        const { id, token } = request.params
        const { wait, thread_id: thread = null } = request.query
        const kept = { at: clock(), webhook: `${id}/${token}`, thread, body: request.body }
        const noted: ChatRequest = { ...kept, status: null }
        if (requests.length >= MAX_KEPT) requests = requests.slice(MAX_KEPT / 10)
        requests.push(noted)
        if (input.delay !== undefined) await sleep(input.delay, undefined, { ref: false })
        return answer(noted, wait === 'true', request, reply)
      })
    }
    app.get('/standin/chat.html', async (_request, reply) =>
      reply.type('text/html; charset=utf-8').send(pageOf(messages)),
    )
  }

  return {
    routes,
    behave(changes: ChatInput): void {
      input = changes
      failuresLeft = changes.times ?? Infinity
    },
    /** All requests, and the messages that were taken, in the order in which they came. */
    report: () => ({ requests, messages }),
    clear(): void {
      input = {}
      failuresLeft = Infinity
      requests = []
      messages = []
    },
  }
}

type Embed = Readonly<Record<string, unknown>>

/** The bounds that Discord documents for embeds; counted in UTF-16 code units, which are no fewer than characters. */
const bounds = { title: 256, description: 4_096, 'footer.text': 2_048, 'author.name': 256 } as const

/** What Discord would refuse of a message, or would do that ours never may; null when nothing. */
function problemOf(body: unknown): string | null {
  const {
    content = '',
    embeds = [],
    allowed_mentions: mentions,
  } = (body ?? {}) as {
    content?: string
    embeds?: readonly Embed[]
    allowed_mentions?: { parse?: readonly string[] }
  }
  if (mentions?.parse?.length !== 0) return 'allowed_mentions would let the message mention people'
  if (content === '' && embeds.length === 0) return 'Cannot send an empty message'
  if (content.length > 2_000) return 'content: Must be 2000 or fewer in length.'
  if (embeds.length > 10) return 'embeds: Must be 10 or fewer in length.'
  let total = 0
  for (const embed of embeds) {
    for (const [place, most] of Object.entries(bounds)) {
      const { length } = textAt(embed, place)
      total += length
      if (length > most) return `embeds.${place}: Must be ${most} or fewer in length.`
    }
  }
  return total > 6_000 ? 'embeds: Embed size exceeds maximum size of 6000' : null
}

function textAt(embed: Embed, place: string): string {
  const found = place
    .split('.')
    .reduce<unknown>((value, name) => (value as Embed | undefined)?.[name], embed)
  return typeof found === 'string' ? found : ''
}

function pageOf(messages: readonly ChatRequest[]): string {
  const items = messages.flatMap(({ body, at }) =>
    ((body as { embeds?: readonly Embed[] }).embeds ?? []).map(
      (embed) => `<article><p>${new Date(at).toISOString()}</p>
<p>${escape(textAt(embed, 'author.name'))}</p><h2>${escape(textAt(embed, 'title'))}</h2>
<pre>${escape(textAt(embed, 'description'))}</pre>
<p>${escape(textAt(embed, 'image.url'))}</p><footer>${escape(textAt(embed, 'footer.text'))}</footer></article>`,
    ),
  )
  return `<!doctype html><meta charset="utf-8"><title>Chat of the stand-in</title>
<style>body{font:15px/1.4 sans-serif;max-width:48em;margin:2em auto}article{border-left:4px solid #888;padding-left:1em;margin:1em 0}pre{white-space:pre-wrap;font:inherit}footer{color:#666}</style>
<h1>Chat of the stand-in</h1>${items.join('\n') || '<p>No message yet.</p>'}`
}

const escape = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`)
