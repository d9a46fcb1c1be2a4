import { randomBytes } from 'node:crypto'

const scopes = ['identify', 'public'] as const
export type Scope = (typeof scopes)[number]

export const TOKEN_SECONDS = 86_400
const CODE_MS = 600_000
/** After that, no application asks what became of a code. */
const CODE_KEPT_MS = 3_600_000

/** No player when the application asked for itself. */
type TokenGrant = { readonly playerId: number | null; readonly scopes: readonly Scope[] }
type CodeGrant = TokenGrant & { readonly redirectUri: string }

/** Why a code gives no token. */
export type CodeProblem = 'forged' | 'expired' | 'used' | 'noRedirect' | 'otherRedirect'

/** The codes and tokens that were issued. */
export function createGrants(clock: () => number) {
  const codes = new Map<
    string,
    CodeGrant & { readonly until: number; readonly expiresAt: number; isUsed: boolean }
  >()
  const tokens = new Map<string, TokenGrant & { readonly until: number }>()

  return {
    issueCode: (grant: CodeGrant): string => {
      dropExpired(codes)
      const now = clock()
      const code = makeCode()
      const [until, expiresAt] = [now + CODE_KEPT_MS, now + CODE_MS]
      codes.set(code, { ...grant, until, expiresAt, isUsed: false })
      return code
    },
    /** A code works once, for the redirect address it was issued for. What fails does not use it up. */
    useCode: (code: string, redirectUri: string | undefined): CodeGrant | CodeProblem => {
      dropExpired(codes)
      const grant = codes.get(code)
      if (grant === undefined) return 'forged'
      if (grant.expiresAt <= clock()) return 'expired'
      if (grant.isUsed) return 'used'
      if (redirectUri === undefined) return 'noRedirect'
      if (grant.redirectUri !== redirectUri) return 'otherRedirect'
      grant.isUsed = true
      return grant
    },
    issueToken: (grant: TokenGrant): string => {
      dropExpired(tokens)
      const token = makeSecret()
      tokens.set(token, { ...grant, until: clock() + TOKEN_SECONDS * 1000 })
      return token
    },
    /** undefined: there is no such token, or it has expired. */
    findToken: (token: string): TokenGrant | undefined => {
      dropExpired(tokens)
      return tokens.get(token)
    },
    /** All tokens stop working at once; returns how many there were. */
    revokeTokens: (): number => {
      const { size } = tokens
      tokens.clear()
      return size
    },
  }

  function dropExpired(grants: Map<string, { readonly until: number }>): void {
    for (const [secret, { until }] of grants) if (until <= clock()) grants.delete(secret)
  }
}

/** As long as the platform's, which hold an encrypted grant. */
function makeCode(): string {
  return `def50200${randomBytes(500).toString('hex')}`
}

export function makeSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** The scopes of a list with spaces; undefined when it is empty or holds an unknown one. */
export function readScopes(text = ''): readonly Scope[] | undefined {
  const names = text.split(' ').filter((name) => name !== '')
  const known = scopes.filter((scope) => names.includes(scope))
  return names.length > 0 && known.length === new Set(names).size ? known : undefined
}
