import type { Client } from '../options.ts'
import { field } from './form.ts'
import { readScopes, type Scope } from './grants.ts'

/** A request to sign somebody in, as it stood in the query or came back in the page's form. */
export type AuthorizeRequest = {
  readonly redirectUri: string
  readonly scopes: readonly Scope[]
  /** Goes back as it came. */
  readonly state: string | undefined
}

/**
 * What a request amounts to. It is told back to the application (`sendBack`) only when its redirect address
 * is registered; anything else is told to the person in front of the page.
 */
export type Reading =
  | { readonly kind: 'ask'; readonly request: AuthorizeRequest }
  | { readonly kind: 'sendBack'; readonly location: string }
  | { readonly kind: 'refuse'; readonly status: 400 | 401; readonly message: string }

/** The redirect address with an answer in its query. */
export const withAnswer = (
  redirectUri: string,
  answer: Readonly<Record<string, string>>,
  state: string | undefined,
): string => {
  const location = new URL(redirectUri)
  for (const [name, value] of Object.entries(answer)) location.searchParams.append(name, value)
  if (state !== undefined) location.searchParams.append('state', state)
  return location.href
}

const refuse = (status: 400 | 401, message: string): Reading => ({
  kind: 'refuse',
  status,
  message,
})

/** Reads and checks the five parameters of `/oauth/authorize`. */
export const readAuthorizeRequest = (client: Client, params: URLSearchParams): Reading => {
  const redirectUri = field(params, 'redirect_uri')
  if (field(params, 'client_id') !== client.id) {
    return refuse(401, 'client_id names no registered application.')
  }
  if (redirectUri === undefined || !client.redirectUris.includes(redirectUri)) {
    return refuse(400, 'redirect_uri must equal a registered address exactly.')
  }
  if (params.getAll('state').length > 1) return refuse(400, 'state must stand once.')

  const state = params.get('state') ?? undefined
  const sendBack = (error: string): Reading => ({
    kind: 'sendBack',
    location: withAnswer(redirectUri, { error }, state),
  })
  if (field(params, 'response_type') !== 'code') return sendBack('unsupported_response_type')
  const scopes = readScopes(field(params, 'scope'))
  return scopes === undefined
    ? sendBack('invalid_scope')
    : { kind: 'ask', request: { redirectUri, scopes, state } }
}
