import { type CodeProblem, makeSecret, readScopes, TOKEN_SECONDS } from './grants.ts'
import type { State } from './state.ts'

/** What is wrong with a token call, and what about it, where the platform says that. */
export type TokenProblem = { readonly problem: keyof typeof problems; readonly hint?: string }

export function isProblem(granted: object): granted is TokenProblem {
  return 'problem' in granted
}

/** Applications must not compare the descriptions: only the status and the name of the error stay as they are. */
export const problems = {
  invalid_request: [400, 'A parameter is missing, wrong or repeated.'],
  invalid_client: [401, 'The application was not recognised.'],
  invalid_scope: [400, 'A scope is unknown or not available here.'],
  unsupported_grant_type: [400, 'This kind of grant is not supported.'],
  /** Of the platform itself: its text is in the place of the name. */
  scope_of_client: [400, 'client_credentials needs a scope other than *.'],
} as const

const checkParameter = (name: string) =>
  ({ problem: 'invalid_request', hint: `Check the \`${name}\` parameter` }) as const

const codeHints: Readonly<Record<Exclude<CodeProblem, 'noRedirect'>, string>> = {
  forged: 'Cannot decrypt the authorization code',
  expired: 'Authorization code has expired',
  used: 'Authorization code has been revoked',
  otherRedirect: 'Invalid redirect URI',
}

/** What a token call is answered, with a token or without. */
export function grantTokens(state: State, form: URLSearchParams): object {
  const grantType = field(form, 'grant_type')
  if (grantType !== 'client_credentials' && grantType !== 'authorization_code') {
    return { problem: 'unsupported_grant_type', hint: 'Check that all parameters are there' }
  }
  return (
    checkClient(state, form) ??
    (grantType === 'authorization_code' ? tradeCode : grantOwn)(state, form)
  )
}

/** A redirect address that is not registered is a mistake of the application, as a wrong secret is. */
function checkClient({ client }: State, form: URLSearchParams): TokenProblem | null {
  const id = field(form, 'client_id')
  const redirectUri = field(form, 'redirect_uri')
  if (id === undefined) return checkParameter('client_id')
  const isKnown = id === client.id && field(form, 'client_secret') === client.secret
  const isRegistered = redirectUri === undefined || client.redirectUris.includes(redirectUri)
  return isKnown && isRegistered ? null : { problem: 'invalid_client' }
}

const bearer = { token_type: 'Bearer', expires_in: TOKEN_SECONDS }

/** A token of the application's own: it is no player whom `identify` could name. */
function grantOwn({ grants }: State, form: URLSearchParams): object {
  const asked = field(form, 'scope')
  if (asked === undefined || asked === '*') return { problem: 'scope_of_client' }
  const scopes = readScopes(asked)
  if (scopes === undefined || scopes.includes('identify')) {
    return { problem: 'invalid_scope', hint: `Check the \`${asked}\` scope` }
  }
  return { ...bearer, access_token: grants.issueToken({ playerId: null, scopes }) }
}

function tradeCode({ grants }: State, form: URLSearchParams): object {
  const code = field(form, 'code')
  if (code === undefined) return checkParameter('code')
  const grant = grants.useCode(code, field(form, 'redirect_uri'))
  if (grant === 'noRedirect') return checkParameter('redirect_uri')
  if (typeof grant === 'string') return { problem: 'invalid_request', hint: codeHints[grant] }
  const { playerId, scopes } = grant
  const access_token = grants.issueToken({ playerId, scopes })
  return { ...bearer, access_token, refresh_token: makeSecret() }
}

/** A field of a form; undefined when it is missing, empty or repeated (RFC 6749, 3.1). */
export function field(form: URLSearchParams, name: string): string | undefined {
  const [value, ...others] = form.getAll(name)
  return others.length > 0 || value === '' ? undefined : value
}
