import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { WireCall } from './wire-call.ts'

export const TOKEN_PATH = '/oauth/token'

/** Who we are to the platform. */
export type Credentials = { readonly clientId: string; readonly clientSecret: string }

/** Asks for a token of the application's own, which nobody has signed in for. */
export const ownTokenCall = ({ clientId, clientSecret }: Credentials): WireCall => ({
  method: 'POST',
  path: TOKEN_PATH,
  body: new URLSearchParams({
    grant_type: 'client_credentials',
    scope: 'public',
    client_id: clientId,
    client_secret: clientSecret,
  }),
})

/** A token; `expires_in` in seconds. What no header can carry is no token. */
export const tokenAnswer = Compile(
  Type.Object({
    token_type: Type.String({ pattern: '^[Bb]earer$' }),
    expires_in: Type.Number({ exclusiveMinimum: 0, maximum: 1e9 }),
    access_token: Type.String({ pattern: '^[\\x21-\\x7e]+$', maxLength: 16_384 }),
  }),
)
