import type { FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'
import { createStandin } from '../../src/standin/create-standin.ts'
import type { StandinOptions } from '../../src/standin/state.ts'

/** A Saturday in autumn, 30 seconds into a minute. */
export const START = Date.parse('2026-10-03T18:30:30.000Z')
export const CALLBACK = 'http://127.0.0.1:9/sign-in/callback?from=platform'
export const CLIENT = { id: '42', secret: 'shh', redirectUris: [CALLBACK] }

type Json = Record<string, unknown>
export type Answer = { readonly status: number; readonly headers: Headers; readonly body: unknown }

/** A stand-in that listens on a free port until the test ends, and its hand-set clock. */
export type Running = {
  readonly url: string
  readonly app: FastifyInstance
  readonly time: { now: number }
  readonly get: (path: string, token?: string) => Promise<Answer>
  readonly post: (path: string, body: Json, token?: string) => Promise<Answer>
  readonly form: (path: string, fields: Record<string, string>) => Promise<Response>
  /** A token of the application's own. */
  readonly token: () => Promise<string>
  readonly order: (fault: Json) => Promise<void>
}

const read = async (response: Response): Promise<Answer> => {
  const text = await response.text()
  const body: unknown = text === '' ? undefined : JSON.parse(text)
  return { status: response.status, headers: response.headers, body }
}

const bearer = (token: string | undefined): Record<string, string> => ({
  accept: 'application/json',
  ...(token !== undefined && { authorization: `Bearer ${token}` }),
})

/** @param atEnd when to stop it; left out: when the test ends. */
export const startStandin = async (
  options: Partial<StandinOptions> = {},
  atEnd: (stop: () => Promise<undefined>) => void = onTestFinished,
): Promise<Running> => {
  const time = { now: START }
  const app = createStandin({ clock: () => time.now, client: CLIENT, ...options })
  atEnd(() => app.close())
  const url = await app.listen({ host: '127.0.0.1', port: 0 })

  const get = async (path: string, token?: string) =>
    read(await fetch(url + path, { headers: bearer(token) }))
  const post = async (path: string, body: Json, token?: string) =>
    read(
      await fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...bearer(token) },
        body: JSON.stringify(body),
      }),
    )
  const form = (path: string, fields: Record<string, string>) =>
    fetch(url + path, {
      method: 'POST',
      headers: bearer(undefined),
      body: new URLSearchParams(fields),
      redirect: 'manual',
    })

  return {
    url,
    app,
    time,
    get,
    post,
    form,
    token: async () => {
      const answer = await read(await form('/oauth/token', ownTokenForm))
      return (answer.body as { access_token: string }).access_token
    },
    order: async (fault) => {
      const { status, body } = await post('/standin/faults', fault)
      if (status !== 201) throw new Error(`the fault was not taken: ${JSON.stringify(body)}`)
    },
  }
}

/** What the application sends to get a token of its own. */
export const ownTokenForm = {
  grant_type: 'client_credentials',
  client_id: CLIENT.id,
  client_secret: CLIENT.secret,
  scope: 'public',
}

/** What stands in the query of the authorize page. */
export const authorizeQuery = {
  client_id: CLIENT.id,
  redirect_uri: CALLBACK,
  response_type: 'code',
  scope: 'identify public',
  state: 'a b&c=d',
}

/** Picks a player on the authorize page; returns the code that comes back. */
export const signIn = async (standin: Running, player: number, scope?: string): Promise<string> => {
  const fields = { ...authorizeQuery, ...(scope === undefined ? {} : { scope }) }
  const answer = await standin.form('/oauth/authorize', { ...fields, player: String(player) })
  return new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? ''
}

/** What the application sends to trade a code for a token. */
export const codeForm = (code: string) => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: CALLBACK,
  client_id: CLIENT.id,
  client_secret: CLIENT.secret,
})

/** Signs a player in, all the way to a token. */
export const tokenOf = async (
  standin: Running,
  player: number,
  scope?: string,
): Promise<string> => {
  const code = await signIn(standin, player, scope)
  const answer = await standin.form('/oauth/token', codeForm(code))
  return ((await answer.json()) as { access_token: string }).access_token
}
