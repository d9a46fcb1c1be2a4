import { createHash, randomBytes } from 'node:crypto'

export const TOKEN_SECONDS = 86_400
const CODE_MS = 600_000
/** After that, no application asks what became of a code. */
const CODE_KEPT_MS = 3_600_000
/** How long a form of the authorize page can be sent. */
const FORM_MS = 7_200_000

/** No player when the application asked for itself. */
type TokenGrant = {
  readonly clientId: string
  readonly playerId: number | null
  readonly scopes: readonly string[]
}
type CodeGrant = TokenGrant & {
  readonly redirectUri: string
  readonly challenge: Challenge | null
}
type KeptToken = TokenGrant & { readonly token: string; readonly until: number }

/** PKCE (RFC 7636): what a code was asked for with. */
export type Challenge = { readonly value: string; readonly method: string }

/** Why a code gives no token. */
export type CodeProblem =
  | 'forged'
  | 'expired'
  | 'used'
  | 'otherClient'
  | 'noRedirect'
  | 'otherRedirect'
  | 'noVerifier'
  | 'noChallenge'
  | 'wrongVerifier'

type CodeUse = {
  readonly code: string
  readonly clientId: string
  readonly redirectUri: string | undefined
  readonly verifier: string | undefined
}

/** The codes and tokens that were issued, and the forms that can be sent. */
export function createGrants(clock: () => number) {
  const codes = new Map<
    string,
    CodeGrant & { readonly until: number; readonly expiresAt: number; isUsed: boolean }
  >()
  const tokens = new Map<string, KeptToken>()
  const forms = new Map<string, { readonly until: number }>()

  return {
    issueCode: (grant: CodeGrant): string => {
      dropExpired(codes)
      const now = clock()
      const code = makeCode()
      const [until, expiresAt] = [now + CODE_KEPT_MS, now + CODE_MS]
      codes.set(code, { ...grant, until, expiresAt, isUsed: false })
      return code
    },
    /** A code works once, for the application and redirect address it was issued for. What fails does not use it up. */
    useCode: ({ code, clientId, redirectUri, verifier }: CodeUse): CodeGrant | CodeProblem => {
      dropExpired(codes)
      const grant = codes.get(code)
      if (grant === undefined) return 'forged'
      if (grant.expiresAt <= clock()) return 'expired'
      if (grant.isUsed) return 'used'
      if (grant.clientId !== clientId) return 'otherClient'
      if (redirectUri === undefined) return 'noRedirect'
      if (grant.redirectUri !== redirectUri) return 'otherRedirect'
      const problem = problemOfVerifier(grant.challenge, verifier)
      if (problem !== null) return problem
      grant.isUsed = true
      return grant
    },
    issueToken: (grant: TokenGrant): string => {
      dropExpired(tokens)
      const token = makeToken()
      tokens.set(token, { ...grant, token, until: clock() + TOKEN_SECONDS * 1000 })
      return token
    },
    /** undefined: there is no such token, or it has expired. */
    findToken: (token: string): KeptToken | undefined => {
      dropExpired(tokens)
      return tokens.get(token)
    },
    /** Whether the player has a token of the application with just these scopes: then the player is not asked again. */
    hasToken: ({ clientId, playerId, scopes }: TokenGrant): boolean => {
      dropExpired(tokens)
      return [...tokens.values()].some(
        (token) =>
          token.clientId === clientId &&
          token.playerId === playerId &&
          token.scopes.join(' ') === scopes.join(' '),
      )
    },
    /** All tokens stop working at once; returns how many there were. */
    revokeTokens: (): number => {
      const { size } = tokens
      tokens.clear()
      return size
    },
    issueForm: (): string => {
      dropExpired(forms)
      const form = randomBytes(20).toString('hex')
      forms.set(form, { until: clock() + FORM_MS })
      return form
    },
    hasForm: (form: string): boolean => {
      dropExpired(forms)
      return forms.has(form)
    },
  }

  function dropExpired(grants: Map<string, { readonly until: number }>): void {
    for (const [secret, { until }] of grants) if (until <= clock()) grants.delete(secret)
  }
}

function problemOfVerifier(
  challenge: Challenge | null,
  verifier: string | undefined,
): CodeProblem | null {
  if (challenge === null) return verifier === undefined ? null : 'noChallenge'
  if (verifier === undefined) return 'noVerifier'
  const hashed = createHash('sha256').update(verifier).digest('base64url')
  const shown = challenge.method === 'S256' ? hashed : verifier
  return shown === challenge.value ? null : 'wrongVerifier'
}

/** As long as the platform's, which hold an encrypted grant. */
function makeCode(): string {
  return `def50200${randomBytes(500).toString('hex')}`
}

export const makeRefreshToken = makeCode

/** A JWT by its looks, as long as the platform's. */
function makeToken(): string {
  const header = Buffer.from('{"typ":"JWT","alg":"RS256"}').toString('base64url')
  return `${header}.${randomBytes(200).toString('base64url')}.${randomBytes(512).toString('base64url')}`
}

/** What this application can ask for, as far as it matters here. */
const openScopes = ['friends.read', 'identify', 'public']
/** What the platform gives to bots and to its own alone. */
const closedScopes = ['*', 'chat.read', 'chat.write', 'delegate', 'forum.write']

/** The scopes of a list with spaces, sorted; `unknown` names the first that the platform does not have. */
export function readScopes(text = ''): {
  readonly scopes: readonly string[]
  readonly unknown: string | undefined
  readonly isAllowed: boolean
} {
  const names = [...new Set(text.split(' ').filter((name) => name !== ''))].toSorted()
  return {
    scopes: names,
    unknown: names.find((name) => !openScopes.includes(name) && !closedScopes.includes(name)),
    isAllowed: !names.some((name) => closedScopes.includes(name)),
  }
}
